#include "slices.hpp"

#include "names.hpp"

#include <algorithm>

namespace rondo::report {

std::vector<slice> slices_of(const detail::timeline_lane& lane) {
  std::vector<slice> all;
  all.reserve(lane.tasks.size() + lane.times.size());
  for(const auto& t : lane.times)
    all.push_back({t.begin, std::max(t.begin, t.end), t.site, nullptr, &t});
  for(const auto& t : lane.tasks)
    all.push_back({t.begin, std::max(t.begin, t.end), t.site, &t, nullptr});
  // What was told later is around what was told before, if both have the same times.
  std::reverse(all.begin(), all.end());
  std::stable_sort(all.begin(), all.end(), [](const slice& a, const slice& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });

  std::vector<const slice*> around;
  for(slice& s : all) {
    while(!around.empty() && around.back()->end <= s.begin)
      around.pop_back();
    if(!around.empty())
      s.end = std::min(s.end, around.back()->end);
    around.push_back(&s);
  }
  return all;
}

std::string name_of(const detail::timeline_lane& lane, const slice& s) {
  const detail::timeline_site& site = site_of(lane, s.site);
  if(s.time != nullptr && s.time->what != detail::told_time::what_type::phase)
    return word_of(s.time->what);
  if(!site.name.empty())
    return site.name;
  return s.time != nullptr ? word_of(s.time->what) : word_of(site.kind);
}

const char* category_of(const detail::timeline_lane& lane, const slice& s) {
  using what = detail::told_time::what_type;
  if(s.time == nullptr)
    return word_of(site_of(lane, s.site).kind);
  return s.time->what == what::slept ? "slept" : s.time->what == what::phase ? "phase" : "waited";
}

} // namespace rondo::report
