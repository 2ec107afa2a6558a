#pragma once

/// \file
/// The events of a lane of a closed loop. They are advanced by the crew of the lane, by plain stores: a
/// read-modify-write would have to wait until all that was stored before has got out of the core, and
/// most of that goes to cache lines which other cores have just read. But then who parks at such an event
/// just now may be overlooked. So it asks the lane, which answers before its crew waits, claims more or
/// goes. The protocol: docs/protocols/trace.md, "Events of lanes".

#include <atomic>
#include <utility>
#include <vector>

#include <rondo/core/split_deque.hpp>
#include <rondo/tracing/progress.hpp>

namespace rondo::detail::inline tracing {

class lane_events {
public:
  explicit lane_events(std::vector<launch_event*> of_pass) : events_(std::move(of_pass)) {
    for(launch_event* const e : events_)
      e->ask(is_asked_);
  }
  lane_events(const lane_events&) = delete;
  lane_events& operator=(const lane_events&) = delete;

  /// Until the next answer events may be advanced as if nobody parked meanwhile.
  [[nodiscard]] bool are_quiet() const { return !is_watched_; }
  void answer(crew* here) {
    // Always a read-modify-write: a crew that asks later sees all that was advanced before.
    const bool is_asked = is_asked_.exchange(false, std::memory_order_acq_rel);
    if(is_asked || is_watched_) [[unlikely]]
      look_again(here, is_asked);
  }

private:
  /// Where nobody has asked meanwhile, no bit was written over.
  void look_again(crew* here, bool is_asked) {
    is_watched_ = false;
    for(launch_event* const e : events_)
      is_watched_ = (is_asked ? e->look_again(here) : e->is_awaited()) || is_watched_;
  }

  std::vector<launch_event*> events_;
  bool is_watched_ = false; ///< Somebody waits for one of them.
  alignas(cache_line) std::atomic<bool> is_asked_{false};
};

} // namespace rondo::detail::inline tracing
