#pragma once

/// \file
/// Makes a mesh of its pieces: cuts it, brings cells to the ranks of their colors, finds what these see of each other, and numbers all.

#include <rondo/distributed/team.hpp>
#include <rondo/meshes/color_mesh.hpp>
#include <rondo/meshes/cut.hpp>
#include <rondo/meshes/mesh_piece.hpp>

namespace rondo::detail::inline meshes {

struct assembly_options {
  color_id colors = 1;
  cut_function cut = cut_refined;
  unsigned ghost_layers = 1;
  element_kind over =
    element_kind::vertices; ///< Or faces: what a cell has in common with those that it sees.
  mesh_wish wish{};
};

/// All ranks of the team call it, each with its piece. Throws std::invalid_argument if the pieces are no mesh, and says why.
[[nodiscard]] mesh_of_rank assemble(team& all, mesh_piece piece, const assembly_options& o);

} // namespace rondo::detail::inline meshes
