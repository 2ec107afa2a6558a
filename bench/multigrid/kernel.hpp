#pragma once

// The arithmetic of bench multigrid, the same for Rondo and for what is written by hand: what happens in one row of
// points. V(2,2) cycles of red and black sweeps for Poisson's equation on the unit square or cube, with the boundary's points
// as part of the mesh: n + 1 along each axis. f has the squared distance of points as a factor.
//
// `side` are the rows beside u's: two of them in two dimensions, four in three. Rows are worked on from point `begin`
// until before point `end`.

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace bench::multigrid {

using coord = std::int64_t;

// Points of one color: every second one.
template<class... Side>
void relax(double* u, const double* f, coord begin, coord end, const Side*... side) {
  constexpr double share = 1.0 / (2 + sizeof...(Side));
  for(coord i = begin; i < end; i += 2)
    u[i] = (u[i - 1] + u[i + 1] + (side[i] + ...) + f[i]) * share;
}

template<class... Side>
double off(const double* u, const double* f, coord i, const Side*... side) {
  return f[i] + u[i - 1] + u[i + 1] + (side[i] + ...) - (2.0 + sizeof...(Side)) * u[i];
}

// What is off at red points, after a black sweep, to a coarse row; half of it, four times the squared distance.
template<class... Side>
void restrict_row(double* coarse_u, double* coarse_f, coord begin, coord end, const double* u,
  const double* f, const Side*... side) {
  for(coord i = begin; i < end; ++i) {
    coarse_u[i] = 0;
    coarse_f[i] = 2 * off(u, f, 2 * i, side...);
  }
}

// Black points, from the coarse rows below and above, along each of the other axes; these may be the same.
template<class... Row>
void correct(double* u, coord begin, coord end, const Row*... coarse) {
  constexpr double share = 0.5 / sizeof...(Row);
  for(coord i = begin; i < end; i += 2)
    u[i] += ((coarse[i / 2] + coarse[(i + 1) / 2]) + ...) * share;
}

template<class... Side>
double squares(const double* u, const double* f, coord begin, coord end, const Side*... side) {
  double sum = 0;
  for(coord i = begin; i < end; ++i) {
    const double r = off(u, f, i, side...);
    sum += r * r;
  }
  return sum;
}

// Not smooth, so that all levels have something to do.
inline double source(coord n, coord i, coord j, coord k) {
  const double h = 1.0 / static_cast<double>(n);
  return h * h * (static_cast<double>((7 * i + 13 * j + 29 * k) % 17) / 17 - 0.25);
}

// The first point of a color in a row whose other coordinates have that sum, from 1 on.
constexpr coord first_of(bool black, coord others) {
  return 1 + ((1 + others + (black ? 1 : 0)) & 1);
}

} // namespace bench::multigrid
