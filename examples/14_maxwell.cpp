// Light in a box: finite differences on a staggered grid, and walls that are data.
//
//     14_maxwell [CELLS [TIME]] [--picture last.png]        (128 1)
//     mpirun -np 4 14_maxwell 512
//
// Maxwell's equations in two dimensions, with the magnetic field h in the cells of the unit square, and the electric one, of which ex
// points along axis 0 and ey along axis 1, on the faces between them (Yee's scheme):
//
//     h' = d(ex)/dy - d(ey)/dx        ex' = dh/dy        ey' = -dh/dx
//
//          +--- ex(i, j+1) ---+
//          |                  |
//       ey(i, j)   h(i, j)   ey(i+1, j)
//          |                  |
//          +---- ex(i, j) ----+
//
// Walls are what lies beyond the ends: left and right, of metal, the same h as inside, so that ey stays 0; below and above its negative.
// No stencil knows of them. A wave that stands in such a box is known.
//
// What is checked: the error is a quarter of that with half as many cells along each edge, and the energy is kept.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <rondo/options.hpp>
#include <rondo/rondo.hpp>
#include <string>

using namespace rondo;
using grid = structured<2>;
using values = field<double>;

namespace {

/// Cells are as wide as high; light goes half of that in a step.
struct box_of_light {
  std::int64_t cells;
  [[nodiscard]] double width() const { return 1 / double(cells); }
  [[nodiscard]] double step() const { return width() / 2; }
};
constexpr double part = 0.5; // the step, in widths of a cell

/// The wave, with two half waves along axis 0 and three along axis 1, and where its parts are in a cell.
constexpr double kx = 2 * std::numbers::pi, ky = 3 * std::numbers::pi;
const double frequency = std::hypot(kx, ky);

struct magnetic {
  static constexpr double dx = 0.5, dy = 0.5;
  static double at(double x, double y, double angle) {
    return std::cos(kx * x) * std::sin(ky * y) * std::cos(angle);
  }
};
struct electric_x {
  static constexpr double dx = 0.5, dy = 0;
  static double at(double x, double y, double angle) {
    return ky / frequency * std::cos(kx * x) * std::cos(ky * y) * std::sin(angle);
  }
};
struct electric_y {
  static constexpr double dx = 0, dy = 0.5;
  static double at(double x, double y, double angle) {
    return kx / frequency * std::sin(kx * x) * std::sin(ky * y) * std::sin(angle);
  }
};
template<class Part>
double wave(std::int64_t i, std::int64_t j, double time, box_of_light b) {
  return Part::at(
    (double(i) + Part::dx) * b.width(), (double(j) + Part::dy) * b.width(), frequency * time);
}

double curl(const values::accessor<ro, ro>& ex, const values::accessor<ro, ro>& ey, std::int64_t i,
  std::int64_t j) {
  return (ex(i, j + 1) - ex(i, j)) - (ey(i + 1, j) - ey(i, j));
}

namespace task {

template<class Part>
void begin(grid::view m, values::accessor<wo> u, double time, box_of_light b) {
  for(auto j : m.owned(1))
    for(auto i : m.owned(0))
      u(i, j) = wave<Part>(i, j, time, b);
}

void advance_h(
  grid::view m, values::accessor<rw> h, values::accessor<ro, ro> ex, values::accessor<ro, ro> ey) {
  for(auto j : m.owned(1))
    for(auto i : m.owned(0))
      h(i, j) += part * curl(ex, ey, i, j);
}

void walls(grid::view m, values::accessor<rw> h) {
  for(auto j : m.owned(1)) {
    for(auto i : m.below(0))
      h(i, j) = h(i + 1, j);
    for(auto i : m.above(0))
      h(i, j) = h(i - 1, j);
  }
  for(auto i : m.owned(0)) {
    for(auto j : m.below(1))
      h(i, j) = -h(i, j + 1);
    for(auto j : m.above(1))
      h(i, j) = -h(i, j - 1);
  }
}

void advance_ex(grid::view faces, values::accessor<rw> ex, values::accessor<ro, ro> h) {
  for(auto j : faces.owned(1))
    for(auto i : faces.owned(0))
      ex(i, j) += part * (h(i, j) - h(i, j - 1));
}
void advance_ey(grid::view faces, values::accessor<rw> ey, values::accessor<ro, ro> h) {
  for(auto j : faces.owned(1))
    for(auto i : faces.owned(0))
      ey(i, j) -= part * (h(i, j) - h(i - 1, j));
}

/// What the scheme keeps: h now times h a step later, and the squares of ex and ey between these, half of them in walls.
double energy(
  grid::view m, values::accessor<ro> h, values::accessor<ro, ro> ex, values::accessor<ro, ro> ey) {
  const auto square = [](double x) { return x * x; };
  double sum = 0;
  for(auto j : m.owned(1))
    for(auto i : m.owned(0))
      sum +=
        h(i, j) * (h(i, j) + part * curl(ex, ey, i, j)) +
        (square(ex(i, j)) + square(ex(i, j + 1)) + square(ey(i, j)) + square(ey(i + 1, j))) / 2;
  return sum;
}

template<class Part>
double worst_error(grid::view m, values::accessor<ro> u, double time, box_of_light b) {
  double worst = 0;
  for(auto j : m.owned(1))
    for(auto i : m.owned(0))
      fold::max(worst, std::abs(u(i, j) - wave<Part>(i, j, time, b)));
  return worst;
}

} // namespace task

struct outcome {
  double error, energy_lost;
};

outcome simulate(scheduler& s, box_of_light b, double until, const std::string& picture) {
  const grid m{s, {.extents = {b.cells, b.cells}, .beyond = 1}};
  const grid across = m.faces(0), along = m.faces(1);
  values h{m, "h"}, ex{along, "ex"}, ey{across, "ey"};
  const auto steps = std::max<std::uint64_t>(std::uint64_t(std::llround(until / b.step())), 1);

  // The electric field is half a step ahead of the magnetic one.
  s.execute<task::begin<magnetic>>(m, h, 0.0, b);
  s.execute<task::begin<electric_x>>(along, ex, b.step() / 2, b);
  s.execute<task::begin<electric_y>>(across, ey, b.step() / 2, b);
  const future<double> before = s.reduce<task::energy, fold::sum>(m, h, ex, ey);
  s.repeat(steps, [&] {
    s.execute<task::advance_h>(m, h, ex, ey);
    s.execute<task::walls>(m, h);
    s.execute<task::advance_ex>(along, ex, h);
    s.execute<task::advance_ey>(across, ey, h);
  });
  if(!picture.empty())
    s.write(picture, m, h);
  const future<double> after = s.reduce<task::energy, fold::sum>(m, h, ex, ey);
  const double time = double(steps) * b.step();
  const future<double> errors[] = {s.reduce<task::worst_error<magnetic>, fold::max>(m, h, time, b),
    s.reduce<task::worst_error<electric_x>, fold::max>(along, ex, time + b.step() / 2, b),
    s.reduce<task::worst_error<electric_y>, fold::max>(across, ey, time + b.step() / 2, b)};
  double worst = 0;
  for(const future<double>& error : errors)
    fold::max(worst, error.get());
  return {worst, std::abs(after.get() / before.get() - 1)};
}

} // namespace

int main(int argc, char** argv) {
  std::int64_t cells = 128;
  double until = 1;
  std::string picture;
  options o("Light in a box, on a staggered grid.");
  o.argument("CELLS", &cells, "along each edge; an even number").between(64, 1'000'000);
  o.argument("TIME", &until, "until when; light goes along an edge in 1").between(0, 10);
  o.add("picture", &picture, "the magnetic field at the end: .png");
  o.parse(argc, argv);
  return rondo::run(argc, argv, [&](scheduler& s) {
    const outcome half = simulate(s, {cells / 2}, until, ""),
                  all = simulate(s, {cells}, until, picture);
    const double order = std::log2(half.error / all.error);
    const bool right = order > 1.8 && all.energy_lost < 1e-12;
    if(s.rank() == 0)
      std::printf("largest error: %.17g\nhalved cells take it down by 2^%.2f%s\n", all.error, order,
        right ? "" : ", or the energy is not kept: please report this");
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
  });
}
