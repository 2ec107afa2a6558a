#pragma once

/// \file
/// The observers of an executor: who is told, and that nobody is told any more after it was removed.

#include <atomic>
#include <mutex>

#include <rondo/core/asymmetric_fence.hpp>
#include <rondo/core/function_ref.hpp>
#include <rondo/core/observer.hpp>
#include <rondo/core/split_deque.hpp>

namespace rondo::detail::inline core {

class fiber;

/// A part above the executor that tells observers by itself, such as a flow: by one piece of code, its owner, be that a
/// worker or not. The owner keeps a note of its own whether anybody observes, which costs it nothing to look at; it brings
/// that up to date when it comes by, and at once if it attaches the observer itself.
class event_source {
public:
  /// `notice(of)` is called by the owner when it attaches or detaches.
  event_source(fiber& owner, void (*notice)(void* of), void* of)
      : owner_(owner), notice_(notice), of_(of) {}
  event_source(const event_source&) = delete;
  event_source& operator=(const event_source&) = delete;

  /// A relaxed load will do for this hint: the observers to be told are looked up in the list.
  [[nodiscard]] bool is_observed() const { return is_observed_.load(std::memory_order_relaxed); }

private:
  friend class observer_list;

  fiber& owner_;
  void (*const notice_)(void* of);
  void* const of_;
  std::atomic<bool> is_observed_{false};
  std::atomic<bool> inside_{false};
  event_source* next_ = nullptr; ///< In the list. Guarded by its lock.
  event_source* before_ = nullptr;
};

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

  /// By its owner.
  void add(event_source& s);
  void remove(event_source& s);

  /// By a worker; `inside` is its own flag, which `see_off` looks at.
  template<class Tell>
  void tell(Tell&& tell_one, std::atomic<bool>& inside) {
    inside.store(true, std::memory_order_relaxed);
    // With the heavy one in `remove`: either that sees that we are inside, or we see the empty place.
    light_fence();
    // acquire: what the observer is was written before it was put there.
    const unsigned used = used_.load(std::memory_order_acquire);
    for(unsigned i = 0; i != used; ++i)
      if(observer* const o = places_[i].load(std::memory_order_acquire))
        tell_one(*o);
    inside.store(false, std::memory_order_release);
  }
  /// By the owner of a source; `remove` looks at its flag as at those of workers.
  template<class Tell>
  void tell(Tell&& tell_one, event_source& s) {
    tell(tell_one, s.inside_);
  }

  /// A relaxed load will do for this hint, too.
  [[nodiscard]] bool are_any() const { return is_any_.load(std::memory_order_relaxed); }

  /// By any other thread. `remove` waits for the lock, so the observers live.
  void tell_from_outside(function_ref<void(observer&)> tell_one);

private:
  [[nodiscard]] bool is_any() const;
  /// Whether anybody wants to know of launches.
  [[nodiscard]] bool follow_launches() const;
  void tell_sources();

  alignas(cache_line) std::atomic<observer*> places_[most] = {};
  std::atomic<unsigned> used_{0}; ///< Behind these places nobody has ever been.
  /// Not the lock of `executor::resize`, which waits for tasks, and those may attach and detach.
  std::mutex mutex_;
  event_source* sources_ = nullptr;
  std::atomic<bool> is_any_{false};
};

} // namespace rondo::detail::inline core
