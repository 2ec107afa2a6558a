#include <rondo/distributed/contribution_plan.hpp>

#include <algorithm>

namespace rondo::detail::inline distributed {

std::vector<std::vector<contribution>> order_contributions(const exchange_plan& plan) {
  std::vector<std::vector<contribution>> to_color(plan.colors.size());
  for(const exchange_plan::copy& c : plan.copies)
    to_color[c.source].push_back(
      {plan.number_of(c.destination), false, c.destination, 0, &c.to, &c.from});
  for(std::size_t m = 0; m != plan.outgoing.size(); ++m)
    for(const exchange_plan::part& p : plan.outgoing[m].parts)
      to_color[p.color].push_back({p.peer_color, true, m, p.offset, nullptr, &p.elements});
  // Copies, and the parts of a message, are in the order of those that see the elements, and, of one of these, of its neighbours.
  // All that one color contributes is in one list or in one message.
  const auto comes_before = [](const contribution& a, const contribution& b) {
    return a.neighbour < b.neighbour;
  };
  for(auto& all : to_color)
    std::stable_sort(all.begin(), all.end(), comes_before);
  return to_color;
}

} // namespace rondo::detail::inline distributed
