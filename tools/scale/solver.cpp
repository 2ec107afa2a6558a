// What `rondo-scale` runs if it is given no program: Jacobi's method with the residual of each step, written in four ways.
//
//     mpirun -np 4 rondo-scale-solver [--nx 512] [--ny NX] [--steps 500] [--early 0] [--rest 0] [--colors 0]
//                                     [--variant future-traced|future-untraced|blocking-traced|blocking-untraced]
//
//   blocking   the main thread asks for each residual with get(), as one shouldn't
//   future     the residual goes into a task of rank 0 that looks at it; nobody waits
//   untraced   each launch is analysed
//   traced     a guard of a trace is around each step: the analysis of the first ones is replayed
//
// The start is an eigenvector of the method, a product of two sines, so each step multiplies it by a number that is
// known, on any mesh: the result is compared with it, at each point, and so is each residual.
//
// --rest: so many microseconds of each step a rank only sleeps. It stands for work that needs no core, so that more ranks
// than there are cores can be looked at.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <numbers>
#include <stdexcept>
#include <string>
#include <thread>

#include <rondo/options.hpp>
#include <rondo/rondo.hpp>

using namespace rondo;

namespace {

using grid = structured<2>;
using numbers = field<double>;

/// Handed to tasks by value, so it is small.
struct problem {
  std::int64_t nx = 512;
  std::int64_t ny = 0;
  double rest = 0; ///< Microseconds of a step, for each point.

  static double angle(std::int64_t points) {
    return std::numbers::pi / static_cast<double>(points - 1);
  }
  double start(std::int64_t i, std::int64_t j) const {
    return std::sin(angle(nx) * static_cast<double>(i)) *
           std::sin(angle(ny) * static_cast<double>(j));
  }
  /// What a step multiplies all values by.
  double factor() const { return (std::cos(angle(nx)) + std::cos(angle(ny))) / 2; }
  /// Of the start; the squares of a sine add up to half of the intervals.
  double squares() const { return static_cast<double>((nx - 1) * (ny - 1)) / 4; }
};

namespace task {

void start(grid::view m, numbers::accessor<wo> u, numbers::accessor<wo> v, problem p) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0)) {
      u(i, j) = p.start(i, j);
      v(i, j) = 0; // the edges stay; the others are written by a step
    }
}

/// Each value becomes the mean of its neighbours.
void average(grid::view m, numbers::accessor<rw> next, numbers::accessor<ro, ro> u, problem p) {
  for(const auto j : m.interior(1)) {
    double* const to = next.row(j);
    const double* const below = u.row(j - 1);
    const double* const here = u.row(j);
    const double* const above = u.row(j + 1);
    for(const auto i : m.interior(0))
      to[i] = (here[i - 1] + here[i + 1] + below[i] + above[i]) / 4;
  }
  if(p.rest > 0) {
    const auto points = static_cast<double>(m.owned(0).size() * m.owned(1).size());
    std::this_thread::sleep_for(std::chrono::duration<double, std::micro>(p.rest * points));
  }
}

/// The sum of the squares of what the step has changed.
double residual(grid::view m, numbers::accessor<ro> next, numbers::accessor<ro> u) {
  double sum = 0;
  for(const auto j : m.interior(1)) {
    const double* const a = next.row(j);
    const double* const b = u.row(j);
    for(const auto i : m.interior(0))
      sum += (a[i] - b[i]) * (a[i] - b[i]);
  }
  return sum;
}

/// The largest difference of a value from what it should be.
double error(grid::view m, numbers::accessor<ro> u, problem p, std::int64_t steps) {
  const double all = std::pow(p.factor(), static_cast<double>(steps));
  double most = 0;
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      fold::max(most, std::abs(u(i, j) - all * p.start(i, j)));
  return most;
}

/// `step` counts from 0.
void check(double r2, problem p, std::int64_t step) {
  const double one = (1 - p.factor()) * std::pow(p.factor(), static_cast<double>(step));
  const double expected = one * one * p.squares();
  // The residual is the difference of numbers of about 1: rounding leaves 1e-16 at each point.
  const double rounding = 1e-15 * std::sqrt(p.squares());
  if(!(std::abs(std::sqrt(r2) - std::sqrt(expected)) <= rounding + 1e-9 * std::sqrt(expected)))
    throw std::runtime_error("the residual of step " + std::to_string(step) + " is " +
                             std::to_string(std::sqrt(r2)) + ", and should be " +
                             std::to_string(std::sqrt(expected)));
}

} // namespace task

struct choices {
  problem p;
  std::int64_t steps = 500;
  std::int64_t early = 0;
  double rest = 0;
  std::int64_t colors = 0; ///< Of each rank, strips; 0: what Rondo takes.
  std::string variant = "future-traced";

  bool is_blocking() const { return variant.starts_with("blocking"); }
  bool is_traced() const { return variant.ends_with("-traced"); }
};

bool solve(scheduler& s, choices o) {
  o.p.rest = o.rest * s.ranks() / static_cast<double>(o.p.nx * o.p.ny);
  point<2> colors{};
  if(o.colors != 0)
    colors = {1, o.colors * s.ranks()};
  grid m{s, {.extents = {o.p.nx, o.p.ny}, .colors = colors}};
  numbers u{m, "u"};
  numbers v{m, "v"};
  s.execute<task::start>(m, u, v, o.p);

  const auto step = [&](numbers& from, numbers& to, std::int64_t k) {
    s.execute<task::average>(m, to, from, o.p);
    const future<double> r2 = s.reduce<task::residual, fold::sum>(m, to, from);
    if(o.is_blocking())
      task::check(r2.get(), o.p, k);
    else
      s.execute<task::check>(r2, o.p, k);
  };
  trace t;
  const auto run = [&](std::int64_t first, std::int64_t last) {
    for(std::int64_t k = first; k < last; k += 2) { // two steps, as the fields change their roles
      const auto two = [&] {
        step(u, v, k);
        step(v, u, k + 1);
      };
      if(o.is_traced()) {
        const auto g = t.make_guard();
        two();
      }
      else
        two();
    }
  };
  // All ranks have come so far.
  const auto meet = [&](std::int64_t steps) {
    return s.reduce<task::error, fold::max>(m, u, o.p, steps).get();
  };

  // The first steps make channels and templates, and are not timed.
  const std::int64_t early = o.early != 0 ? o.early : std::max<std::int64_t>(2, o.steps / 20 * 2);
  run(0, early);
  static_cast<void>(meet(early));
  const auto begin = std::chrono::steady_clock::now();
  run(early, early + o.steps);
  const double error = meet(early + o.steps);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;

  const bool is_right = error <= 1e-15 * static_cast<double>(early + o.steps);
  if(s.rank() == 0) {
    std::printf("seconds %.9g\n", seconds.count());
    std::printf("error %.3g: %s\n", error, is_right ? "right" : "WRONG");
  }
  return is_right;
}

} // namespace

int main(int argc, char** argv) {
  choices c;
  rondo::options o("Jacobi's method with the residual of each step.");
  o.add("nx", &c.p.nx, "points along x").between(3, 1'000'000);
  const auto ny =
    o.add("ny", &c.p.ny, "points along y, if not as along x").between(3, 1'000'000'000);
  o.add("steps", &c.steps, "that are timed; an even number").between(2, 1'000'000'000);
  o.add("early", &c.early, "steps before these, an even number; 0: a tenth of them")
    .between(0, 1'000'000'000);
  o.add("rest", &c.rest, "microseconds of each step that a rank sleeps").between(0, 1e7);
  o.add("colors", &c.colors, "of each rank, strips of the mesh; 0: what Rondo takes")
    .between(0, 1024);
  o.add("variant", &c.variant, "how the loop is written")
    .one_of({"future-traced", "future-untraced", "blocking-traced", "blocking-untraced"});
  o.parse(argc, argv);
  if(!ny.given())
    c.p.ny = c.p.nx;
  c.steps += c.steps % 2;
  c.early += c.early % 2;
  const auto program = [&](scheduler& s) { return solve(s, c) ? 0 : 1; };
  return rondo::run(argc, argv, program, {.find_repeats = false});
}
