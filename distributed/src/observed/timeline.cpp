#include "timeline.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <unistd.h>

#include <rondo/distributed/clocks.hpp>
#include <rondo/observe/timeline/file.hpp>

#include "../direct.hpp"

namespace rondo::detail::inline distributed {

timeline_of_run::timeline_of_run(const wishes& what, transport& t, executor& ex)
    : transport_(t), file_(what.timeline_file, t.rank()) {
  rank_.rank = t.rank();
  rank_.at_begin = compare_clocks(t);
  // All ranks count from where rank 0 begins.
  using clock = std::chrono::steady_clock;
  const std::int64_t now = std::chrono::nanoseconds(clock::now().time_since_epoch()).count();
  rank_.run_began = clock::time_point(std::chrono::nanoseconds(told_by_first(t, now)));
  // Not by chance, so that two runs of one second differ: a time in nanoseconds, and the process.
  rank_.run = static_cast<std::uint64_t>(
    told_by_first(t, std::chrono::system_clock::now().time_since_epoch().count() ^ getpid()));
  recorder_.emplace(ex, what.timeline_memory);
}

void timeline_of_run::end() {
  const std::lock_guard lock(mutex_);
  if(recorder_)
    recorder_->stop();
}

void timeline_of_run::tell(const std::string& digest) {
  const clock_offset at_end = compare_clocks(transport_);
  std::vector<std::byte> bytes;
  {
    const std::lock_guard lock(mutex_);
    if(!recorder_) // the process has been told to end, and will
      return;
    rank_.at_end = at_end;
    bytes = recorder_->bytes(rank_);
    recorder_.reset();
  }
  timeline words = words_of_this_run();
  words.digest = digest;
  words.ranks_of_run = transport_.ranks();
  file_.write(transport_, words, bytes);
}

void timeline_of_run::failed(const std::string& why) {
  const std::lock_guard lock(mutex_);
  if(!recorder_)
    return;
  recorder_->stop();
  rank_.at_end = rank_.at_begin;
  timeline words = words_of_this_run();
  words.failure = why;
  words.ranks_of_run = transport_.ranks();
  file_.write_part(rank_.rank, words, recorder_->bytes(rank_));
  recorder_.reset();
}

} // namespace rondo::detail::inline distributed
