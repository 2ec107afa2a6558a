#pragma once

/// \file
/// The rows of a matrix as ranks have handed them in, before they are cut.

#include <cstdint>

#include <rondo/distributed/team.hpp>
#include <rondo/meshes/cut.hpp>
#include <rondo/meshes/sparse_piece.hpp>

#include "../cut/ranks_of_cells.hpp"

namespace rondo::detail::inline meshes {

struct uncut_rows {
  sparse_piece piece;
  std::int64_t first = 0; ///< The number of the first row of this rank,
  std::int64_t in_all = 0;
  std::int64_t entries_in_all = 0;
  bool has_values = false;

  [[nodiscard]] bool has(std::int64_t row) const {
    return row >= first && row < first + static_cast<std::int64_t>(piece.rows());
  }
};

/// Called by all ranks of the team. Throws std::invalid_argument on all of them if the pieces are no matrix.
[[nodiscard]] uncut_rows checked_rows(team& all, sparse_piece piece);

/// Of each row those that have it as a column, or that it has: whatever a cut does for one of two, it does for the other one. Called by all ranks of
/// the team.
[[nodiscard]] cell_graph graph_of_rows(
  team& all, const uncut_rows& rows, const ranks_of_cells& ranks);

} // namespace rondo::detail::inline meshes
