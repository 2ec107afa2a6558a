#pragma once

/// \file
/// What is beside what in an unstructured mesh of random programs.

#include <cstddef>
#include <cstdint>
#include <vector>

#include <rondo/distributed/color_set.hpp>

#include "tiling.hpp"

namespace random_programs {

struct tile_links {
  using numbers = std::vector<std::size_t>;

  explicit tile_links(const tiling& t);

  std::vector<std::uint64_t> ids_of_corners; ///< The ids that the program has given.
  std::vector<std::uint64_t> keys_of_sides;
  std::vector<numbers> corners; ///< Of each tile.
  std::vector<numbers> sides;
  std::vector<numbers> beside; ///< Over a side; ascending.
  std::vector<numbers> tiles_of_corner;
  std::vector<numbers> tiles_of_side;
  /// Owners. All are 0 where Rondo cuts.
  std::vector<rondo::color_id> colors_of_tiles;
  std::vector<rondo::color_id> colors_of_corners;
};

} // namespace random_programs
