#pragma once

/// \file
/// The order of a part's cells across which it is cut: along the longest side of the box around their centers; of cells at the
/// same coordinate, along the next shorter side; and so on. So where many cells are at the same coordinate, as in a mesh with a
/// structure, the cut goes along a line (in 3 dimensions: a plane), and has one step in it where the counts ask for it.
///
/// Coordinates are rounded to 2^-21 of the longest side. Centers are means, so of centers that ought to be at the same coordinate
/// some are off by the last bits of a double; an order by these bits would be random, and the cut ragged. To the nearest multiple:
/// coordinates are often simple fractions of the side, and as the number of steps is a power of two, these don't lie where it is
/// rounded up or down. Parts are rounded each for itself, so that meshes may be finer by orders of magnitude in some
/// places than in others.

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <rondo/meshes/mesh_piece.hpp>

namespace rondo::detail::inline meshes {

/// The least box around the centers of a part.
struct center_box {
  position least = all(std::numeric_limits<double>::infinity());
  position most = all(-std::numeric_limits<double>::infinity());

  void include(const position& at);

private:
  static constexpr position all(double x) { return {x, x, x}; }
};

class cut_order {
public:
  /// Of the box around the whole part, not only around the cells of a rank.
  explicit cut_order(const center_box& around);

  /// Below 2^63; cells with a lower one come first.
  [[nodiscard]] std::uint64_t key(const position& at) const;

private:
  std::array<std::size_t, 3> axes_{0, 1, 2}; ///< The one with the longest side first.
  position least_{};                         ///< Halves: a box may be larger than any double.
  double side_ = 0;
};

} // namespace rondo::detail::inline meshes
