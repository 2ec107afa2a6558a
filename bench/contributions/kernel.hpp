#pragma once

// Diffusion face by face, the same for Rondo and for MPI by hand: each face between two inner vertices is looked at once,
// and changes both, so a block changes vertices of its neighbours.
//
//   to = c;  for each face (a, b):  x = part (c[a] - c[b]),  to[a] -= x,  to[b] += x

#include "solver/kernel.hpp"

namespace bench::contributions {

using solver::coord;

// Of a difference, what goes through the face; stable up to 1/4.
constexpr double part = 0.2;

// The vertices that a face to the left, or below, is of.
constexpr coord first_with_face = 2;

// Different on all blocks, and no sum that hides a face that was left out.
inline double start(coord i, coord j) {
  return 1 + 0.25 * static_cast<double>((i * 7 + j * 13) % 32);
}

// Faces on the left of the vertices [begin, end) of a row.
inline void along(double* to, const double* c, coord begin, coord end) {
  for(coord i = begin; i < end; ++i) {
    const double x = part * (c[i - 1] - c[i]);
    to[i - 1] -= x;
    to[i] += x;
  }
}

// Faces between the vertices [begin, end) of a row and those of the row below.
inline void across(
  double* to, double* to_below, const double* c, const double* below, coord begin, coord end) {
  for(coord i = begin; i < end; ++i) {
    const double x = part * (below[i] - c[i]);
    to_below[i] -= x;
    to[i] += x;
  }
}

} // namespace bench::contributions
