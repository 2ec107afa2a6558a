#pragma once

/// \file
/// The unstructured meshes of random programs: boxes of triangles or tetrahedra with holes, whose vertices have any numbers.

#include <array>
#include <cstdint>

#include <rondo/distributed/color_set.hpp>
#include <rondo/meshes/mesh_piece.hpp>

namespace random_programs {

struct tiling {
  unsigned dimension = 2;
  std::array<std::int64_t, 3> extents{1, 1, 1};
  std::uint64_t holes = 0; ///< A seed. 0: there are none.
  std::uint64_t colors = 1;
  unsigned layers = 1;
  bool over_faces = false;
  std::uint64_t cut = 0; ///< A seed. 0: Rondo cuts it, and only Rondo knows how.
};

/// A part of it, for Rondo; the whole is part 0 of 1.
[[nodiscard]] rondo::mesh_piece piece_of(const tiling& t, unsigned part, unsigned parts);

/// Which color a cell belongs to, by `cut`. Each color has some.
[[nodiscard]] rondo::color_id color_of(const tiling& t, std::uint64_t cell, std::uint64_t cells);

} // namespace random_programs
