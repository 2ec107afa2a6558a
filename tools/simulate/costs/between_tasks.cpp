#include <utility>

#include "measuring.hpp"
#include "stretches.hpp"

namespace rondo::simulate {

using detail::timeline_lane;
using detail::timeline_rank;
using detail::told_launch;
using detail::told_message;
using detail::told_time;

namespace {

/// What ends a row of tasks. Worker 0 is the main thread: the row ends where it launches, begins to wait, has
/// waited, or a message comes that the next task may have waited for.
stretches breaks_of(const timeline_lane& worker, const timeline_lane* main) {
  stretches breaks;
  for(const told_time& t : worker.times)
    if(t.what == told_time::what_type::slept)
      breaks.add(t.begin, t.end);
  if(main != nullptr) {
    for(const told_launch& l : main->launches)
      breaks.add(l.at);
    for(const told_message& m : main->messages)
      if(m.what == message_info::what_type::arrived)
        breaks.add(m.at);
    for(const told_time& t : main->times)
      if(t.what != told_time::what_type::phase) {
        breaks.add(t.begin);
        breaks.add(t.end);
      }
  }
  breaks.sort();
  return breaks;
}

} // namespace

double between_tasks_of(const detail::timeline& t) {
  constexpr std::int64_t waited_for_something = 100'000;
  std::vector<double> gaps;
  for(const timeline_rank& r : t.ranks)
    for(const timeline_lane& l : r.lanes) {
      if(!l.is_of_worker)
        continue;
      const timeline_lane* const main = l.worker == 0 ? main_lane(r) : nullptr;
      const stretches breaks = breaks_of(l, main);
      const std::int64_t known = known_from(main != nullptr ? *main : l);
      std::int64_t free = 0;
      bool is_behind_task = false;
      for(const own_piece& p : pieces_of(l)) {
        if(p.is_within)
          continue;
        const std::int64_t begin = p.piece->begin;
        if(is_behind_task && free >= known && begin - free < waited_for_something &&
           !breaks.is_between(free, begin))
          gaps.push_back(static_cast<double>(begin - free));
        free = p.piece->end;
        is_behind_task = true;
      }
    }
  return median(std::move(gaps));
}

} // namespace rondo::simulate
