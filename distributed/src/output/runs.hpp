#pragma once

/// \file
/// Where in an array of a file the elements of a color are.

#include <cstddef>
#include <cstdint>
#include <utility>

#include <rondo/distributed/box.hpp>
#include <rondo/distributed/selection.hpp>
#include <rondo/distributed/stored.hpp>

namespace rondo::detail::inline distributed {

/// The number of the first point of a row of a box, in the order of those of the whole mesh.
inline std::int64_t number_of_first(
  const box<3>& points, const box<3>& whole, std::int64_t row, std::int64_t plane) {
  return ((points.lo[2] + plane - whole.lo[2]) * whole.length(1) + points.lo[1] + row -
           whole.lo[1]) *
           whole.length(0) +
         points.lo[0] - whole.lo[0];
}

/// Calls `f(bytes in the field's part of the file, first byte in memory, how many)` for each run of points that is a run
/// in the file as well.
template<class F>
void for_each_run(const box<3>& points, const box<3>& whole, std::size_t size, const F& f) {
  if(points.empty())
    return;
  std::int64_t length = points.length(0);
  std::int64_t rows = points.length(1);
  std::int64_t planes = points.length(2);
  if(length == whole.length(0)) {
    length *= std::exchange(rows, 1);
    if(points.length(1) == whole.length(1))
      length *= std::exchange(planes, 1);
  }
  std::int64_t in_memory = 0;
  for(std::int64_t k = 0; k != planes; ++k)
    for(std::int64_t j = 0; j != rows; ++j) {
      f(static_cast<std::uint64_t>(number_of_first(points, whole, j, k)) * size,
        static_cast<std::size_t>(in_memory) * size, static_cast<std::size_t>(length) * size);
      in_memory += length;
    }
}

/// The values that an index has for a color, and those of a global topology.
inline selection first_values(std::uint64_t count) {
  return selection::of(box<1>{{0}, {static_cast<std::int64_t>(count)}});
}

/// What a color has of a field.
inline selection elements_of(const stored_mesh& m, std::size_t c, stored_for what) {
  return is_of_mesh(what) ? m.colors[c].selected(what) : first_values(1);
}

} // namespace rondo::detail::inline distributed
