#pragma once

/// \file
/// What one lane has done, as slices of time that lie one behind the other or one within the other: the form in which all readers of
/// timelines want it.

#include <cstdint>
#include <string>
#include <vector>

#include <rondo/observe/timeline/timeline.hpp>

namespace rondo::report {

struct slice {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::uint32_t site = 0;
  const detail::task_piece* piece = nullptr; ///< Null of a wait, a sleep, or a phase.
  const detail::told_time* time = nullptr;   ///< Null of a piece of a task.
};

/// In the order of begin, outer ones first. Where one would end behind the one around it, as rounded times may, it ends with it.
std::vector<slice> slices_of(const detail::timeline_lane& lane);

/// "relax", or what it is if it has no name: "task", "slept", "waited for a region".
std::string name_of(const detail::timeline_lane& lane, const slice& s);
/// "task", "fork", "node", "waited", "slept", "phase".
const char* category_of(const detail::timeline_lane& lane, const slice& s);

/// Calls `enter` and `leave` for each slice, in the order of time.
template<class Enter, class Leave>
void walk(const std::vector<slice>& slices, Enter enter, Leave leave) {
  std::vector<const slice*> open;
  const auto leave_until = [&](std::int64_t time) {
    for(; !open.empty() && open.back()->end <= time; open.pop_back())
      leave(*open.back());
  };
  for(const slice& s : slices) {
    leave_until(s.begin);
    enter(s);
    open.push_back(&s);
  }
  for(; !open.empty(); open.pop_back())
    leave(*open.back());
}

} // namespace rondo::report
