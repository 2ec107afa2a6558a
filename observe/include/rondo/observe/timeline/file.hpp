#pragma once

/// \file
/// Timelines as files: blocks one behind the other, each with what it is and how long. A file has one block for the run and one for each
/// rank, in any order; so files of ranks that could not tell each other (the program has failed) may be read together, or be joined
/// by `cat`. docs/protocols/timeline.md says what is in a block.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include <rondo/observe/timeline/timeline.hpp>

namespace rondo::detail::inline observe {

enum class timeline_block : std::uint32_t { run = 1, rank = 2 };

/// What precedes each block.
struct timeline_block_head {
  static constexpr char usual[8] = {'R', 'o', 'n', 'd', 'o', 't', 'l', '1'};

  char magic[8] = {'R', 'o', 'n', 'd', 'o', 't', 'l', '1'};
  timeline_block kind;
  std::uint32_t check;
  std::uint64_t bytes; ///< Behind this.
};
static_assert(sizeof(timeline_block_head) == 24);

/// Of what is behind a head: most likely another one if anything in it has changed.
std::uint32_t check_of(std::span<const std::byte> block);

/// The words of the run; not its ranks.
std::vector<std::byte> block_of_run(const timeline& words);

/// What the system says of this run: command line and date.
timeline words_of_this_run();

/// Throws std::runtime_error if a file can't be read, is none of a timeline, or is damaged.
timeline read_timeline(const std::vector<std::string>& files);
timeline read_timeline(const std::string& file);

/// Block by block: of a file with more ranks than there is memory for, or one that is still being written (a pipe; "-": stdin).
class timeline_stream {
public:
  explicit timeline_stream(std::string file);
  ~timeline_stream();
  timeline_stream(const timeline_stream&) = delete;
  timeline_stream& operator=(const timeline_stream&) = delete;

  /// Adds the next rank, or what is said of the run. Returns false at the end of the file.
  bool next(timeline& into);

private:
  std::string name_;
  std::FILE* file_;
  std::vector<std::byte> block_;
};

} // namespace rondo::detail::inline observe
