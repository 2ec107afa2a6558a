#pragma once

/// \file
/// What random programs do with unstructured meshes, on whole arrays.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "plan.hpp"
#include "tasks.hpp"
#include "tile_links.hpp"
#include "tile_rows_alone.hpp"
#include "tiling.hpp"

namespace random_programs {

class tiles_alone {
public:
  explicit tiles_alone(const tiling& t);

  /// Returns the result of reductions.
  std::optional<std::uint64_t> launch(const op& o, const who& w);
  [[nodiscard]] std::vector<std::uint64_t> digests() const;

private:
  struct file {
    std::array<std::vector<std::uint64_t>, 2> tiles;
    std::vector<std::uint64_t> on_corners;
    tile_rows_alone rows;
  };

  bool knows_all_around_corners_;
  tile_links links_;
  tile_rows_alone rows_;
  std::array<std::vector<std::uint64_t>, 2> tiles_;
  std::vector<std::uint64_t> on_corners_;
  std::vector<std::uint64_t> on_sides_;
  file saved_;
};

} // namespace random_programs
