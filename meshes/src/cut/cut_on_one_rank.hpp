#pragma once

/// \file
/// Cuts by libraries that want the whole mesh: one rank gets which cells share faces, cuts alone, and tells the others.

#include <functional>
#include <string>
#include <vector>

#include <rondo/distributed/color_set.hpp>
#include <rondo/distributed/team.hpp>
#include <rondo/meshes/cut.hpp>

namespace rondo::detail::inline meshes {

struct whole_cut {
  std::string name; ///< For messages: "rondo::cut_by_metis".
  /// Returns a color for each cell of the mesh. Called on rank 0, of more than one color; what it throws all ranks throw.
  std::function<std::vector<color_id>(const cell_graph& whole, color_id colors)> colors_of;
};

/// As a cut_function.
[[nodiscard]] std::vector<color_id> cut_on_one_rank(
  team& all, const uncut_cells& cells, color_id colors, const whole_cut& how);

/// For builds without the library: throws std::runtime_error, which names it and its package.
[[noreturn]] void refuse_cut(
  const std::string& name, const std::string& library, const std::string& package);

} // namespace rondo::detail::inline meshes
