#pragma once

// The arithmetic of bench solver, the same for Rondo and for everyone it is compared with: what happens
// in one row of vertices.
//
//   -Laplace u = pi^2 (K^2 + L^2) sin(K pi x) sin(L pi y),  K = 12, L = 2,  u = sin(K pi x) sin(L pi y)
//
// on the unit square with nx * ny vertices, those of the boundary included, where u is 0; elsewhere
// Gauss-Seidel begins with 0. Vertex (0, 0) is red, and so is every vertex with i + j even.
//
//   const problem p{.nx = 1024, .ny = 1024};
//   const stencil a(p);
//   for(const color c : {color::red, color::black})
//     for(coord j = 1; j < p.ny - 1; ++j)
//       relax(a, row(u, j), row(u, j - 1), row(u, j + 1), row(f, j), 1, p.nx - 1, parity(c, 0, j));
//
// Rows are given by pointers to their first elements, which may be any vertex (i0, j), and worked on from
// element `begin` until before element `end`. Sums are made in an order that depends on begin and end
// alone, so the same row gives the same bits whoever asks.
//
// Threads that share an array may be in neighbouring rows at the same time, and each then reads what the
// other one doesn't write: its neighbours of the other color. So relax writes its own color and nothing
// else. A vector that computes all vertices, and writes those of the other color back as they were, would
// race with whoever reads them; nor is it faster than a masked store. What vectors load is more than is
// used, and the rest may be written at that moment; it is thrown away, and no processor with these
// instructions minds, but thread sanitizer would, and gets the plain loop.

#include <cmath>
#include <cstddef>
#include <cstring>
#include <numbers>

namespace bench::solver {

using coord = std::ptrdiff_t;

struct problem {
  coord nx;
  coord ny;

  static constexpr double k = 12;
  static constexpr double l = 2;

  [[nodiscard]] double hx() const { return 1.0 / static_cast<double>(nx - 1); }
  [[nodiscard]] double hy() const { return 1.0 / static_cast<double>(ny - 1); }

  // The solution of the differential equation at vertex (i, j), and its right-hand side.
  [[nodiscard]] double exact(coord i, coord j) const {
    constexpr double pi = std::numbers::pi;
    return std::sin(k * pi * hx() * static_cast<double>(i)) *
           std::sin(l * pi * hy() * static_cast<double>(j));
  }
  [[nodiscard]] double source(coord i, coord j) const {
    return std::numbers::pi * std::numbers::pi * (k * k + l * l) * exact(i, j);
  }

  // What conjugate gradients begin with. With 0 they would be done after one step: the right-hand side is
  // an eigenvector of A.
  [[nodiscard]] double start(coord i, coord j) const {
    const bool boundary = i == 0 || j == 0 || i == nx - 1 || j == ny - 1;
    return boundary ? 0.0 : static_cast<double>((7 * i + 13 * j) % 17) / 17 - 0.5;
  }
};

// (A u)(i, j) = center u - x (left + right) - y (above + below): the five points, divided by the area of a
// cell. And what solves that for u, with these factors for the same sums and for f.
struct stencil {
  explicit stencil(const problem& p)
      : x(1 / (p.hx() * p.hx())), y(1 / (p.hy() * p.hy())), center(2 * x + 2 * y) {}
  double x;
  double y;
  double center;
  double relax_x = x / center;
  double relax_y = y / center;
  double relax_f = 1 / center;
};

enum class color { red, black };

// Of a row whose first element is vertex (i0, j), the elements of that color are those whose numbers
// leave this when divided by two.
inline int parity(color c, coord i0, coord j) {
  return static_cast<int>((i0 + j + (c == color::red ? 0 : 1)) & 1);
}

// --- Gauss-Seidel -----------------------------------------------------------------------------------

namespace detail {

using relax_row = void (*)(const stencil&, double* u, const double* above, const double* below,
  const double* f, coord begin, coord end, int parity);

// The fastest one that this processor can run. It is compiled in kernel.cpp: no other file needs the header of
// the vector instructions, which takes a second.
extern const relax_row relax_best;

// Two vertices at a time, with what every processor has.
using pair = double __attribute__((vector_size(16)));

struct pair_at {
  coord i;
  pair operator()(const double* row) const {
    pair v;
    std::memcpy(&v, row + i, sizeof v);
    return v;
  }
  void store(double* row, pair v) const { std::memcpy(row + i, &v, sizeof v); }
};

struct one_at {
  coord i;
  double operator()(const double* row) const { return row[i]; }
  void store(double* row, double v) const { row[i] = v; }
};

// The sum of term(at), where at(row) is what the row has there. Two sums of pairs, since each addition
// waits for the one before.
template<class Term>
double sum(coord begin, coord end, const Term& term) {
  pair s = {0, 0};
  pair t = {0, 0};
  coord i = begin;
  for(; i + 4 <= end; i += 4) {
    s += term(pair_at{i});
    t += term(pair_at{i + 2});
  }
  s += t;
  double all = s[0] + s[1];
  for(; i < end; ++i)
    all += term(one_at{i});
  return all;
}

template<class At>
auto apply(
  const stencil& a, const double* u, const double* above, const double* below, const At& at) {
  return a.center * at(u) - a.x * (at(u - 1) + at(u + 1)) - a.y * (at(above) + at(below));
}

} // namespace detail

// Relaxes the elements of one color, those with i mod 2 == parity. Reads u[begin - 1] and u[end].
inline void relax(const stencil& a, double* u, const double* above, const double* below,
  const double* f, coord begin, coord end, int parity) {
  detail::relax_best(a, u, above, below, f, begin, end, parity);
}

// The sum of (f - A u)^2.
inline double residual(const stencil& a, const double* u, const double* above, const double* below,
  const double* f, coord begin, coord end) {
  return detail::sum(begin, end, [=, &a](auto at) {
    const auto r = at(f) - detail::apply(a, u, above, below, at);
    return r * r;
  });
}

// The sum of (u - exact)^2 in the row that begins with vertex (i0, j).
inline double error(const problem& p, const double* u, coord i0, coord j, coord begin, coord end) {
  double sum = 0;
  for(coord i = begin; i < end; ++i) {
    const double e = u[i] - p.exact(i0 + i, j);
    sum += e * e;
  }
  return sum;
}

// --- conjugate gradients ------------------------------------------------------------------------------

// q = A p; returns the sum of p q.
inline double apply(const stencil& a, double* q, const double* p, const double* above,
  const double* below, coord begin, coord end) {
  return detail::sum(begin, end, [=, &a](auto at) {
    const auto ap = detail::apply(a, p, above, below, at);
    at.store(q, ap);
    return at(p) * ap;
  });
}

// The sum of x y.
inline double dot(const double* x, const double* y, coord begin, coord end) {
  return detail::sum(begin, end, [=](auto at) { return at(x) * at(y); });
}

// u += alpha p, r -= alpha q; returns the sum of r^2.
inline double advance(
  double alpha, double* u, const double* p, double* r, const double* q, coord begin, coord end) {
  return detail::sum(begin, end, [=](auto at) {
    const auto left = at(r) - alpha * at(q);
    at.store(u, at(u) + alpha * at(p));
    at.store(r, left);
    return left * left;
  });
}

// p = r + beta p.
inline void turn(double beta, double* __restrict p, const double* r, coord begin, coord end) {
  for(coord i = begin; i < end; ++i)
    p[i] = r[i] + beta * p[i];
}

} // namespace bench::solver
