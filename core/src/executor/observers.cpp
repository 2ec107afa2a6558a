// Attaching and detaching observers.

#include <rondo/core/executor.hpp>

#include <stdexcept>
#include <string>

namespace rondo {

void executor::attach(observer& o) {
  const std::lock_guard lock(observers_mutex_);
  for(auto& place : observers_) {
    if(place.load(std::memory_order_relaxed) == nullptr) {
      place.store(&o, std::memory_order_seq_cst);
      for(unsigned i = 0; i != made_.load(std::memory_order_relaxed); ++i)
        workers_[i]
          .load(std::memory_order_relaxed)
          ->observed_.store(true, std::memory_order_relaxed);
      return;
    }
  }
  throw std::length_error("rondo::executor::attach(): at most " + std::to_string(most_observers) +
                          " observers at a time");
}

void executor::detach(observer& o) {
  const std::lock_guard lock(observers_mutex_);
  bool any_left = false;
  for(auto& place : observers_) {
    if(place.load(std::memory_order_relaxed) == &o)
      place.store(nullptr, std::memory_order_seq_cst);
    any_left = any_left || place.load(std::memory_order_relaxed) != nullptr;
  }
  for(unsigned i = 0; i != made_.load(std::memory_order_relaxed); ++i) {
    worker& w = *workers_[i].load(std::memory_order_relaxed);
    if(!any_left)
      w.observed_.store(false, std::memory_order_relaxed);
    while(w.in_observer_.load(std::memory_order_seq_cst)) // it may be inside a call to `o`
      std::this_thread::yield();
  }
}

/// `detach` waits for the lock, so the observer lives.
void executor::tell_waited(const wait_info& info) {
  const std::lock_guard lock(observers_mutex_);
  for(auto& place : observers_)
    if(observer* const o = place.load(std::memory_order_relaxed))
      o->waited(info);
}

} // namespace rondo
