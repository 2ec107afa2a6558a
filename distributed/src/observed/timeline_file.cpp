#include "timeline_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <utility>

#include <rondo/observe/timeline/file.hpp>

#include "../direct.hpp"
#include "part_files.hpp"

namespace rondo::detail::inline distributed {

namespace {

constexpr std::size_t piece = std::size_t{1} << 20U; ///< What rank 0 needs memory for.

/// Writes until something fails, and knows what it was.
class output {
public:
  output(std::FILE* to, std::string name) : to_(to), name_(std::move(name)) {}

  void add(std::span<const std::byte> bytes) {
    if(failed_ == 0 && std::fwrite(bytes.data(), 1, bytes.size(), to_) != bytes.size())
      failed_ = errno;
    written_ += bytes.size();
  }
  /// Returns whether all of it is written; else the user has been told.
  bool end() {
    if(std::fflush(to_) != 0 && failed_ == 0)
      failed_ = errno;
    if(failed_ != 0)
      std::fprintf(stderr, "rondo: the timeline can't be written to %s: %s\n", name_.c_str(),
        std::strerror(failed_));
    return failed_ == 0;
  }
  [[nodiscard]] double megabytes() const { return 1e-6 * static_cast<double>(written_); }

private:
  std::FILE* to_;
  std::string name_;
  int failed_ = 0;
  std::size_t written_ = 0;
};

} // namespace

timeline_file::timeline_file(std::string name, unsigned rank) : name_(std::move(name)) {
  if(rank != 0)
    return;
  remove_parts(name_);
  file_.reset(std::fopen(name_.c_str(), "wbe"));
  if(file_ == nullptr)
    throw std::runtime_error("rondo: RONDO_OBSERVE: the timeline can't be written to " + name_ +
                             ": " + std::strerror(errno));
}

void timeline_file::write(transport& t, const timeline& words, std::span<const std::byte> own) {
  std::uint64_t left = own.size();
  if(t.rank() != 0) {
    // When rank 0 has room for it.
    std::byte turn{};
    receive(t, 0, std::span(&turn, 1));
    send(t, 0, std::as_bytes(std::span(&left, 1)));
    for(; !own.empty(); own = own.subspan(std::min(own.size(), piece)))
      send(t, 0, own.first(std::min(own.size(), piece)));
    return;
  }
  output to(file_.get(), name_);
  to.add(block_of_run(words));
  to.add(own);
  std::vector<std::byte> bytes;
  for(unsigned rank = 1; rank != t.ranks(); ++rank) {
    const std::byte turn{};
    send(t, rank, std::span(&turn, 1));
    receive(t, rank, std::as_writable_bytes(std::span(&left, 1)));
    for(; left != 0; left -= bytes.size()) {
      bytes.resize(std::min<std::uint64_t>(left, piece));
      receive(t, rank, bytes);
      to.add(bytes);
    }
  }
  if(to.end())
    std::fprintf(stderr, "rondo: the timeline is in %s, %.3g MB: rondo-report %s\n", name_.c_str(),
      to.megabytes(), name_.c_str());
  file_.reset();
}

void timeline_file::write_part(
  unsigned rank, const timeline& words, std::span<const std::byte> own) {
  const bool is_whole = words.ranks_of_run == 1;
  const std::string name = name_of_part(name_, rank, words.ranks_of_run);
  if(std::exchange(file_, nullptr) != nullptr && !is_whole)
    std::remove(name_.c_str()); // nothing is in it, and nothing will be
  const c_file part(std::fopen(name.c_str(), "wbe"));
  if(part == nullptr) {
    std::fprintf(stderr, "rondo: the timeline can't be written to %s: %s\n", name.c_str(),
      std::strerror(errno));
    return;
  }
  output to(part.get(), name);
  to.add(block_of_run(words));
  to.add(own);
  // Of all ranks that were told to end one is enough.
  if(to.end() && (rank == 0 || !words.failure.starts_with(told_to_end)))
    std::fprintf(stderr, "rondo: this rank's timeline is in %s: rondo-report %s%s\n", name.c_str(),
      name_.c_str(), is_whole ? "" : ".rank-*");
}

} // namespace rondo::detail::inline distributed
