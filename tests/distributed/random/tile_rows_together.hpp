#pragma once

/// \file
/// What random programs do with ragged fields over unstructured meshes, with a scheduler.

#include <cstdint>
#include <vector>

#include <rondo/rondo.hpp>

#include "plan.hpp"
#include "tile_mesh.hpp"
#include "tile_rows.hpp"

namespace random_programs {

class tile_rows_together {
public:
  tile_rows_together(const tile_mesh& m, const tiling& t);

  /// As tiles_together::launch. `tiles`: the field without rows.
  template<class Given>
  void launch(rondo::scheduler& s, deed what, const tile_mesh& m,
    const rondo::field<std::uint64_t>& tiles, std::uint64_t id, const Given& given);
  std::vector<rondo::future<std::uint64_t>> digests(rondo::scheduler& s, const tile_mesh& m);

  using rows = rondo::field<rondo::ragged<std::uint64_t>>;
  [[nodiscard]] const rows& of_tiles() const { return of_tiles_; }
  [[nodiscard]] const rows& of_corners() const { return of_corners_; }
  [[nodiscard]] rows& of_tiles() { return of_tiles_; }
  [[nodiscard]] rows& of_corners() { return of_corners_; }

private:
  row_reader read_;
  rows of_tiles_;
  rows of_corners_;
};

} // namespace random_programs
