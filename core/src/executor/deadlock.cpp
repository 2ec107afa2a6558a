// Noticing that nothing can ever go on: docs/protocols/fiber.md.

#include <rondo/core/executor.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "../fiber/sanitizers.hpp"

namespace rondo {

using detail::fiber;

void executor::begin_rest(fiber::waits_for& w) {
  const std::lock_guard lock(resting_mutex_);
  resting_.push_back(&w);
}

void executor::end_rest(fiber::waits_for& w) {
  const std::lock_guard lock(resting_mutex_);
  std::erase(resting_, &w);
}

namespace {

std::string place(const std::source_location& where) {
  return std::string(where.file_name()) + ":" + std::to_string(where.line());
}

/// Threads of this process that no sanitizer has made.
std::size_t threads_of_process() {
  std::error_code error;
  std::size_t count = 0;
  for(const auto& entry : std::filesystem::directory_iterator("/proc/self/task", error))
    count += entry.path().empty() ? 0 : 1;
#ifdef RONDO_THREAD_SANITIZER
  return count == 0 ? 0 : count - 1;
#else
  return count;
#endif
}

constexpr std::size_t most_listed = 20;

} // namespace

/// Called by a worker that searches, and has slept for long without finding anything.
void executor::look_for_deadlock() {
  const bool is_seated = seated_.load(std::memory_order_relaxed);
  const unsigned outside = outside_waiters_.load(std::memory_order_relaxed);
  if((!is_seated && outside == 0) || external_.load(std::memory_order_relaxed) != 0)
    return;
  // All others sleep, and nothing is to be had: then nobody will give anything either.
  const unsigned empty_seat = !options_.background && !is_seated ? 1 : 0;
  if(!notifier_.all_sleep_but_me(workers() - empty_seat) || work_visible())
    return;
  std::vector<fiber::waits_for*> resting;
  {
    const std::scoped_lock lock(stacks_, resting_mutex_);
    resting = resting_;
    for(const fiber* f = all_fibers_; f != nullptr; f = f->all_next_)
      if(f->why != nullptr)
        resting.push_back(f->why);
  }
  if(resting.empty() || deadlock_told_ || others_unfinished())
    return;
  std::string report =
    "rondo: deadlock: nothing runs, and nobody is left to make what is waited for:";
  for(std::size_t i = 0; i != std::min(resting.size(), most_listed); ++i) {
    const auto& w = *resting[i];
    report += "\n  " + place(w.where) + " waits for ";
    if(*w.name != '\0')
      report += std::string("'") + w.name + "', launched at ";
    report += place(w.launched);
  }
  if(resting.size() > most_listed)
    report += "\n  and " + std::to_string(resting.size() - most_listed) + " others";
  // Threads that are neither workers nor wait here may still keep a promise.
  const std::size_t ours =
    workers() - (options_.background ? 0U : 1U) + (is_seated ? 1U : 0U) + outside;
  if(threads_of_process() > ours) {
    deadlock_told_ = true;
    std::fprintf(stderr,
      "%s\nThis goes on only if another thread of the program keeps one of these promises.\n",
      report.c_str());
    return;
  }
  // Nobody else runs, so the waits may be taken back: they throw.
  for(auto* const w : resting)
    w->take_back(*w, report);
  for(auto* const w : resting)
    w->go_on(*w);
}

} // namespace rondo
