#pragma once

/// \file
/// A lock around a library that only one thread may be in.

#include <atomic>
#include <mutex>

namespace rondo::detail::inline distributed {

/// Threads that poll do so again and again, and would keep out threads that start messages: a mutex
/// goes to the one that runs, not to one that waits. So pollers stay away while somebody waits.
class progress_lock {
public:
  /// For a thread that has something to do.
  void lock() {
    if(mutex_.try_lock())
      return;
    waiting_.fetch_add(1, std::memory_order_relaxed); // a hint; the mutex orders
    mutex_.lock();
    waiting_.fetch_sub(1, std::memory_order_relaxed);
  }

  /// For who polls.
  bool try_lock() { return waiting_.load(std::memory_order_relaxed) == 0 && mutex_.try_lock(); }

  void unlock() { mutex_.unlock(); }

private:
  std::mutex mutex_;
  std::atomic<unsigned> waiting_{0};
};

} // namespace rondo::detail::inline distributed
