#include "ranks_of_cells.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace rondo::detail::inline meshes {

ranks_of_cells::ranks_of_cells(team& all, const uncut_cells& cells) {
  std::vector<std::int64_t> told(2 * std::size_t{all.ranks()});
  told[2 * all.rank()] = cells.first;
  told[2 * all.rank() + 1] = static_cast<std::int64_t>(cells.centers.size());
  all.add_up(told);
  for(unsigned r = 0; r != all.ranks(); ++r)
    if(told[2 * r + 1] != 0)
      ranks_.emplace_back(told[2 * r], r);
  std::ranges::sort(ranks_);
}

unsigned ranks_of_cells::rank_of(std::int64_t cell) const {
  const auto behind =
    std::ranges::upper_bound(ranks_, cell, {}, [](const auto& rank) { return rank.first; });
  return std::prev(behind)->second;
}

} // namespace rondo::detail::inline meshes
