#pragma once

/// \file
/// A number that only grows, and those who wait until it is large enough: how many accesses to a
/// region have ended, how many passes a task of a trace has done. docs/protocols/flow.md.

#include <atomic>
#include <cstdint>

#include <rondo/core/split_deque.hpp>

namespace rondo::detail::inline tracing {

struct crew;

/// Waits until so many have ended. May be gone once `go_on` is called.
struct turn_wait {
  turn_wait* next; ///< Written by those whom it is handed over to, as is the turn.
  std::uint64_t turn;
  void (*go_on)(turn_wait& self, crew* here);
};

class progress {
public:
  /// So many have ended. Acquire: what they have written.
  [[nodiscard]] bool reached(std::uint64_t turn) const {
    return word_.load(std::memory_order_acquire) >= one * turn; // waiters: less than one
  }

  /// Hands over something to do when that is so. Returns false, and does nothing, if it is so already.
  bool park(turn_wait& w, std::uint64_t turn);

  /// One more has ended. acq_rel: what it has written, for those that come after it.
  void advance(crew* here) {
    if((word_.fetch_add(one, std::memory_order_acq_rel) & somebody_waits) != 0) [[unlikely]]
      wake(here);
  }
  /// So many more, of which nobody runs.
  void advance_by(std::uint64_t n, crew* here) {
    if((word_.fetch_add(n * one, std::memory_order_acq_rel) & somebody_waits) != 0)
      wake(here);
  }
  /// The same where nobody else advances meanwhile. Nor may anybody park, unless the one who advances is
  /// asked, and then looks again: see lane_events.hpp.
  void advance_alone(crew* here) {
    const std::uint64_t before = word_.load(std::memory_order_relaxed);
    word_.store(before + one, std::memory_order_release);
    if((before & somebody_waits) != 0) [[unlikely]]
      wake(here);
  }

  /// Nothing has ended yet. Nobody else knows of it.
  void begin_again() { word_.store(0, std::memory_order_relaxed); }

  /// Tells those whose turn has come, if `advance_alone` has not. Returns true if others wait on.
  bool look_again(crew* here);
  [[nodiscard]] bool is_awaited() const {
    return (word_.load(std::memory_order_relaxed) & somebody_waits) != 0;
  }

private:
  static constexpr std::uint64_t somebody_waits = 1;
  static constexpr std::uint64_t one = 2;

  void wake(crew* here);
  turn_wait* take_due();
  static void tell(turn_wait* first, crew* here);
  void lock();
  void unlock() { locked_.store(false, std::memory_order_release); }

  std::atomic<std::uint64_t> word_{0};
  turn_wait* first_ = nullptr; ///< The waiters, by their turns. Guarded by the lock.
  turn_wait* last_ = nullptr;
  std::atomic<bool> locked_{false};
  bool asks_ = false; ///< It is a `launch_event` that was told whom.

  friend class region_base; // whose lock this is, too
  friend class launch_event;
};

/// Of a launch of a template: it has ended. Events of different workers' launches don't share a cache line.
class alignas(cache_line) launch_event : public progress {
public:
  /// A waiter that parks from now on says so there first: lane_events.hpp.
  void ask(std::atomic<bool>& whoever_advances) {
    asked_ = &whoever_advances;
    asks_ = true;
  }

private:
  std::atomic<bool>* asked_ = nullptr;

  friend class progress;
};

} // namespace rondo::detail::inline tracing
