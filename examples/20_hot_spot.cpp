// A flame goes around a plate: where it burns a cell costs fifty times as much. Colors go where there is time for them.
//
//     20_hot_spot [POINTS [PASSES [EVERY]]]                (256 500 10)
//     mpirun -np 2 20_hot_spot
//
// Heat spreads over a plate of POINTS x POINTS cells, and in each cell a reaction goes on that takes many small steps where the burner is.
// A burner goes around the plate once in 1000 passes. EVERY passes the colors are balanced between ranks; 0: never.
//
// balance: what colors cost is measured while tasks run, and colors move with all their fields. What the program prints first has the same
// bits in any case. The last line says how much time was lost where ranks waited for the slowest one.

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

constexpr std::size_t passes_of_turn = 1000;

namespace task {

void spread(grid::view m, numbers::accessor<wo> to, numbers::accessor<ro, ro> heat) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      to(i, j) = heat(i, j) + 0.2 * (heat(i - 1, j) + heat(i + 1, j) + heat(i, j - 1) +
                                      heat(i, j + 1) - 4 * heat(i, j));
}

/// The burner's heat, and what the reaction makes of it, which is a stiff equation.
void react(grid::view m, numbers::accessor<wo> heat, numbers::accessor<ro> from, std::size_t first,
  std::size_t pass) {
  const auto points = static_cast<double>(m.mesh().hi[0]);
  const double angle = 2 * M_PI * static_cast<double>(first + pass) / passes_of_turn;
  const double x = points * (0.5 + 0.3 * std::cos(angle));
  const double y = points * (0.5 + 0.3 * std::sin(angle));
  const double radius = points / 8;
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0)) {
      double h = from(i, j);
      const double away = std::hypot(static_cast<double>(i) - x, static_cast<double>(j) - y);
      const int steps = away < radius ? 100 : 2;
      if(away < radius)
        h += 1 - away / radius;
      for(int n = 0; n != steps; ++n)
        h -= h * h * h / (steps * (1 + h * h));
      heat(i, j) = h;
    }
}

double sum(grid::view m, numbers::accessor<ro> heat) {
  double all = 0;
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      all += heat(i, j);
  return all;
}

} // namespace task

void burn(scheduler& s, std::int64_t points, std::size_t passes, std::size_t every) {
  const grid m{s, {.extents = {points, points}, .colors = {16, 16}, .periodic = {true, true}}};
  numbers heat{m, "heat"}, next{m, "next"};
  const std::size_t at_once = every == 0 ? 10 : every;
  double lost = 0;
  std::uint64_t moved = 0, times = 0;
  m.measure_costs();
  for(std::size_t first = 0; first < passes; first += at_once) {
    s.repeat(std::min(at_once, passes - first), [&](pass_number pass) {
      s.execute<task::spread>(m, next, heat);
      s.execute<task::react>(m, heat, next, first, pass);
    });
    // With a gain that can't be had it is only told what there was.
    const balance_result b = m.balance({.least_gain = every == 0 ? 1 : 0.05});
    lost += b.before - 1;
    moved += b.moved;
    ++times;
  }
  const double all = s.reduce<task::sum, fold::sum>(m, heat).get();
  if(s.rank() == 0) {
    std::printf("heat after %zu passes: %.17g\n", passes, all);
    std::fprintf(stderr,
      "%u ranks: the slowest one had %.0f %% more to do than all on average; %llu colors moved\n",
      s.ranks(), 100 * lost / static_cast<double>(times), static_cast<unsigned long long>(moved));
  }
}

} // namespace

int main(int argc, char** argv) {
  std::int64_t points = 256;
  std::size_t passes = 500;
  std::size_t every = 10;
  options o("A flame that goes around a plate, and colors that go to ranks with time for them.");
  o.argument("POINTS", &points, "along each axis").between(16, 100'000);
  o.argument("PASSES", &passes, "of the loop").between(1, 1'000'000);
  o.argument("EVERY", &every, "passes colors are balanced; 0: never").between(0, 1'000'000);
  o.parse(argc, argv);
  return rondo::run(argc, argv, [&](scheduler& s) { burn(s, points, passes, every); });
}
