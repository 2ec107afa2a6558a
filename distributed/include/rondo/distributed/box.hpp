#pragma once

/// \file
/// Boxes of points: what meshes are cut into, and what is copied between the pieces.
///
/// \code
///   const box<2> mine{{0, 0}, {8, 4}};                  // 8 x 4 points
///   const box<2> above{{0, 4}, {8, 8}};
///   const box<2> ghosts = intersection(mine.grown(1), above);   // [0, 8) x [4, 5)
///   ghosts.for_each_row([&](point<2> first, std::int64_t length) { ... });
/// \endcode
///
/// Axis 0 is the fastest in memory: a row is a run of points along it.

#include <array>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <utility>

#include <rondo/core/two_numbers.hpp>

namespace rondo {

/// A place in a mesh, or a number of points along each axis.
template<std::size_t D>
using point = std::array<std::int64_t, D>;

/// The points p with `lo[a] <= p[a] < hi[a]` along each axis a.
template<std::size_t D>
struct box {
  static_assert(D >= 1 && D <= 3);

  point<D> lo{};
  point<D> hi{};

  [[nodiscard]] constexpr std::int64_t length(std::size_t axis) const {
    return detail::larger_of(hi[axis] - lo[axis], std::int64_t{0});
  }
  /// How many points.
  [[nodiscard]] constexpr std::int64_t size() const {
    std::int64_t n = 1;
    for(std::size_t a = 0; a != D; ++a)
      n *= length(a);
    return n;
  }
  [[nodiscard]] constexpr bool empty() const {
    for(std::size_t a = 0; a != D; ++a)
      if(hi[a] <= lo[a])
        return true;
    return false;
  }

  [[nodiscard]] constexpr bool contains(const point<D>& p) const {
    for(std::size_t a = 0; a != D; ++a)
      if(p[a] < lo[a] || p[a] >= hi[a])
        return false;
    return true;
  }
  /// The empty box is in every box.
  [[nodiscard]] constexpr bool contains(const box& other) const {
    if(other.empty())
      return true;
    for(std::size_t a = 0; a != D; ++a)
      if(other.lo[a] < lo[a] || other.hi[a] > hi[a])
        return false;
    return true;
  }

  /// With so many points more at both ends of each axis.
  [[nodiscard]] constexpr box grown(const point<D>& by) const {
    box b = *this;
    for(std::size_t a = 0; a != D; ++a) {
      b.lo[a] -= by[a];
      b.hi[a] += by[a];
    }
    return b;
  }
  [[nodiscard]] constexpr box grown(std::int64_t by) const {
    point<D> all{};
    all.fill(by);
    return grown(all);
  }
  [[nodiscard]] constexpr box shifted(const point<D>& by) const {
    box b = *this;
    for(std::size_t a = 0; a != D; ++a) {
      b.lo[a] += by[a];
      b.hi[a] += by[a];
    }
    return b;
  }

  /// Calls `f(first point, number of points)` for each row, in the order of memory.
  template<class F>
  constexpr void for_each_row(F&& f) const {
    if(empty())
      return;
    point<D> first = lo;
    for(;;) {
      f(std::as_const(first), length(0));
      std::size_t a = 1;
      for(; a < D && ++first[a] == hi[a]; ++a)
        first[a] = lo[a];
      if(a >= D)
        return;
    }
  }

  friend constexpr bool operator==(const box&, const box&) = default;
};

/// The points that are in both.
template<std::size_t D>
[[nodiscard]] constexpr box<D> intersection(const box<D>& a, const box<D>& b) {
  box<D> both;
  for(std::size_t i = 0; i != D; ++i) {
    both.lo[i] = detail::larger_of(a.lo[i], b.lo[i]);
    both.hi[i] = detail::larger_of(detail::smaller_of(a.hi[i], b.hi[i]), both.lo[i]);
  }
  return both;
}

/// As in "[0, 8) x [4, 5)".
template<std::size_t D>
std::string describe(const box<D>& b);

template<std::size_t D>
std::ostream& operator<<(std::ostream& out, const box<D>& b);

} // namespace rondo
