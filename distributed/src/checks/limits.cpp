#include "limits.hpp"

#include "still.hpp"

namespace rondo::detail::inline distributed {

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
  }
  for(const exchange_plan::copy& copy : elements.plan.copies) {
    block_limits& sees = all[copy.destination];
    block_limits& owns = all[copy.source];
    sees.still->of_others.push_back({sees.ghosts.size(), &owns, copy.from.bounds()});
    owns.still->seen_by.push_back(&sees);
    sees.ghosts.push_back(copy.to.bounds());
  }
  for(const exchange_plan::message& m : elements.plan.incoming)
    for(const exchange_plan::part& p : m.parts)
      all[p.color].ghosts.push_back(p.elements.bounds());
  return all;
}

} // namespace rondo::detail::inline distributed
