#pragma once

/// \file
/// The border between two colors, and how it gets shorter: cells change from one color to the other, as many in both directions.

#include <array>
#include <cstdint>
#include <vector>

namespace rondo::detail::inline meshes {

/// Cells of two colors, 0 and 1, that lie at the border between them. Others of these colors stay what they are.
struct border {
  struct cell {
    std::uint8_t color = 0;
    std::array<std::int32_t, 2>
      around{}; ///< So many cells that stay share a face with it, of each color.
  };
  std::vector<cell> cells{};
  std::vector<std::int32_t>
    linked{}; ///< Those that share a face with each: of all cells, one after the other,
  std::vector<std::int32_t> begins{0}; ///< and where those of each begin.
};

/// Follows from the order of the cells, so this is to be the same wherever it is called. Returns how many faces between the colors
/// there are less.
std::int64_t shorten(border& b);

} // namespace rondo::detail::inline meshes
