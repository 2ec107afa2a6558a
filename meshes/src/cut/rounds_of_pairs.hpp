#pragma once

/// \file
/// Which pairs of colors are worked on at the same time, and where: in a round no color is in two pairs, so what becomes of one pair
/// does not depend on the others.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <rondo/distributed/color_set.hpp>
#include <rondo/distributed/team.hpp>

namespace rondo::detail::inline meshes {

struct color_pair {
  color_id first = 0; ///< The lower one.
  color_id second = 0;

  friend constexpr auto operator<=>(const color_pair&, const color_pair&) = default;
};

struct pair_with_border {
  color_pair colors{};
  std::int64_t faces = 0; ///< Between them, of those that this rank counts.
};

struct turn_of_pair {
  static constexpr std::int32_t never = -1;

  std::int32_t round = never; ///< `never` if they have no faces between them.
  unsigned rank = 0;          ///< Works on it.
};

struct rounds_of_pairs {
  std::size_t rounds = 0;
  std::vector<turn_of_pair> turns{}; ///< Of the pairs that this rank has given.
};

/// Called by all ranks of the team. One rank gets all pairs: these are few, compared with cells. Follows from the pairs of all ranks and from
/// their faces, not from who has which; but for the ranks that work on them.
[[nodiscard]] rounds_of_pairs deal_rounds(team& all, std::span<const pair_with_border> own);

} // namespace rondo::detail::inline meshes
