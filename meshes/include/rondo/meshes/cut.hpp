#pragma once

/// \file
/// Which color each cell of a mesh belongs to.
///
/// A cut depends on the mesh and on the number of colors alone, never on the ranks that make it: so colors have the same cells, and
/// results the same bits, on any number of ranks.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <rondo/distributed/color_set.hpp>
#include <rondo/distributed/team.hpp>
#include <rondo/meshes/mesh_piece.hpp>

namespace rondo {

/// The cells of a rank, before they are cut.
struct uncut_cells {
  std::int64_t first;                ///< The number of the first one; the others follow it.
  std::int64_t in_all;               ///< On all ranks.
  std::span<const position> centers; ///< Of each: the mean of its corners.
};

/// Called by all ranks of the team. Returns a color, below `colors`, for each cell of the rank.
using cut_function = std::function<std::vector<color_id>(
  detail::team& all, const uncut_cells& cells, color_id colors)>;

/// Halves the cells by a plane across the axis along which they extend farthest, and each half again; where the number of colors is
/// odd, one part has one more. Colors have the same number of cells, up to one. Colors with consecutive numbers lie side by side.
[[nodiscard]] std::vector<color_id> cut_by_bisection(
  detail::team& all, const uncut_cells& cells, color_id colors);

} // namespace rondo
