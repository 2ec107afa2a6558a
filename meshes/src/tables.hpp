#pragma once

/// \file
/// Which elements of a color belong to which.

#include <cstdint>
#include <span>
#include <vector>

#include <rondo/meshes/color_mesh.hpp>

namespace rondo::detail::inline meshes {

/// The cells that a color has and sees, and what these consist of, all by the color's numbers.
struct local_cells {
  unsigned dimension = 0;
  std::int64_t cells = 0;
  /// Of each kind, for all cells one after the other: its faces, its edges, its vertices.
  std::array<std::vector<std::int32_t>, element_kinds> parts;
  std::array<std::vector<std::int32_t>, element_kinds> begins;
  /// In the whole mesh, of kinds that have them.
  std::array<std::span<const std::int64_t>, element_kinds> ids;

  [[nodiscard]] std::span<const std::int32_t> of(element_kind k, std::int64_t cell) const {
    const auto& b = begins[index_of(k)];
    const auto c = static_cast<std::size_t>(cell);
    return std::span(parts[index_of(k)])
      .subspan(static_cast<std::size_t>(b[c]), static_cast<std::size_t>(b[c + 1] - b[c]));
  }
};

/// Any table but those of cells' parts. A row of cells or vertices is in the order of their ids, which is the same for all colors, but for the
/// vertices of a face, which go around it as in the first one of its cells. Other rows are in the order of the color's numbers.
[[nodiscard]] element_table make_table(
  const local_cells& cells, element_kind from, element_kind to, std::int64_t rows);

} // namespace rondo::detail::inline meshes
