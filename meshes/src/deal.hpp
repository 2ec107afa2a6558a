#pragma once

/// \file
/// Brings cells to the ranks of their colors.

#include <functional>

#include <rondo/distributed/color_set.hpp>
#include <rondo/distributed/team.hpp>
#include <rondo/meshes/cut.hpp>
#include <rondo/meshes/mesh_piece.hpp>

#include "known_cells.hpp"

namespace rondo::detail::inline meshes {

/// Which rank of the team has a color.
using rank_of_color = std::function<unsigned(color_id)>;

/// Throws std::invalid_argument if the piece is no part of a mesh: a cell without a position of its corners, say.
[[nodiscard]] known_cells deal(team& all, mesh_piece piece, color_id colors,
  const cut_function& cut, const rank_of_color& rank_of);

} // namespace rondo::detail::inline meshes
