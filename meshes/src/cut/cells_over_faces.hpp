#pragma once

/// \file
/// Which cells share a face, of cells that lie on ranks as they have come: before they are cut.

#include <cstdint>
#include <span>

#include <rondo/distributed/team.hpp>
#include <rondo/meshes/cut.hpp>

#include "entity_key.hpp"

namespace rondo::detail::inline meshes {

/// The cells of a rank, with the vertices numbered on this rank.
struct cells_of_rank {
  unsigned dimension;
  std::int64_t first; ///< The number of the first cell in the mesh.
  const key_numbers& vertices;
  std::span<const std::int32_t> corners; ///< Of all cells,
  std::span<const std::int64_t> begins;  ///< and where those of each begin.

  [[nodiscard]] std::size_t size() const { return begins.size() - 1; }
  [[nodiscard]] std::span<const std::int32_t> corners_of(std::size_t cell) const {
    return corners.subspan(static_cast<std::size_t>(begins[cell]),
      static_cast<std::size_t>(begins[cell + 1] - begins[cell]));
  }
};

/// Called by all ranks of the team. If more than two cells have a face, each of them has all others.
[[nodiscard]] cell_graph cells_over_faces(team& all, const cells_of_rank& cells);

} // namespace rondo::detail::inline meshes
