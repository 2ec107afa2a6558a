#pragma once

// Implicit heat, the same for Rondo and for MPI by hand: a loop over time steps, of which each chooses its length and
// solves a system of equations by conjugate gradients.
//
//   u' = f - A u  on the unit square, A and f those of solver/kernel.hpp, u = 0 on the boundary
//   (1 + dt/2 A) w = dt (f - A u),  u += w                     (theta scheme, theta = 1/2)
//
// dt is at most `longest`, and so short that no vertex changes by more than `change` at the rate of the beginning.

#include "solver/kernel.hpp"

#include <algorithm>
#include <cmath>

namespace bench::nested {

using solver::coord;
using solver::problem;
using solver::stencil;

struct heat {
  problem mesh;
  double steps; // of the longest length, that make up the time

  [[nodiscard]] double longest() const { return 20 * mesh.hx() * mesh.hy(); }
  [[nodiscard]] double change() const { return 0.5 * longest() * 1500; }
  [[nodiscard]] double step(double largest_rate) const {
    return std::min(longest(), change() / largest_rate);
  }
  [[nodiscard]] bool is_over(double time) const { return time >= (steps - 1e-9) * longest(); }
  // Smooth, and no eigenvector of A.
  [[nodiscard]] double start(coord i, coord j) const {
    const double x = mesh.hx() * static_cast<double>(i);
    const double y = mesh.hy() * static_cast<double>(j);
    return 16 * x * (1 - x) * y * (1 - y) * (1 + x + std::sin(9 * x * y));
  }
};

// r = f - A u; returns the largest of |r|.
inline double rate(const stencil& a, double* r, const double* u, const double* above,
  const double* below, const double* f, coord begin, coord end) {
  double largest = 0;
  for(coord i = begin; i < end; ++i) {
    r[i] = f[i] - solver::detail::apply(a, u, above, below, solver::detail::one_at{i});
    largest = std::max(largest, std::abs(r[i]));
  }
  return largest;
}

// w = 0, p = r = dt r; returns the sum of r^2.
inline double begin(double dt, double* w, double* p, double* r, coord begin, coord end) {
  return solver::detail::sum(begin, end, [=](auto at) {
    const auto scaled = dt * at(r);
    at.store(w, scaled - scaled);
    at.store(r, scaled);
    at.store(p, scaled);
    return scaled * scaled;
  });
}

// q = p + c A p; returns the sum of p q.
inline double apply(const stencil& a, double c, double* q, const double* p, const double* above,
  const double* below, coord begin, coord end) {
  return solver::detail::sum(begin, end, [=, &a](auto at) {
    const auto ap = at(p) + c * solver::detail::apply(a, p, above, below, at);
    at.store(q, ap);
    return at(p) * ap;
  });
}

// u += w.
inline void take(double* __restrict u, const double* w, coord begin, coord end) {
  for(coord i = begin; i < end; ++i)
    u[i] += w[i];
}

} // namespace bench::nested
