#pragma once

/// \file
/// The file of a timeline, when all ranks have ended well, or one has failed.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <rondo/distributed/transport.hpp>
#include <rondo/observe/c_file.hpp>
#include <rondo/observe/timeline/timeline.hpp>

namespace rondo::detail::inline distributed {

class timeline_file {
public:
  /// Rank 0 opens it at once: a program that has run for hours should not learn at its end that it can't. Throws std::runtime_error.
  timeline_file(std::string name, unsigned rank);

  /// All ranks call it. Rank 0 writes one block after the other, as they come.
  void write(transport& t, const timeline& words, std::span<const std::byte> own);
  /// What one rank has seen, into a file of its own: it is called as this one, and `.rank-3` behind.
  void write_part(unsigned rank, const timeline& words, std::span<const std::byte> own);

private:
  const std::string name_;
  c_file file_; ///< Of rank 0.
};

} // namespace rondo::detail::inline distributed
