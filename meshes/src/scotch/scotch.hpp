#pragma once

/// \file
/// Cuts a graph by Scotch; only there if Rondo was built with it.

#include <vector>

#include <rondo/distributed/color_set.hpp>
#include <rondo/meshes/cut.hpp>

namespace rondo::detail::inline meshes {

/// The graph has all cells of the mesh. Throws std::runtime_error if Scotch can't.
[[nodiscard]] std::vector<color_id> colors_by_scotch(const cell_graph& graph, color_id colors);

} // namespace rondo::detail::inline meshes
