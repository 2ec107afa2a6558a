#include <rondo/distributed/color_moves.hpp>

#include <algorithm>

namespace rondo::detail::inline distributed {

namespace {

void add(std::vector<color_moves::message>& messages, unsigned peer, std::size_t color) {
  const auto at = std::lower_bound(messages.begin(), messages.end(), peer,
    [](const color_moves::message& m, unsigned p) { return m.peer < p; });
  if(at != messages.end() && at->peer == peer)
    at->colors.push_back(color);
  else
    messages.insert(at, {peer, {color}});
}

} // namespace

color_moves moves_of(const distribution& who, unsigned rank) {
  color_moves moves;
  moves.share = who.share_of_rank(rank);
  const color_set mine = who.of(rank);
  for(std::size_t i = 0; i != mine.size(); ++i) {
    const unsigned to = who.sees_to(mine[i]);
    if(to == rank)
      moves.kept.push_back({i, static_cast<std::size_t>(mine[i] - moves.share.first)});
    else
      add(moves.outgoing, to, i);
  }
  for(color_id c = moves.share.first; c != moves.share.last; ++c)
    if(!mine.contains(c))
      add(moves.incoming, who.rank_of(c), static_cast<std::size_t>(c - moves.share.first));
  return moves;
}

} // namespace rondo::detail::inline distributed
