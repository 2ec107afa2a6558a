#pragma once

/// \file
/// A thread that waits, for the disk or in MPI, so that no worker has to. It is begun when there is something to do for the
/// first time, and may run on any core that the process has.

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace rondo {
class executor;
}

namespace rondo::detail::inline distributed {

/// Any thread may `post`; all else is its own. The mutex protects the queue and `ends_`.
class waiting_thread {
public:
  /// As long as something is posted, `of` knows that it may get work from outside.
  explicit waiting_thread(executor& of) : of_(of) {}
  /// Calls posted so far are done before.
  ~waiting_thread();
  waiting_thread(const waiting_thread&) = delete;
  waiting_thread& operator=(const waiting_thread&) = delete;

  void post(std::function<void()> work);

private:
  void run();

  executor& of_;
  std::mutex mutex_;
  std::condition_variable has_work_; ///< One thread waits, and any `post` wakes it.
  std::deque<std::function<void()>> queue_;
  bool ends_ = false;
  std::thread thread_;
};

} // namespace rondo::detail::inline distributed
