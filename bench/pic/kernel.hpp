#pragma once

// Particles in cells as the Parallel Research Kernels define them, the same for Rondo and for MPI by hand:
//
//   L x L cells of width 1, periodic, L even; fixed charges of 1 at grid points in even columns, of -1 in odd ones
//   for each particle:  the force of the four charges at the corners of its cell moves it for a time of 1
//
// Particles begin at centers of cells, with a charge that takes them over exactly 2 k + 1 cells in x in each step, and with a velocity
// of m cells in y. So where each has to be at the end is known.

#include <cmath>
#include <cstdint>

namespace bench::pic {

using coord = std::int64_t;

struct particle {
  double x;
  double y;
  double vx;
  double vy;
  double charge;
  double first_x; // where it was at the beginning
  double first_y;
  std::uint64_t name; // from 1 on
};

// All particles go as far.
struct speed {
  int k = 0;
  int m = 1;
};

inline double fixed_charge(coord column) { return column % 2 == 0 ? 1 : -1; }

// The charge of particles that go over one cell in a step, from a center in an even column to the right.
inline double base_charge() {
  const double square = 0.5; // of the distance of a corner
  const double cosine = 0.5 / std::sqrt(square);
  return 1 / (2 * cosine / square);
}

// Calls add(particle) for the `count` of a cell.
template<class Add>
inline void create(coord i, coord j, coord cells, std::uint64_t count, speed s, const Add& add) {
  const double charge = fixed_charge(i) * (2 * s.k + 1) * base_charge();
  const double x = static_cast<double>(i) + 0.5;
  const double y = static_cast<double>(j) + 0.5;
  const auto first = static_cast<std::uint64_t>(j * cells + i) * count + 1;
  for(std::uint64_t n = 0; n != count; ++n)
    add(particle{x, y, 0, static_cast<double>(s.m), charge, x, y, first + n});
}

struct vector {
  double x;
  double y;
};

// On a charge, of one that is so far away.
inline vector coulomb(double dx, double dy, double charge, double fixed) {
  const double square = dx * dx + dy * dy;
  const double distance = std::sqrt(square);
  const double f = charge * fixed / square;
  return {f * dx / distance, f * dy / distance};
}

// The cell of a position, also before it is wrapped.
inline coord cell_of(double x) {
  const auto i = static_cast<coord>(x);
  return i - static_cast<coord>(x < static_cast<double>(i));
}

// `fixed` takes the column and the row of a grid point, up to those behind the cell. Inlined in all programs.
template<class Charges>
[[gnu::always_inline]] inline void push(particle& p, const Charges& fixed) {
  const coord i = cell_of(p.x);
  const coord j = cell_of(p.y);
  const double dx = p.x - static_cast<double>(i);
  const double dy = p.y - static_cast<double>(j);
  const vector a = coulomb(dx, dy, p.charge, fixed(i, j));
  const vector b = coulomb(1 - dx, dy, p.charge, fixed(i + 1, j));
  const vector c = coulomb(dx, 1 - dy, p.charge, fixed(i, j + 1));
  const vector d = coulomb(1 - dx, 1 - dy, p.charge, fixed(i + 1, j + 1));
  const double ax = a.x - b.x + c.x - d.x; // its mass is 1
  const double ay = a.y + b.y - c.y - d.y;
  p.x += p.vx + 0.5 * ax;
  p.y += p.vy + 0.5 * ay;
  p.vx += ax;
  p.vy += ay;
}

inline double wrapped(double x, double length) {
  return x < 0 ? x + length : x >= length ? x - length : x;
}
inline void wrap(particle& p, double length) {
  p.x = wrapped(p.x, length);
  p.y = wrapped(p.y, length);
}

inline bool is_in_place(const particle& p, coord cells, int steps, speed s) {
  const auto length = static_cast<double>(cells);
  const auto is_at = [length](double x, double expected) {
    const double away = std::fmod(std::abs(x - expected), length);
    return std::fmin(away, length - away) < 1e-5;
  };
  return is_at(p.x, p.first_x + (2 * s.k + 1) * static_cast<double>(steps)) &&
         is_at(p.y, p.first_y + s.m * static_cast<double>(steps));
}

} // namespace bench::pic
