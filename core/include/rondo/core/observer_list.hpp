#pragma once

/// \file
/// The observers of an executor: who is told, and that nobody is told any more after it was removed.

#include <atomic>
#include <mutex>

#include <rondo/core/function_ref.hpp>
#include <rondo/core/observer.hpp>
#include <rondo/core/split_deque.hpp>

namespace rondo::detail::inline core {

class observer_list {
public:
  static constexpr unsigned most = 8;

  /// `tell_workers()` is called with the observer in its place; nobody is added or removed meanwhile.
  /// Throws std::length_error if there is no room.
  void add(observer& o, function_ref<void()> tell_workers);

  /// `see_off(any_left)` returns when no worker can be inside a call to the observer any more.
  void remove(observer& o, function_ref<void(bool)> see_off);

  /// For a worker that is new: `make_known(is_observed)`. `add` tells all workers that are known: either it
  /// finds this one, or this one finds the observer.
  void admit(function_ref<void(bool)> make_known);

  /// By a worker; `inside` is its own flag, which `see_off` looks at.
  template<class Tell>
  void tell(Tell&& tell_one, std::atomic<bool>& inside) {
    // seq_cst on both: either `remove` sees that we are inside, or we see the empty place.
    inside.store(true, std::memory_order_seq_cst);
    for(auto& place : places_)
      if(observer* const o = place.load(std::memory_order_seq_cst))
        tell_one(*o);
    inside.store(false, std::memory_order_release);
  }

  /// By a thread that is no worker.
  void tell_waited(const wait_info& info);

private:
  alignas(cache_line) std::atomic<observer*> places_[most] = {};
  /// Not the lock of `executor::resize`, which waits for tasks, and those may attach and detach.
  std::mutex mutex_;
};

} // namespace rondo::detail::inline core
