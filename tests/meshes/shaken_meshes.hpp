#pragma once

/// \file
/// Meshes without lines that a plane could go along.

#include <cstddef>
#include <cstdint>

#include "meshes/pieces.hpp"

#include <rondo/meshes/boxes.hpp>

namespace shaken_meshes {

/// Turned, and with vertices moved by some part of the distance between them: so no plane across an axis goes along lines.
inline rondo::mesh_piece shaken(rondo::mesh_piece whole, double distance, std::uint64_t seed) {
  for(std::size_t v = 0; v != whole.positions.size(); ++v) {
    rondo::position& at = whole.positions[v];
    for(std::size_t a = 0; a != whole.dimension; ++a)
      at[a] += distance * (static_cast<double>(pieces::draw(seed, 3 * v + a, 0, 1000)) / 1000 - .5);
    at = {at[0] + .6 * at[1], at[1] - .6 * at[0], at[2] + .3 * at[1]};
  }
  return pieces::shuffled(whole, seed);
}
inline rondo::mesh_piece triangles(std::int64_t n, std::uint64_t seed) {
  return shaken(rondo::box_of_triangles{n, n}(0, 1), .9 / static_cast<double>(n), seed);
}
inline rondo::mesh_piece tetrahedra(std::int64_t n, std::uint64_t seed) {
  return shaken(rondo::box_of_tetrahedra{n, n, n}(0, 1), .9 / static_cast<double>(n), seed);
}

} // namespace shaken_meshes
