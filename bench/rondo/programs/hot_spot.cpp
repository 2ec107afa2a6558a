// Work that is uneven: cells of a hot spot take more steps than others. It stays where it is, or goes around.
//
//   mpirun -np 2 rondo_hot_spot --points 512 --passes 400 --every 10 --costs measured

#include "rondo/programs/program.hpp"

#include <algorithm>
#include <cmath>

using namespace rondo;

namespace {

using grid = structured<2>;
using numbers = field<double>;

struct spot {
  double points;
  std::size_t turn; // passes; 0: it stays

  // Where it is in a pass.
  [[nodiscard]] point<2> center(std::size_t pass) const {
    const double angle =
      turn == 0 ? 1. : 2 * M_PI * static_cast<double>(pass % turn) / static_cast<double>(turn);
    return {static_cast<std::int64_t>(points * (0.5 + 0.3 * std::cos(angle))),
      static_cast<std::int64_t>(points * (0.5 + 0.3 * std::sin(angle)))};
  }
  [[nodiscard]] int steps(std::int64_t i, std::int64_t j, const point<2>& at) const {
    const auto dx = static_cast<double>(i - at[0]);
    const auto dy = static_cast<double>(j - at[1]);
    return dx * dx + dy * dy < points * points / 64 ? 100 : 2;
  }
};

void fill(grid::view m, numbers::accessor<wo> u) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      u(i, j) = 1 + 0.001 * static_cast<double>((i * 7 + j * 13) % 101);
}
void spread(grid::view m, numbers::accessor<wo> to, numbers::accessor<ro, ro> u) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      to(i, j) = 0.6 * u(i, j) + 0.1 * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1));
}
void react(grid::view m, numbers::accessor<wo> u, numbers::accessor<ro> from, spot s,
  std::size_t first, std::size_t pass) {
  const point<2> at = s.center(first + pass);
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0)) {
      double x = from(i, j);
      const int steps = s.steps(i, j, at);
      for(int n = 0; n != steps; ++n)
        x += (1 - x * x) / (steps * (1 + x * x));
      u(i, j) = x;
    }
}
double sum(grid::view m, numbers::accessor<ro> u) {
  double all = 0;
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      all += u(i, j) * (1 + 1e-6 * static_cast<double>(i - 2 * j));
  return all;
}

} // namespace

int main(int argc, char** argv) {
  std::int64_t points = 512;
  std::int64_t colors = 16;
  std::size_t passes = 400;
  std::size_t turn = 400;
  std::size_t every = 10;
  int reps = 3;
  std::string costs = "measured";
  bench::arguments args;
  args.add("--points", points, "along each axis").positive();
  args.add("--colors", colors, "along each axis").positive();
  args.add("--passes", passes, "how many").positive();
  args.add("--turn", turn, "passes in which the spot goes around once; 0: it stays");
  args.add("--every", every, "so many passes colors are balanced").positive();
  args.add("--costs", costs, "measured, or none: colors stay where they are");
  args.add("--reps", reps, "repetitions, of which the median is reported").positive();
  if(const auto status = args.try_parse(argc, argv))
    return *status;

  return rondo::run(argc, argv, [&](scheduler& s) {
    const grid m{
      s, {.extents = {points, points}, .colors = {colors, colors}, .periodic = {true, true}}};
    numbers u{m, "u"}, v{m, "v"};
    const spot hot{static_cast<double>(points), turn};
    bench::programs::stopwatch time(s);
    double before = 0;
    std::uint64_t moved = 0;
    for(int rep = -1; rep < reps; ++rep) {
      s.execute<fill>(m, u);
      before = 0;
      moved = 0;
      time.measure([&] {
        for(std::size_t first = 0; first < passes; first += every) {
          s.repeat(std::min(every, passes - first), [&](pass_number pass) {
            s.execute<spread>(m, v, u);
            s.execute<react>(m, u, v, hot, first, pass);
          });
          if(costs == "measured") {
            const balance_result b = m.balance();
            before += b.before;
            moved += b.moved;
          }
        }
      });
      if(rep < 0)
        time.forget(); // the first time, to get warm
    }
    bench::line line = bench::programs::describe(s, m, costs);
    // Of all ranks and workers together: what one alone takes is ideal.
    time.report(line, "pass", static_cast<double>(passes) / (s.ranks() * s.workers()));
    line["slowest"] = before / (static_cast<double>(passes) / static_cast<double>(every));
    line["moved"] = moved;
    line["sum"] = s.reduce<sum, fold::sum>(m, u).get();
    bench::programs::print(s, line);
  });
}
