#include "own_file.hpp"

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

#include <rondo/observe/timeline/file.hpp>

namespace rondo::detail::inline observe {

timeline_in_file::timeline_in_file(executor& ex, std::string name, std::size_t most_memory)
    : name_(std::move(name)), file_(std::fopen(name_.c_str(), "wbe")) {
  if(file_ == nullptr)
    fail();
  recorder_ = std::make_unique<timeline_recorder>(ex, most_memory);
}

void timeline_in_file::fail() const {
  throw std::runtime_error(
    "rondo: the timeline can't be written to " + name_ + ": " + std::strerror(errno));
}

bool timeline_in_file::write(std::span<const std::byte> bytes) const {
  return std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) == bytes.size();
}

void timeline_in_file::write(const std::string& digest) {
  if(recorder_ == nullptr)
    return;
  const auto recorder = std::exchange(recorder_, nullptr);
  recorder->stop();
  rank_of_timeline rank;
  rank.run_began = recorder->began();
  timeline words = words_of_this_run();
  words.digest = digest;
  const bool is_written = write(block_of_run(words)) && write(recorder->bytes(rank));
  if(std::fclose(file_.release()) != 0 || !is_written)
    fail();
}

} // namespace rondo::detail::inline observe
