#include "measuring.hpp"

#include <algorithm>
#include <limits>

namespace rondo::simulate {

using detail::task_piece;
using detail::timeline_lane;
using detail::timeline_rank;

std::vector<own_piece> pieces_of(const timeline_lane& worker) {
  std::vector<own_piece> all;
  all.reserve(worker.tasks.size());
  // Tasks with the same begin and end are pieces of one stack that came to rest and went on; the innermost one is told first.
  for(std::size_t i = worker.tasks.size(); i-- != 0;) {
    const task_piece& p = worker.tasks[i];
    all.push_back({.piece = &p, .own = p.end - p.begin, .is_within = false});
  }
  std::ranges::stable_sort(all, [](const own_piece& a, const own_piece& b) {
    return a.piece->begin != b.piece->begin ? a.piece->begin < b.piece->begin
                                            : a.piece->end > b.piece->end;
  });
  std::vector<std::size_t> around;
  for(std::size_t i = 0; i != all.size(); ++i) {
    const task_piece& p = *all[i].piece;
    while(!around.empty() && all[around.back()].piece->end <= p.begin)
      around.pop_back();
    if(!around.empty()) {
      all[i].is_within = true;
      all[around.back()].own -= p.end - p.begin;
    }
    around.push_back(i);
  }
  return all;
}

const timeline_lane* main_lane(const timeline_rank& r) {
  const timeline_lane* best = nullptr;
  for(const timeline_lane& l : r.lanes)
    if(!l.is_of_worker && !l.launches.empty() &&
       (best == nullptr || l.launches.size() > best->launches.size()))
      best = &l;
  return best;
}

const timeline_lane* worker_lane(const timeline_rank& r, std::uint32_t worker) {
  for(const timeline_lane& l : r.lanes)
    if(l.is_of_worker && l.worker == worker)
      return &l;
  return nullptr;
}

std::int64_t known_from(const timeline_lane& l) {
  if(l.dropped == 0)
    return std::numeric_limits<std::int64_t>::min();
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  const auto look = [&](const auto& events, auto when) {
    if(!events.empty())
      first = std::min(first, events.front().*when);
  };
  // In the order in which they ended: what ended before the first of them is not known.
  look(l.tasks, &task_piece::end);
  look(l.launches, &detail::told_launch::at);
  look(l.messages, &detail::told_message::at);
  look(l.passes, &detail::told_pass::at);
  look(l.times, &detail::told_time::end);
  return first;
}

} // namespace rondo::simulate
