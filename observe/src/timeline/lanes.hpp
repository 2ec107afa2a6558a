#pragma once

/// \file
/// The lanes of a `timeline_recorder`: what threads write, and nobody else.

#include <algorithm>
#include <cstdint>
#include <vector>

#include <rondo/core/ticks.hpp>
#include <rondo/observe/timeline/event_lane.hpp>
#include <rondo/observe/timeline/recorder.hpp>

#include "../usual_gap.hpp"
#include "shapes.hpp"
#include "sites.hpp"

namespace rondo::detail::inline observe {

/// It runs, or lies under one that does.
struct open_task {
  std::uint64_t began;
  std::uint64_t number;
  std::uint64_t pass;
  std::uint32_t site;
  bool is_in_repeat;
  bool is_first; ///< It has not come to rest so far.
};

/// Tasks of one stack, the innermost one first.
struct timeline_recorder::resting_stack {
  struct resting {
    open_task task;
    site_table::known_site site;
  };
  unsigned open = 0;
  std::vector<resting> tasks;
};

struct timeline_recorder::thread_lane {
  explicit thread_lane(event_room& room) : events(room) {}

  event_lane events;
  site_table sites;
  shape_table shapes;
};

struct alignas(64) timeline_recorder::worker_lane {
  static constexpr unsigned deepest =
    16; ///< Tasks one above the other; those further up are not told.

  explicit worker_lane(event_room& room) : events(room) {}

  void note(const open_task& t, std::uint64_t now, event_kind kind) noexcept {
    // The loop of tasks is told when it is another one, and in each chunk anew.
    if(t.is_in_repeat && (t.number != loop || events.turn(2) != turn)) {
      timeline_event* const e = events.add(2);
      e[0] = {0, t.number, 0, timeline_event::pack(event_kind::of_loop, 0)};
      e[1] = event_of(t, now, kind);
      loop = t.number;
      turn = events.turn(0);
    }
    else
      *events.add(1) = event_of(t, now, kind);
  }
  /// Of a task that begins now.
  std::uint64_t begin_of(const task_info& what) noexcept {
    const bool comes_at_once = what.comes_at_once && open == 0 && ended != 0;
    if(comes_at_once && between.can_be_guessed())
      return ended + between.guess();
    const std::uint64_t now = ticks();
    if(comes_at_once)
      between.note(now - ended);
    return now;
  }
  static timeline_event event_of(const open_task& t, std::uint64_t now, event_kind kind) {
    // The guess of when it began may be a little late.
    const std::uint64_t began = std::min(now, t.began);
    return {began, t.is_in_repeat ? t.pass : t.number, pack_length(now - began),
      timeline_event::pack(kind, t.site)};
  }

  unsigned open = 0;
  open_task tasks[deepest];
  event_lane events;
  site_table sites;
  std::uint64_t ended = 0; ///< When the last task has.
  usual_gap between;
  std::uint64_t slept_at = 0;
  std::uint64_t loop = ~std::uint64_t{0}; ///< The one told last, and in which chunk.
  std::uint64_t turn = 0;
};

inline void note_time(event_lane& events, event_kind kind, std::uint32_t site, std::uint64_t began,
  std::uint64_t ended) noexcept {
  *events.add(1) = {
    began, 0, pack_length(ended - std::min(began, ended)), timeline_event::pack(kind, site)};
}

} // namespace rondo::detail::inline observe
