#pragma once

/// \file
/// A line on stderr when nothing goes on: a task that never ends keeps all others waiting, on all ranks, and nobody would
/// know which one it is. docs/protocols/watch.md

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <pthread.h>

#include <rondo/core/executor.hpp>
#include <rondo/core/look.hpp>

namespace rondo::detail::inline distributed {

class stall_watch {
public:
  using clock = std::chrono::steady_clock;

  /// By RONDO_PATIENCE, in seconds: 30 if not set, 0: never. Throws std::invalid_argument.
  static clock::duration patience();

  /// What is told where no task runs: nothing, or what the program waits for. One rank is enough for that.
  enum class of_waits : bool { nothing, all };

  /// Made by the thread that waits as worker 0, and destroyed before the executor is. Calls `tell` with a line when nothing
  /// but the same tasks has run for that long; again after twice the time, and so on.
  stall_watch(executor& ex, clock::duration patience, std::function<void(const std::string&)> tell,
    of_waits waits = of_waits::nothing);
  ~stall_watch();
  stall_watch(const stall_watch&) = delete;
  stall_watch& operator=(const stall_watch&) = delete;

private:
  void look_again_and_again();
  void look();
  void tell_of_waits(clock::duration quiet);

  executor& ex_;
  const clock::duration patience_;
  const std::function<void(const std::string&)> tell_;
  const of_waits waits_;
  const pthread_t seat_;
  std::mutex mutex_;
  std::condition_variable ends_;
  bool is_over_ = false;
  // Of the thread.
  std::uint64_t activity_ = 0;
  clock::time_point quiet_since_;
  clock::duration tell_after_;
  std::vector<seen_worker> seen_; ///< With what was seen at each look since then.
  bool has_looked_ = false;
  std::thread thread_; ///< The last one: it uses all others.
};

} // namespace rondo::detail::inline distributed
