#pragma once

// Explicit heat on triangles, cell by cell, the same for Rondo and for MPI by hand:
//
//   to(c) = u(c) + part * sum over the neighbours n of c over its sides: u(n) - u(c)

#include <cstdint>

namespace bench::unstructured {

// Of a difference, what goes over a side; stable up to 1/4.
constexpr double part = 0.2;

// Different on all ranks, and no sum that hides a cell that was left out.
inline double start(std::int64_t id) {
  return 1 + 0.25 * static_cast<double>((id * 7 + id / 1013) % 32);
}

// `u` takes numbers of cells, and `neighbours` can be iterated over.
template<class Values, class Cell, class Row>
inline double next(const Values& u, Cell c, const Row& neighbours) {
  const double own = u(c);
  double flow = 0;
  for(const auto n : neighbours)
    flow += u(n) - own;
  return own + part * flow;
}

} // namespace bench::unstructured
