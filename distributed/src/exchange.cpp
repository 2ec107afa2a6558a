#include <rondo/distributed/exchange.hpp>

#include <algorithm>
#include <ostream>
#include <stdexcept>
#include <string>
#include <tuple>

namespace rondo {

namespace {

/// A part of a message that is yet to get its place there.
template<std::size_t D>
struct loose_part {
  unsigned peer;
  color_id destination;
  unsigned direction; ///< from the destination to the source, as a number
  color_id color;
  color_id peer_color;
  box<D> points;

  /// The order of parts at both ends. Ranks have ranges of colors: of the incoming ones, those from
  /// the same peer are next to each other only because it comes first.
  [[nodiscard]] auto key() const { return std::tuple(peer, destination, direction); }
};

/// Directions as numbers, in the order of neighbours.
template<std::size_t D>
unsigned number_of(const point<D>& direction, std::int64_t sign) {
  unsigned number = 0;
  for(std::size_t a = D; a-- != 0;)
    number = 3 * number + static_cast<unsigned>(sign * direction[a] + 1);
  return number;
}

template<std::size_t D>
std::vector<typename exchange_plan<D>::message> assemble(std::vector<loose_part<D>>& parts) {
  std::sort(parts.begin(), parts.end(),
    [](const loose_part<D>& a, const loose_part<D>& b) { return a.key() < b.key(); });
  std::vector<typename exchange_plan<D>::message> messages;
  for(const loose_part<D>& p : parts) {
    if(messages.empty() || messages.back().peer != p.peer)
      messages.push_back({p.peer, 0, {}});
    auto& m = messages.back();
    m.parts.push_back({p.color, p.points, m.size, p.peer_color});
    m.size += static_cast<std::uint64_t>(p.points.size());
  }
  return messages;
}

} // namespace

template<std::size_t D>
exchange_plan<D> plan_exchange(const structured_coloring<D>& mesh, unsigned ranks, unsigned rank) {
  const distribution who = mesh.over(ranks);
  if(rank >= ranks)
    throw std::invalid_argument("rondo::plan_exchange: rank " + std::to_string(rank) + " of " +
                                std::to_string(ranks) + "; ranks count from 0");
  exchange_plan<D> plan;
  plan.rank = rank;
  plan.ranks = ranks;
  plan.colors = who.of(rank);

  std::vector<loose_part<D>> outgoing, incoming;
  for(color_id color = plan.colors.first; color != plan.colors.last; ++color)
    for(const color_neighbour<D>& n : mesh.neighbours(color)) {
      ++plan.looked_at;
      if(plan.colors.contains(n.color)) {
        plan.copies.push_back({n.color, n.seen_from_there(n.ghosts), color, n.ghosts});
        continue;
      }
      const unsigned peer = who.rank_of(n.color);
      incoming.push_back({peer, color, number_of(n.direction, 1), color, n.color, n.ghosts});
      outgoing.push_back({peer, n.color, number_of(n.direction, -1), color, n.color, n.rim});
    }
  plan.outgoing = assemble(outgoing);
  plan.incoming = assemble(incoming);
  return plan;
}

template<std::size_t D>
std::span<const typename exchange_plan<D>::copy> exchange_plan<D>::copies_into(
  color_id destination) const {
  const auto at = [&](color_id c) {
    return std::lower_bound(copies.begin(), copies.end(), c,
      [](const copy& one, color_id color) { return one.destination < color; });
  };
  return {at(destination), at(destination + 1)};
}

template<std::size_t D>
std::string describe(const exchange_plan<D>& plan) {
  const auto number = [](auto n) { return std::to_string(n); };
  std::string text = "rank " + number(plan.rank) + " of " + number(plan.ranks) + ": colors " +
                     number(plan.colors.first) + " to " + number(plan.colors.last - 1) + "\n";
  for(const auto& c : plan.copies)
    text += "  copy color " + number(c.source) + " " + describe(c.from) + " to color " +
            number(c.destination) + " " + describe(c.to) + "\n";
  const auto list = [&](const auto& messages, const char* direction, const char* other) {
    for(const auto& m : messages) {
      text += std::string("  ") + direction + " rank " + number(m.peer) + ": " + number(m.size) +
              " elements\n";
      for(const auto& p : m.parts)
        text += "    at " + number(p.offset) + ": color " + number(p.color) + " " +
                describe(p.points) + " " + other + " color " + number(p.peer_color) + "\n";
    }
  };
  list(plan.outgoing, "to", "for");
  list(plan.incoming, "from", "from");
  return text;
}

template<std::size_t D>
std::ostream& operator<<(std::ostream& out, const exchange_plan<D>& plan) {
  return out << describe(plan);
}

template struct exchange_plan<1>;
template struct exchange_plan<2>;
template struct exchange_plan<3>;
template exchange_plan<1> plan_exchange(const structured_coloring<1>&, unsigned, unsigned);
template exchange_plan<2> plan_exchange(const structured_coloring<2>&, unsigned, unsigned);
template exchange_plan<3> plan_exchange(const structured_coloring<3>&, unsigned, unsigned);
template std::string describe(const exchange_plan<1>&);
template std::string describe(const exchange_plan<2>&);
template std::string describe(const exchange_plan<3>&);
template std::ostream& operator<<(std::ostream&, const exchange_plan<1>&);
template std::ostream& operator<<(std::ostream&, const exchange_plan<2>&);
template std::ostream& operator<<(std::ostream&, const exchange_plan<3>&);

} // namespace rondo
