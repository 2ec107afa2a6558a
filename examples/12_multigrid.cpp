// Multigrid: levels of a mesh, each with half as many points along each axis.
//
//     12_multigrid [INTERVALS [DIMENSIONS]] [--full]        (256 2)
//     mpirun -np 4 12_multigrid 128 3
//
// Poisson's equation, -Laplace u = f, on the unit square or cube, where u is 0 on the edges. A few sweeps make the error
// smooth, and a smooth error can be found on a coarser mesh, for a quarter or an eighth of the work; and so on. So each V cycle,
// the way down to one point and up again, leaves less than a tenth of the error, however fine the mesh is. `coarsened` makes
// a level, with the same colors on the same ranks: a task takes fields of two levels. On the last ones most colors have no points
// left, which tasks need not know. `--full` begins on the coarsest level, and takes each one's solution as the next one's guess.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <rondo/options.hpp>
#include <rondo/rondo.hpp>
#include <tuple>
#include <utility>
#include <vector>

using namespace rondo;
using numbers = field<double>;
using values = numbers::accessor<ro>;
using changed = numbers::accessor<rw>;
using seen = numbers::accessor<ro, ro>; // with ghosts

namespace {

/// The solution, also of the discrete equations: differences of second order are exact for it.
double hump(double x) { return x * (1 - x); }
double solution(double h, auto... i) { return (hump(h * double(i)) * ...); }
double right_side(double h, auto... i) {
  return 2 * solution(h, i...) * ((1 / hump(h * double(i))) + ...);
}
double distance(const auto& m) { return 1 / double(m.mesh().hi[0] - 1); }

/// Calls `f(j)`, or `f(j, k)`, for each row of inner points.
template<std::size_t D>
void for_rows(const structured_view<D>& m, const auto& f) {
  if constexpr(D == 2)
    for(auto j : m.interior(1))
      f(j);
  else
    for(auto k : m.interior(2))
      for(auto j : m.interior(1))
        f(j, k);
}
void for_points(const auto& m, const auto& f) {
  for_rows(m, [&](auto... row) {
    for(auto i : m.interior(0))
      f(i, row...);
  });
}

double around(const seen& u, auto i, auto j) {
  return u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1);
}
double around(const seen& u, auto i, auto j, auto k) {
  return u(i - 1, j, k) + u(i + 1, j, k) + u(i, j - 1, k) + u(i, j + 1, k) + u(i, j, k - 1) +
         u(i, j, k + 1);
}
/// What coarse points say about a black one of the finer mesh: with one odd coordinate it is between two of them, with
/// three amid eight; that is why the mesh of the cube has diagonals.
double between(const seen& c, auto i, auto j) {
  return (c(i / 2, j / 2) + c((i + 1) / 2, (j + 1) / 2)) / 2;
}
double between(const seen& c, auto i, auto j, auto k) {
  double sum = 0;
  for(auto z : {k / 2, (k + 1) / 2})
    for(auto y : {j / 2, (j + 1) / 2})
      sum += c(i / 2, y, z) + c((i + 1) / 2, y, z);
  return sum / 8;
}

/// The right side f has the squared distance of the points as a factor. After a black sweep only red points are off, among
/// them all that are also coarse; and before a red one only black points matter. So a coarse point takes half of what is
/// off at its place, as the mean around would be, and only black points are corrected.
template<std::size_t D>
struct task {
  using grid = structured<D>;

  static void begin(grid::view m, changed f) {
    const double h = distance(m);
    for_points(m, [&](auto... at) { f(at...) = h * h * right_side(h, at...); });
  }
  static void relax(grid::view m, numbers::accessor<rw, still> u, values f, bool black) {
    for_rows(m, [&](auto... row) {
      for(auto i : black ? m.black(row...) : m.red(row...))
        u(i, row...) = (around(u, i, row...) + f(i, row...)) / (2 * D);
    });
  }
  static double off(const seen& u, const values& f, auto... at) {
    return f(at...) + around(u, at...) - 2 * D * u(at...);
  }
  /// Half of it, and the squared distance is four times as large.
  static void restrict(
    grid::view /*fine*/, grid::view coarse, seen u, values f, changed coarse_u, changed coarse_f) {
    for_points(coarse, [&](auto... at) {
      coarse_u(at...) = 0;
      coarse_f(at...) = 2 * off(u, f, (2 * at)...);
    });
  }
  static void correct(grid::view m, grid::view /*coarse*/, changed u, seen coarse_u) {
    for_rows(m, [&](auto... row) {
      for(auto i : m.black(row...))
        u(i, row...) += between(coarse_u, i, row...);
    });
  }
  static double residual(grid::view m, seen u, values f) {
    double sum = 0;
    for_points(m, [&](auto... at) { sum += std::pow(off(u, f, at...), 2); });
    return sum;
  }
  static double error(grid::view m, values u) {
    double most = 0;
    for_points(
      m, [&](auto... at) { fold::max(most, std::abs(u(at...) - solution(distance(m), at...))); });
    return most;
  }
};

void report(double r2, std::uint64_t cycle) {
  std::printf("cycle %2d: |r| = %.3e\n", int(cycle) + 1, std::sqrt(r2));
}

template<std::size_t D>
struct level {
  explicit level(structured<D> of) : mesh(std::move(of)) {}
  structured<D> mesh;
  numbers u{mesh, "u"};
  numbers f{mesh, "f"};
};
template<std::size_t D>
void sweep(scheduler& s, const level<D>& on, int times) {
  for(int i = 0; i != 2 * times; ++i)
    s.execute<task<D>::relax>(on.mesh, on.u, on.f, i % 2 != 0);
}

/// From level k down to the coarsest one, and up again.
template<std::size_t D>
void cycle(scheduler& s, const std::vector<level<D>>& all, std::size_t k) {
  const level<D>& here = all[k];
  if(k + 1 == all.size()) { // one point inside, or a few
    const auto inside = static_cast<int>(here.mesh.coloring().mesh().hi[0]) - 2;
    return sweep(s, here, inside * inside);
  }
  const level<D>& coarse = all[k + 1];
  sweep(s, here, 2);
  s.execute<task<D>::restrict>(here.mesh, coarse.mesh, here.u, here.f, coarse.u, coarse.f);
  cycle(s, all, k + 1);
  s.execute<task<D>::correct>(here.mesh, coarse.mesh, here.u, coarse.u);
  sweep(s, here, 2);
}

template<std::size_t D>
bool solve(scheduler& s, std::int64_t intervals, bool full) {
  point<D> extents;
  extents.fill(intervals + 1);
  std::vector<level<D>> all;
  all.emplace_back(structured<D>(s, {.extents = extents, .diagonals = D == 3}));
  for(std::int64_t n = intervals; n % 2 == 0 && n > 2; n /= 2)
    all.emplace_back(all.back().mesh.coarsened(2));
  const auto residual = [&] {
    return s.reduce<task<D>::residual, fold::sum>(all[0].mesh, all[0].u, all[0].f);
  };

  for(const level<D>& l : all)
    s.execute<task<D>::begin>(l.mesh, l.f);
  const future<double> first = residual();
  for(std::size_t k = all.size() - 1; full && k != 0; --k) {
    cycle(s, all, k);
    s.execute<task<D>::correct>(all[k - 1].mesh, all[k].mesh, all[k - 1].u, all[k].u);
  }
  const future<std::uint64_t> cycles = s.iterate({.max = 40}, [&](std::uint64_t pass) {
    cycle(s, all, 0);
    const future<double> r2 = residual();
    s.execute<report>(r2, pass);
    return when_all(r2, first).then([](const std::tuple<double, double>& of) {
      return std::get<0>(of) <= 1e-18 * std::get<1>(of); // stop?
    });
  });
  const future<double> last = residual();
  const future<double> error = s.reduce<task<D>::error, fold::max>(all[0].mesh, all[0].u);

  // Here it waits for the first time.
  const double factor = std::pow(last.get() / first.get(), 0.5 / double(cycles.get()));
  const bool right = factor < 0.1 && error.get() < 1e-8;
  if(s.rank() == 0)
    std::printf("%zu levels, factor %.3f for each cycle, error of the solution at most %.2e%s\n",
      all.size(), factor, error.get(), right ? "" : ", which is wrong: please report this");
  return right;
}

} // namespace

int main(int argc, char** argv) {
  std::int64_t intervals = 256;
  int dimensions = 2;
  bool full = false;
  options o("Multigrid: levels of a mesh.");
  o.argument("INTERVALS", &intervals, "along each edge: a power of two, or a small multiple of one")
    .between(2, 1 << 20);
  o.argument("DIMENSIONS", &dimensions, "of a square or a cube").between(2, 3);
  o.flag("full", &full, "begin on the coarsest level");
  o.parse(argc, argv);
  return rondo::run(argc, argv, [&](scheduler& s) {
    const bool right =
      dimensions == 2 ? solve<2>(s, intervals, full) : solve<3>(s, intervals, full);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
  });
}
