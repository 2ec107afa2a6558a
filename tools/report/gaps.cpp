#include "gaps.hpp"

#include <algorithm>
#include <functional>

namespace rondo::report {

std::vector<idle_gap> longest_gaps(const spans& s, std::size_t most) {
  std::vector<idle_gap> all;
  for(std::uint32_t l = 0; l != s.lanes.size(); ++l) {
    const lane& of = s.lanes[l];
    if(!of.is_of_worker)
      continue;
    std::int64_t ended = 0;
    bool is_known = s.dropped == 0; // what was before the first task
    for(std::uint32_t i = of.first; i != of.first + of.count; ++i) {
      const span& x = s.all[i];
      if(s.sites[x.site].kind > span_kind::node)
        continue;
      if(is_known && x.begin > ended)
        all.push_back({ended, x.begin, l, i});
      ended = std::max(ended, x.end);
      is_known = true;
    }
  }
  const std::size_t count = std::min(most, all.size());
  std::ranges::partial_sort(
    all, all.begin() + static_cast<std::ptrdiff_t>(count), std::greater(), &idle_gap::length);
  all.resize(count);
  return all;
}

double time_asleep(const spans& s) {
  double seconds = 0;
  for(const span& x : s.all)
    if(s.sites[x.site].kind == span_kind::slept)
      seconds += 1e-9 * static_cast<double>(x.length());
  return seconds;
}

} // namespace rondo::report
