#include <algorithm>
#include <cstdint>
#include <limits>

#include "measuring.hpp"

namespace rondo::simulate {

using detail::launch_shape;
using detail::timeline_lane;
using detail::timeline_rank;
using detail::told_launch;

namespace {

/// Added up over ranks, in nanoseconds.
struct sums {
  std::int64_t all_launch = std::numeric_limits<std::int64_t>::min(); ///< The last rank has begun.
  std::int64_t last_end = std::numeric_limits<std::int64_t>::min();
  std::int64_t computing = 0;
  std::int64_t most_computing = 0;
  std::int64_t in_runtime = 0;
  double launching = 0;
};

void add_tasks(const timeline_rank& r, sums& s) {
  std::int64_t computing = 0;
  for(const timeline_lane& l : r.lanes) {
    if(!l.is_of_worker)
      continue;
    for(const own_piece& p : pieces_of(l)) {
      (is_of_runtime(l.sites[p.piece->site].name) ? s.in_runtime : computing) += p.own;
      s.last_end = std::max(s.last_end, p.piece->end);
    }
  }
  s.computing += computing;
  s.most_computing = std::max(s.most_computing, computing);
}

/// What one launch takes if nothing comes between; those in `repeat` are launched but once, and were not measured.
double time_of(const all_launch_times& times, const std::string& key, launch_info::how_type how) {
  if(how == launch_info::how_type::repeated)
    return 0;
  const bool is_analysed = how == launch_info::how_type::analysed;
  const auto pick = [&](const launch_times& l) { return is_analysed ? l.analysed : l.replayed; };
  const auto at = times.by_site.find(key);
  const double own = at != times.by_site.end() ? pick(at->second) : 0;
  return own > 0 ? own : pick(times.any);
}

/// Returns when the first one was, or `none_yet`.
constexpr std::int64_t none_yet = std::numeric_limits<std::int64_t>::max();
std::int64_t add_launches(
  const timeline_lane& l, const all_launch_times& times, sums& s, std::uint64_t& launches) {
  std::int64_t first = none_yet;
  std::vector<double> of_shape;
  const std::vector<std::string> keys = keys_of(l);
  for(const launch_shape& shape : l.shapes)
    of_shape.push_back(time_of(times, keys[shape.site], shape.how));
  for(const told_launch& launch : l.launches) {
    first = std::min(first, launch.at);
    s.launching += of_shape[launch.shape];
    if(l.shapes[launch.shape].has_task)
      launches += std::max<std::uint64_t>(1, launch.passes);
  }
  return first;
}

} // namespace

components components_of(const detail::timeline& t) {
  constexpr double second = 1e9;
  components c;
  sums s;
  const all_launch_times times = launch_times_of(t);
  for(const timeline_rank& r : t.ranks) {
    add_tasks(r, s);
    std::int64_t first = none_yet;
    for(const timeline_lane& l : r.lanes) {
      first = std::min(first, add_launches(l, times, s, c.launches));
      for(const detail::told_message& m : l.messages)
        if(m.what == message_info::what_type::posted) {
          ++c.messages;
          c.bytes += m.bytes;
        }
    }
    if(first != none_yet)
      s.all_launch = std::max(s.all_launch, first);
  }
  const auto ranks = static_cast<double>(std::max<std::size_t>(1, t.ranks.size()));
  if(s.last_end > s.all_launch && s.all_launch >= 0)
    c.seconds = static_cast<double>(s.last_end - s.all_launch) / second;
  c.computing = static_cast<double>(s.computing) / ranks / second;
  c.most_computing = static_cast<double>(s.most_computing) / second;
  c.in_runtime = static_cast<double>(s.in_runtime) / ranks / second;
  c.launching = s.launching / ranks / second;
  return c;
}

} // namespace rondo::simulate
