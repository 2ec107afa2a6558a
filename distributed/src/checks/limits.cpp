#include "limits.hpp"

#include <algorithm>

#include "asked.hpp"
#include "still.hpp"

namespace rondo::detail::inline distributed {

namespace {

/// Of a copy: a box of ghosts, and where their owner has them, in the same order.
struct seen_box {
  box<3> ghosts;
  box<3> there;
};

/// Lists are cut where either of them is.
std::vector<seen_box> seen_boxes(const exchange_plan::copy& copy) {
  std::vector<box<3>> ghosts = copy.to.boxes();
  std::vector<box<3>> there = copy.from.boxes();
  if(ghosts.size() == 1 && there.size() == 1)
    return {{ghosts.front(), there.front()}};
  std::vector<seen_box> all;
  for(auto to = ghosts.begin(), from = there.begin(); to != ghosts.end() && from != there.end();) {
    const std::int64_t n = std::min(to->length(0), from->length(0));
    all.push_back({*to, *from});
    all.back().ghosts.hi[0] = to->lo[0] += n;
    all.back().there.hi[0] = from->lo[0] += n;
    to += to->empty() ? 1 : 0;
    from += from->empty() ? 1 : 0;
  }
  return all;
}

} // namespace

std::vector<block_limits> limits_of(
  const topology_state& t, const local_elements& elements, const limited_field& field) {
  std::vector<block_limits> all(elements.owned.size());
  for(std::size_t c = 0; c != all.size(); ++c) {
    all[c].field = field.name;
    all[c].color = t.is_replicated() ? 0 : t.mine()[c];
    all[c].mesh = t.outline();
    all[c].has_thinner_halo = field.thinner_halo >= 0;
    if(all[c].has_thinner_halo)
      all[c].mesh.halo.fill(field.thinner_halo);
    all[c].owned = elements.owned[c].bounds();
    all[c].inside =
      all[c].mesh.has_points ? intersection(all[c].owned, all[c].mesh.points) : all[c].owned;
    all[c].value_size = field.value_size;
    all[c].still = std::make_shared<still_record>();
    all[c].asked = std::make_shared<asked_record>();
  }
  for(const exchange_plan::copy& copy : elements.plan.copies) {
    block_limits& sees = all[copy.destination];
    block_limits& owns = all[copy.source];
    for(const seen_box& b : seen_boxes(copy)) {
      sees.still->of_others.push_back({sees.ghosts.size(), &owns, b.there});
      sees.ghosts.push_back(b.ghosts);
    }
    owns.still->seen_by.push_back(&sees);
  }
  for(const exchange_plan::message& m : elements.plan.incoming)
    for(const exchange_plan::part& p : m.parts)
      for(const box<3>& b : p.elements.boxes())
        all[p.color].ghosts.push_back(b);
  return all;
}

} // namespace rondo::detail::inline distributed
