#pragma once

/// \file
/// Unstructured meshes of simple shapes, of any size: for tests, and for programs until they have a mesh of their own.
///
/// \code
///   mesh m{s, box_of_triangles{1000, 500}, {.colors = 16}};       // of a million triangles
///   const mesh_set left = m.find("left");
/// \endcode
///
/// Their ends are sets: "left" and "right" along x, "bottom" and "top" along the last axis, and of tetrahedra "front" and "back" along y.

#include <array>
#include <cstdint>

#include <rondo/meshes/mesh_piece.hpp>

namespace rondo {

/// A rectangle of `x` times `y` squares, each in two triangles. Squares have sides of length 1 / x, so the first side of the rectangle is 1.
struct box_of_triangles {
  std::int64_t x = 1;
  std::int64_t y = 1;
  [[nodiscard]] mesh_piece operator()(unsigned part, unsigned parts) const;
};

/// The same of cubes, with edges of length 1 / x, each in six tetrahedra around one of its diagonals.
struct box_of_tetrahedra {
  std::int64_t x = 1;
  std::int64_t y = 1;
  std::int64_t z = 1;
  [[nodiscard]] mesh_piece operator()(unsigned part, unsigned parts) const;
};

} // namespace rondo
