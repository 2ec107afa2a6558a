#pragma once

/// \file
/// What random programs do with unstructured meshes, on whole arrays.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "plan.hpp"
#include "tasks.hpp"
#include "tiling.hpp"

namespace random_programs {

class tiles_alone {
public:
  explicit tiles_alone(const tiling& t);

  /// Returns the result of reductions.
  std::optional<std::uint64_t> launch(const op& o, const who& w);
  [[nodiscard]] std::vector<std::uint64_t> digests() const;

private:
  using numbers = std::vector<std::size_t>;

  bool knows_all_around_corners_;
  std::vector<std::uint64_t> ids_of_corners_; ///< That the program has given.
  std::vector<std::uint64_t> keys_of_sides_;
  std::vector<numbers> corners_; ///< Of each tile.
  std::vector<numbers> sides_;
  std::vector<numbers> beside_; ///< Over a side.
  std::vector<numbers> tiles_of_corner_;
  std::vector<numbers> tiles_of_side_;
  std::array<std::vector<std::uint64_t>, 2> tiles_;
  std::vector<std::uint64_t> on_corners_;
  std::vector<std::uint64_t> on_sides_;
};

} // namespace random_programs
