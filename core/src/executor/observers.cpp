// Observers: the list of them, and what an executor's workers know of it.

#include <rondo/core/executor.hpp>
#include <rondo/core/observer_list.hpp>

#include <stdexcept>
#include <string>
#include <thread>

namespace rondo {

namespace detail::inline core {

void observer_list::add(observer& o, function_ref<void()> tell_workers) {
  const std::lock_guard lock(mutex_);
  for(auto& place : places_)
    if(place.load(std::memory_order_relaxed) == nullptr) {
      place.store(&o, std::memory_order_seq_cst);
      tell_workers();
      return;
    }
  throw std::length_error(
    "rondo::engine::attach(): at most " + std::to_string(most) + " observers at a time");
}

void observer_list::remove(observer& o, function_ref<void(bool)> see_off) {
  const std::lock_guard lock(mutex_);
  bool any_left = false;
  for(auto& place : places_) {
    if(place.load(std::memory_order_relaxed) == &o)
      place.store(nullptr, std::memory_order_seq_cst);
    any_left = any_left || place.load(std::memory_order_relaxed) != nullptr;
  }
  see_off(any_left);
}

void observer_list::admit(function_ref<void(bool)> make_known) {
  const std::lock_guard lock(mutex_);
  bool any = false;
  for(const auto& place : places_)
    any = any || place.load(std::memory_order_relaxed) != nullptr;
  make_known(any);
}

/// `remove` waits for the lock, so the observer lives.
void observer_list::tell_waited(const wait_info& info) {
  const std::lock_guard lock(mutex_);
  for(auto& place : places_)
    if(observer* const o = place.load(std::memory_order_relaxed))
      o->waited(info);
}

} // namespace detail::inline core

void executor::attach(observer& o) {
  observers_.add(o, [this] {
    workers_.each([](worker& w) { w.observed_.store(true, std::memory_order_relaxed); });
  });
}

void executor::detach(observer& o) {
  observers_.remove(o, [this](bool any_left) {
    workers_.each([any_left](worker& w) {
      if(!any_left)
        w.observed_.store(false, std::memory_order_relaxed);
      while(w.in_observer_.load(std::memory_order_seq_cst)) // it may be inside a call to `o`
        std::this_thread::yield();
    });
  });
}

} // namespace rondo
