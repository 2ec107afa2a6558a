#pragma once

/// \file
/// Numbers the elements of colors: what a color owns, in an order that is good for caches, and what it sees of others, in the order in
/// which these have it.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <rondo/distributed/team.hpp>
#include <rondo/meshes/color_mesh.hpp>

#include "deal.hpp"
#include "entity_key.hpp"

namespace rondo::detail::inline meshes {

/// The elements of one kind of a color, by the numbers that they have on this rank.
struct unnumbered {
  std::vector<std::int32_t> owned; ///< In the order that they should have.
  struct ghost {
    color_id owner;
    std::int32_t what;
  };
  std::vector<ghost> ghosts;
};

/// What is numbered: one kind of elements, as far as this rank knows them.
struct numbered_kind {
  std::size_t known; ///< So many.
  std::function<entity_key(std::int32_t)> key;
  std::function<std::int32_t(const entity_key&)> find;
  bool keeps_order =
    false; ///< What others see of a color is not moved behind the rest; then nothing is `inner`.
};

/// Fills in those of each color of this rank, and returns which element of this rank each of a color's is: first what it owns.
[[nodiscard]] std::vector<std::vector<std::int32_t>> number_elements(team& all,
  const numbered_kind& kind, const std::vector<color_id>& mine, std::vector<unnumbered> colors,
  const rank_of_color& rank_of, const std::function<color_elements&(std::size_t)>& into);

} // namespace rondo::detail::inline meshes
