#pragma once

/// \file
/// What random programs do with ragged fields over unstructured meshes, on whole arrays.

#include <cstdint>
#include <vector>

#include "plan.hpp"
#include "tasks.hpp"
#include "tile_links.hpp"
#include "tile_rows.hpp"

namespace random_programs {

class tile_rows_alone {
public:
  tile_rows_alone(const tiling& t, const tile_links& links);

  /// `tiles`: the field without rows that the launch has.
  void launch(deed what, const who& w, const tile_links& links, std::vector<std::uint64_t>& tiles);
  [[nodiscard]] std::vector<std::uint64_t> digests(const tile_links& links) const;

private:
  using row = std::vector<std::uint64_t>;

  void append_beside(const who& w, const tile_links& links);
  void append_to_corners(const who& w, const tile_links& links);

  row_reader read_;
  std::vector<row> of_tiles_;
  std::vector<row> of_corners_;
};

} // namespace random_programs
