#pragma once

/// \file
/// Which cells of others a color sees: those that have a vertex, or a face, with one of its own, and so on, layer by layer.

#include <cstdint>
#include <vector>

#include <rondo/distributed/team.hpp>

#include "cell_parts.hpp"
#include "deal.hpp"
#include "known_cells.hpp"

namespace rondo::detail::inline meshes {

struct layers_wish {
  unsigned depth = 1;
  element_kind over = element_kind::vertices; ///< Or faces.
};

/// Makes the cells known that colors of this rank see of other ranks. Returns which of its own cells others see.
[[nodiscard]] std::vector<bool> fetch_layers(
  team& all, known_cells& cells, const layers_wish& wish);

/// For each color, of which this rank has those of its own cells: the cells that it sees of other colors.
[[nodiscard]] std::vector<std::vector<std::int32_t>> seen_by_colors(
  const known_cells& cells, const std::vector<color_id>& mine, const layers_wish& wish);

} // namespace rondo::detail::inline meshes
