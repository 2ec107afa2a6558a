// Charges in cells: each is pushed by the charges at the corners of its cell, and where it ends is known to the last cell.
//
//     18_particle_in_cell [CELLS [STEPS]]                (64 100)
//     mpirun -np 4 18_particle_in_cell 1000 400
//
// The particle-in-cell kernel of the Parallel Research Kernels. CELLS x CELLS cells, periodic; the corners of odd columns have the charge
// -1, those of even ones 1. A particle in the middle of a cell with the right charge moves by just one cell along x in each step,
// and it begins with the speed of one cell along y. There are more of them on the left, so colors have different work, which moves.
//
// particles<charge>: a task moves them, and those that leave are with their new color in the next launch.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <rondo/options.hpp>
#include <rondo/rondo.hpp>

using namespace rondo;
using grid = structured<2>;
using numbers = field<double>;

namespace {

struct charge {
  double x, y, vx, vy;
  double q;
  std::int64_t column, row; ///< In which it began.
};
using charges = particles<charge>;

/// Where a number is in a box that goes on behind its ends. What is just below 0 would be rounded to the other end.
double into_box(double x, double cells) {
  return std::min(x - cells * std::floor(x / cells), std::nextafter(cells, 0.));
}

namespace task {

void set_corners(grid::view m, numbers::accessor<wo> corner) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      corner(i, j) = i % 2 == 0 ? 1 : -1;
}

void create(grid::view m, charges::accessor<wo> p) {
  constexpr double to_corner = 0.5; // squared
  const double q = to_corner * std::sqrt(to_corner);
  const auto cells = double(m.mesh().hi[0]);
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0)) {
      const auto n = std::int64_t(8 * std::exp(-3 * double(i) / cells)) + (i + j) % 2;
      for(std::int64_t c = 0; c != n; ++c)
        p.push_back({double(i) + 0.5, double(j) + 0.5, 0, 1, i % 2 == 0 ? q : -q, i, j});
    }
}

void push(grid::view m, charges::accessor<rw> p, numbers::accessor<ro, ro> corner) {
  const auto cells = double(m.mesh().hi[0]);
  for(charge* c = p.begin(); c != p.end();) {
    const auto i = std::int64_t(c->x);
    const auto j = std::int64_t(c->y);
    double ax = 0;
    double ay = 0;
    for(std::int64_t y = j; y <= j + 1; ++y)
      for(std::int64_t x = i; x <= i + 1; ++x) {
        const double dx = c->x - double(x);
        const double dy = c->y - double(y);
        const double r2 = dx * dx + dy * dy;
        const double f = c->q * corner(x, y) / (r2 * std::sqrt(r2));
        ax += f * dx;
        ay += f * dy;
      }
    c->x += c->vx + ax / 2;
    c->y += c->vy + ay / 2;
    c->vx += ax;
    c->vy += ay;
    const auto to_i = std::int64_t(std::floor(c->x));
    const auto to_j = std::int64_t(std::floor(c->y));
    c->x = into_box(c->x, cells);
    c->y = into_box(c->y, cells);
    c = p.move_to(c, to_i, to_j);
  }
}

std::size_t count(grid::view /*m*/, charges::accessor<ro> p) { return p.size(); }
std::int64_t names(grid::view m, charges::accessor<ro> p) {
  std::int64_t sum = 0;
  for(const charge& c : p)
    sum += c.row * m.mesh().hi[0] + c.column;
  return sum;
}
double farthest_off(grid::view m, charges::accessor<ro> p, std::int64_t steps) {
  const auto cells = double(m.mesh().hi[0]);
  double most = 0;
  for(const charge& c : p) {
    const double x = into_box(double(c.column + steps) + 0.5, cells);
    const double y = into_box(double(c.row + steps) + 0.5, cells);
    fold::max(most, std::abs(c.x - x));
    fold::max(most, std::abs(c.y - y));
  }
  return most;
}

} // namespace task

bool move_all(scheduler& s, std::int64_t cells, std::int64_t steps) {
  const grid m{s, {.extents = {cells, cells},
                    .colors = {4, 4},
                    .halo = 1, // as far as they go in a step
                    .periodic = {true, true},
                    .diagonals = true}};
  charges p{m, "p"};
  numbers corner{m, "corner"};
  s.execute<task::set_corners>(m, corner);
  s.execute<task::create>(m, p);
  const auto before = s.reduce<task::names, fold::sum>(m, p);
  s.repeat(std::uint64_t(steps), [&] { s.execute<task::push>(m, p, corner); });
  const auto after = s.reduce<task::names, fold::sum>(m, p);
  const auto n = s.reduce<task::count, fold::sum>(m, p).get();
  const double off = s.reduce<task::farthest_off, fold::max>(m, p, steps).get();

  const bool right = off < 1e-5 && before.get() == after.get();
  if(s.rank() == 0)
    std::printf("%zu charges, %lld steps: at most %.1e beside where they should be%s\n", n,
      static_cast<long long>(steps), off, right ? "" : ", which is wrong: please report this");
  return right;
}

} // namespace

int main(int argc, char** argv) {
  std::int64_t cells = 64;
  std::int64_t steps = 100;
  options o("Charges that move from cell to cell, pushed by those at the corners.");
  o.argument("CELLS", &cells, "along each axis; of an odd number there is one more")
    .between(16, 100'000);
  o.argument("STEPS", &steps, "of all particles").between(0, 1'000'000);
  o.parse(argc, argv);
  cells += cells % 2; // charges of columns alternate, also across the end of the box
  return rondo::run(argc, argv,
    [&](scheduler& s) { return move_all(s, cells, steps) ? EXIT_SUCCESS : EXIT_FAILURE; });
}
