// Heat in a plate, on one core or on many nodes.
//
//     06_heat [POINTS [STEPS [PERIODIC]]]        (256 5000 0)
//     mpirun -np 4 06_heat 1024 20000 1
//
// The plate is a mesh of POINTS x POINTS points, cut into colors. A task is launched once and runs
// for each color, on the rank that has it; what it reads of neighbouring colors is fetched before.
// Nothing here says what is sent to whom, or waits for it. PERIODIC glues opposite edges together,
// else these are kept at 0 degrees.
//
// The heat is a sine wave at first, and stays one: each step makes it smaller by the same factor,
// which is known. So is the result, to the last few bits.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <numbers>
#include <rondo/options.hpp>
#include <rondo/rondo.hpp>

using namespace rondo;
using grid = structured<2>;
using numbers = field<double>;

namespace {

struct problem {
  std::int64_t points;
  bool periodic;

  static constexpr double rate = 0.2; // diffusivity * time step / distance^2; stable up to 0.25

  /// Waves along x, of half the length along y. So many radians from a point to the next.
  double angle(double waves) const {
    const double whole = periodic ? double(points) : 2 * double(points - 1);
    return 2 * std::numbers::pi * waves / whole;
  }
  double wave(std::int64_t i, std::int64_t j) const {
    return std::sin(angle(1) * double(i)) * std::sin(angle(2) * double(j));
  }
  /// What a step multiplies the wave by.
  double decay() const { return 1 - 2 * rate * (2 - std::cos(angle(1)) - std::cos(angle(2))); }
};

namespace task {

void begin(grid::view m, numbers::accessor<wo> u, problem p) {
  for(auto j : m.owned(1))
    for(auto i : m.owned(0))
      u(i, j) = p.wave(i, j);
}

/// Reads the points of its color and, around them, one row of its neighbours'.
void step(grid::view m, numbers::accessor<rw> next, numbers::accessor<ro, ro> u, problem p) {
  for(auto j : m.interior(1)) // all rows, if the mesh is periodic
    for(auto i : m.interior(0))
      next(i, j) =
        u(i, j) + p.rate * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) - 4 * u(i, j));
}

double highest(grid::view m, numbers::accessor<ro> u) {
  double most = 0;
  for(auto j : m.owned(1))
    for(auto i : m.owned(0))
      most = u(i, j) <= most ? most : u(i, j); // also if it is no number
  return most;
}

double difference(grid::view m, numbers::accessor<ro> u, problem p, double height) {
  double most = 0;
  for(auto j : m.owned(1))
    for(auto i : m.owned(0)) {
      const double d = std::abs(u(i, j) - height * p.wave(i, j));
      most = d <= most ? most : d; // also if it is no number
    }
  return most;
}

/// Without a mesh: runs once, on rank 0.
void report(double most, std::int64_t steps) {
  std::printf("after %6lld steps: at most %.4f degrees\n", static_cast<long long>(steps), most);
}

} // namespace task

bool simulate(scheduler& s, const problem& p, std::int64_t steps) {
  grid m{s, {.extents = {p.points, p.points}, .periodic = {p.periodic, p.periodic}}};
  numbers u{m, "u"}, v{m, "v"}; // all 0, and so the edges of v stay
  s.execute<task::begin>(m, u, p);
  for(std::int64_t k = 0; k != steps; k += 2) {
    if(k % 1000 == 0)
      s.execute<task::report>(s.reduce<task::highest, fold::max>(m, u), k);
    s.execute<task::step>(m, v, u, p);
    s.execute<task::step>(m, u, v, p);
  }
  // Only launched so far, and most of it has not run yet. get() waits, and helps meanwhile.
  const double height = std::pow(p.decay(), double(steps));
  const double error = s.reduce<task::difference, fold::max>(m, u, p, height).get();

  const bool right = error <= 4 * double(steps + 4) * std::numeric_limits<double>::epsilon();
  if(s.rank() == 0)
    std::printf("a wave %.6f high, as it should be up to %.1g; colors: %llu, ranks: %u%s\n", height,
      error, static_cast<unsigned long long>(m.colors()), s.ranks(),
      right ? "" : "\nthat is too much: please report this");
  return right;
}

} // namespace

int main(int argc, char** argv) {
  problem p{256, false};
  std::int64_t steps = 5000;
  int periodic = 0;
  options o("Heat in a plate, on one core or on many nodes.");
  o.argument("POINTS", &p.points, "along each edge of the plate").between(3, 1'000'000);
  o.argument("STEPS", &steps, "an odd number gets one more").between(0, 1'000'000'000);
  o.argument("PERIODIC", &periodic, "1: opposite edges are glued together").between(0, 1);
  o.parse(argc, argv);
  p.periodic = periodic != 0;
  steps = (steps + 1) / 2 * 2; // there and back
  return rondo::run(
    argc, argv, [&](scheduler& s) { return simulate(s, p, steps) ? EXIT_SUCCESS : EXIT_FAILURE; });
}
