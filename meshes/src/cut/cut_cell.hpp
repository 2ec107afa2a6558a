#pragma once

/// \file
/// A cell while its mesh is cut.

#include <compare>
#include <cstdint>

#include <rondo/meshes/mesh_piece.hpp>

namespace rondo::detail::inline meshes {

/// Where a cell stands in the order of its part's cells. No two cells stand at the same place.
struct cut_place {
  std::uint64_t key = 0; ///< From its center, below 2^63; see cut_order.hpp.
  std::int64_t number = 0;

  friend constexpr auto operator<=>(const cut_place&, const cut_place&) = default;
};

struct cut_cell {
  position at{};
  cut_place place;
};

} // namespace rondo::detail::inline meshes
