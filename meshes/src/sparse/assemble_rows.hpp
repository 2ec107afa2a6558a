#pragma once

/// \file
/// Makes a matrix of its pieces: cuts it, brings rows to the ranks of their colors, finds what these see of each other, and numbers all.

#include <rondo/distributed/team.hpp>
#include <rondo/meshes/cut.hpp>
#include <rondo/meshes/rows_space.hpp>
#include <rondo/meshes/sparse_piece.hpp>

namespace rondo::detail::inline meshes {

struct rows_options {
  color_id colors = 0; ///< 0 for so many for each rank, if there are as many rows:
  color_id for_each_rank = 4;
  cut_function cut = cut_by_distances;
  bool may_be_empty = false; ///< Colors without rows.
};

/// All ranks of the team call it, each with its piece. Throws std::invalid_argument if the pieces are no matrix, and says why.
[[nodiscard]] rows_of_rank assemble_rows(team& all, sparse_piece piece, const rows_options& o);

} // namespace rondo::detail::inline meshes
