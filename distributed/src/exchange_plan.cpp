#include <rondo/distributed/exchange_plan.hpp>

#include <algorithm>
#include <ostream>
#include <stdexcept>
#include <string>

#include <rondo/distributed/index_space.hpp>
#include <rondo/distributed/partition.hpp>
#include <rondo/distributed/structured_points.hpp>

#include "loose_part.hpp"

namespace rondo {

exchange_plan plan_exchange(const detail::partition& cut, const detail::index_space& space) {
  exchange_plan plan;
  plan.rank = cut.rank();
  plan.ranks = cut.ranks();
  plan.colors = cut.mine();
  std::vector<detail::loose_part> outgoing, incoming;
  for(std::size_t local = 0; local != plan.colors.size(); ++local) {
    const color_id color = plan.colors[local];
    for(const detail::neighbour& n : space.neighbours(color)) {
      ++plan.looked_at;
      if(plan.colors.contains(n.color)) {
        if(n.ghosts.size() != 0)
          plan.copies.push_back({plan.colors.local(n.color), n.source, local, n.ghosts});
        continue;
      }
      const unsigned peer = cut.rank_of(n.color);
      if(n.ghosts.size() != 0)
        incoming.push_back({peer, color, n.number, local, n.color, n.ghosts});
      if(n.rim.size() != 0)
        outgoing.push_back({peer, n.color, n.number_there, local, n.color, n.rim});
    }
  }
  plan.outgoing = detail::assemble(outgoing);
  plan.incoming = detail::assemble(incoming);
  return plan;
}

template<std::size_t D>
exchange_plan plan_exchange(const structured_coloring<D>& mesh, unsigned ranks, unsigned rank) {
  const distribution who = mesh.over(ranks);
  if(rank >= ranks)
    throw std::invalid_argument("rondo::plan_exchange: rank " + std::to_string(rank) + " of " +
                                std::to_string(ranks) + "; ranks count from 0");
  return plan_exchange(detail::partition(who, rank), detail::structured_points<D>(mesh));
}

template exchange_plan plan_exchange(const structured_coloring<1>&, unsigned, unsigned);
template exchange_plan plan_exchange(const structured_coloring<2>&, unsigned, unsigned);
template exchange_plan plan_exchange(const structured_coloring<3>&, unsigned, unsigned);

std::span<const exchange_plan::copy> exchange_plan::copies_into(std::size_t destination) const {
  const auto at = [&](std::size_t c) {
    return std::lower_bound(copies.begin(), copies.end(), c,
      [](const copy& one, std::size_t color) { return one.destination < color; });
  };
  return {at(destination), at(destination + 1)};
}

std::string describe(const exchange_plan& plan) {
  const auto number = [](auto n) { return std::to_string(n); };
  const auto color = [&plan](std::size_t c) { return std::to_string(plan.number_of(c)); };
  std::string text = "rank " + number(plan.rank) + " of " + number(plan.ranks) + ": colors " +
                     describe(plan.colors) + "\n";
  for(const auto& c : plan.copies)
    text += "  copy color " + color(c.source) + " " + describe(c.from) + " to color " +
            color(c.destination) + " " + describe(c.to) + "\n";
  const auto list = [&](const auto& messages, const char* direction, const char* other) {
    for(const auto& m : messages) {
      text += std::string("  ") + direction + " rank " + number(m.peer) + ": " + number(m.size) +
              " elements\n";
      for(const auto& p : m.parts)
        text += "    at " + number(p.offset) + ": color " + color(p.color) + " " +
                describe(p.elements) + " " + other + " color " + number(p.peer_color) + "\n";
    }
  };
  list(plan.outgoing, "to", "for");
  list(plan.incoming, "from", "from");
  return text;
}

std::ostream& operator<<(std::ostream& out, const exchange_plan& plan) {
  return out << describe(plan);
}

} // namespace rondo
