#pragma once

/// \file
/// Places along a curve that fills space: what is close on it is close in space, and mostly the other way round.

#include <array>
#include <cstdint>

#include <rondo/meshes/mesh_piece.hpp>

namespace rondo::detail::inline meshes {

/// How far along Hilbert's curve through a box a point is.
class curve {
public:
  /// Through the box with these corners.
  curve(const position& least, const position& most);

  [[nodiscard]] std::uint64_t place(const position& p) const;

private:
  position least_;
  std::array<double, 3> scale_{}; ///< 0 of axes along which it doesn't extend.
};

} // namespace rondo::detail::inline meshes
