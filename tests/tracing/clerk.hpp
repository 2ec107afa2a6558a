#pragma once

#include <atomic>
#include <deque>
#include <mutex>
#include <thread>

#include <rondo/flow.hpp>

/// Calls what it is given some time later, on a thread of its own.
class clerk {
public:
  ~clerk() {
    stop_ = true;
    thread_.join();
  }
  void hand(rondo::completion done) {
    const std::lock_guard lock(mutex_);
    open_.push_back(done);
  }

private:
  void work() {
    while(!stop_) {
      std::deque<rondo::completion> mine;
      {
        const std::lock_guard lock(mutex_);
        mine.swap(open_);
      }
      for(const rondo::completion& done : mine)
        done();
      std::this_thread::yield();
    }
  }
  std::mutex mutex_;
  std::deque<rondo::completion> open_;
  std::atomic<bool> stop_{false};
  std::thread thread_{[this] { work(); }};
};
