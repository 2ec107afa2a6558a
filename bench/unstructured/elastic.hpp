#pragma once

// An elastic body of linear tetrahedra, explicit in time and without a matrix, the same for everyone:
//
//   f = 0;  for each tetrahedron:  the forces of its deformation are added to f at its corners
//   for each vertex:  velocity += time * f / mass,  displacement += time * velocity
//
// Its density and both of Lame's numbers are 1.

#include <array>
#include <cmath>
#include <cstdint>

namespace bench::unstructured {

struct vector {
  double x = 0;
  double y = 0;
  double z = 0;

  vector& operator+=(const vector& b) {
    x += b.x;
    y += b.y;
    z += b.z;
    return *this;
  }
  friend vector operator+(const vector& a, const vector& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  friend vector operator-(const vector& a, const vector& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  friend vector operator*(double s, const vector& a) { return {s * a.x, s * a.y, s * a.z}; }
};

inline double dot(const vector& a, const vector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline vector cross(const vector& a, const vector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

using corners = std::array<vector, 4>;

// What a tetrahedron at `x` does to its corners when they are displaced by `u`: add(k, force) for each of them, k from 0 to 3.
// Inlined in all programs, since compilers would do so in some of them only.
template<class Add>
[[gnu::always_inline]] inline void forces(const corners& x, const corners& u, const Add& add) {
  const vector e1 = x[1] - x[0];
  const vector e2 = x[2] - x[0];
  const vector e3 = x[3] - x[0];
  // The gradients of the linear functions of the corners, times six volumes.
  const vector g1 = cross(e2, e3);
  const vector g2 = cross(e3, e1);
  const vector g3 = cross(e1, e2);
  const double one_of_six_volumes = 1 / dot(e1, g1);
  const vector d1 = one_of_six_volumes * (u[1] - u[0]);
  const vector d2 = one_of_six_volumes * (u[2] - u[0]);
  const vector d3 = one_of_six_volumes * (u[3] - u[0]);
  // Rows of the gradient of the displacement.
  const vector rx = d1.x * g1 + d2.x * g2 + d3.x * g3;
  const vector ry = d1.y * g1 + d2.y * g2 + d3.y * g3;
  const vector rz = d1.z * g1 + d2.z * g2 + d3.z * g3;
  const double trace = rx.x + ry.y + rz.z;
  // The stress, which is symmetric.
  const double xy = rx.y + ry.x;
  const double yz = ry.z + rz.y;
  const double zx = rz.x + rx.z;
  const vector sx{trace + 2 * rx.x, xy, zx};
  const vector sy{xy, trace + 2 * ry.y, yz};
  const vector sz{zx, yz, trace + 2 * rz.z};
  const auto force = [&](const vector& g) {
    return (-1. / 6) * vector{dot(sx, g), dot(sy, g), dot(sz, g)};
  };
  const vector f1 = force(g1);
  const vector f2 = force(g2);
  const vector f3 = force(g3);
  add(0, (-1.) * (f1 + f2 + f3));
  add(1, f1);
  add(2, f2);
  add(3, f3);
}

// Of a tetrahedron, for each of its corners.
inline double mass(const corners& x) {
  return dot(x[1] - x[0], cross(x[2] - x[0], x[3] - x[0])) / 24;
}

// Values are taken by numbers of vertices, and `row` has those of the four corners of a tetrahedron.
template<class Values, class Row>
inline corners gather(const Values& of, const Row& row) {
  return {of(row[0]), of(row[1]), of(row[2]), of(row[3])};
}

// No vertex is at rest, and those of different ranks differ.
inline vector displacement(const vector& at) {
  return {0.01 * std::sin(7 * at.x + 3 * at.y), 0.01 * std::cos(5 * at.y - at.z),
    0.01 * std::sin(4 * at.z + 2 * at.x)};
}

// Stable for `n` cubes of six tetrahedra along an edge of the box.
inline double time_step(std::int64_t n) { return 0.1 / static_cast<double>(n); }

inline void move(
  vector& displacement, vector& velocity, const vector& force, double time_by_mass, double time) {
  velocity += time_by_mass * force;
  displacement += time * velocity;
}

} // namespace bench::unstructured
