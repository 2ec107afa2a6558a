#pragma once

#include <atomic>

#include <sched.h>

#include <rondo/core/pause.hpp>

namespace rondo::detail::inline distributed {

/// For a few instructions at a time: half the price of a mutex while nobody competes.
class short_lock {
public:
  void lock() {
    // Acquire: with the release of the thread that had it before.
    for(unsigned tries = 0; is_locked_.exchange(true, std::memory_order_acquire);)
      if(++tries < 16)
        pause();
      else
        sched_yield(); // its owner may not be running
  }
  bool try_lock() {
    return !is_locked_.load(std::memory_order_relaxed) &&
           !is_locked_.exchange(true, std::memory_order_acquire);
  }
  void unlock() { is_locked_.store(false, std::memory_order_release); }

private:
  std::atomic<bool> is_locked_{false};
};

} // namespace rondo::detail::inline distributed
