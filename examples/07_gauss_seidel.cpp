// Poisson's problem on the unit square, solved with red-black Gauss-Seidel on any number of ranks.
//
//     mpirun -np 4 07_gauss_seidel [--nx 1024] [--ny NX] [--sweeps 2000] [--sub 20] [--tolerance 0]
//                  [--colors XxY] [--k 12] [--l 2] [--mode iterate|trace|plain|blocking]
//                  [--picture FILE]
//
//   -Laplace u = pi^2 (K^2 + L^2) sin(K pi x) sin(L pi y),   u = 0 on the boundary and at the start.
//
// Each sweep relaxes first the red vertices, those with an even sum of coordinates, and then the black
// ones. After every `sub` sweeps the residual is summed up over all ranks; a task prints it when
// it is there, and nobody waits for it. With a tolerance the loop ends in the pass whose residual is
// below, which is found out while later passes are launched already.
//
// The modes have the same result: `iterate` as above; `trace` is the loop that FleCSI's users write;
// `plain` is a loop and nothing else, which Rondo finds out to repeat; `blocking` asks for each residual
// with get(), as one shouldn't.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <numbers>
#include <string>
#include <vector>

#include <rondo/options.hpp>
#include <rondo/rondo.hpp>
#include <unistd.h>

using namespace rondo;

namespace {

using grid = structured<2>;
using numbers = field<double>;

// --- the problem ----------------------------------------------------------------------------------

/// Handed to tasks by value, so it is small.
struct problem {
  std::int64_t nx = 1024;
  std::int64_t ny = 0;
  double k = 12;
  double l = 2;

  double hx() const { return 1.0 / static_cast<double>(nx - 1); }
  double hy() const { return 1.0 / static_cast<double>(ny - 1); }
  double exact(std::int64_t i, std::int64_t j) const {
    constexpr double pi = std::numbers::pi;
    return std::sin(k * pi * hx() * static_cast<double>(i)) *
           std::sin(l * pi * hy() * static_cast<double>(j));
  }
  double source(std::int64_t i, std::int64_t j) const {
    return std::numbers::pi * std::numbers::pi * (k * k + l * l) * exact(i, j);
  }
};

namespace task {

void start(grid::view m, numbers::accessor<wo> u, numbers::accessor<wo> f, problem p) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0)) {
      u(i, j) = 0;
      f(i, j) = p.source(i, j);
    }
}

/// The vertices of a row are given by m.red(j) or m.black(j).
template<class Row>
void relax(const Row& vertices, std::int64_t j, numbers::accessor<rw, still> u,
  numbers::accessor<ro> f, const problem& p) {
  const double x = 1 / (p.hx() * p.hx());
  const double y = 1 / (p.hy() * p.hy());
  const double center = 1 / (2 * x + 2 * y);
  double* const here = u.row(j);
  const double* const below = u.row(j - 1);
  const double* const above = u.row(j + 1);
  const double* const right = f.row(j);
  for(const auto i : vertices)
    here[i] = center * (right[i] + x * (here[i - 1] + here[i + 1]) + y * (below[i] + above[i]));
}

void red(grid::view m, numbers::accessor<rw, still> u, numbers::accessor<ro> f, problem p) {
  for(const auto j : m.interior(1))
    relax(m.red(j), j, u, f, p);
}
void black(grid::view m, numbers::accessor<rw, still> u, numbers::accessor<ro> f, problem p) {
  for(const auto j : m.interior(1))
    relax(m.black(j), j, u, f, p);
}

/// The sum of the squares of f - A u.
double residual(grid::view m, numbers::accessor<ro, ro> u, numbers::accessor<ro> f, problem p) {
  const double x = 1 / (p.hx() * p.hx());
  const double y = 1 / (p.hy() * p.hy());
  double sum = 0;
  for(const auto j : m.interior(1))
    for(const auto i : m.interior(0)) {
      const double r = f(i, j) - x * (2 * u(i, j) - u(i - 1, j) - u(i + 1, j)) -
                       y * (2 * u(i, j) - u(i, j - 1) - u(i, j + 1));
      sum += r * r;
    }
  return sum;
}

double error(grid::view m, numbers::accessor<ro> u, problem p) {
  double sum = 0;
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0)) {
      const double e = u(i, j) - p.exact(i, j);
      sum += e * e;
    }
  return sum;
}

// --- what is printed, on rank 0 -------------------------------------------------------------------

std::vector<double> history;

void report(double r2, std::int64_t sweep, std::int64_t most) {
  history.push_back(std::sqrt(r2));
  const bool is_terminal = isatty(STDOUT_FILENO) != 0;
  constexpr int width = 40;
  if(is_terminal) {
    const int done = static_cast<int>(width * sweep / most);
    std::printf("\r[%.*s%*s] sweep %lld, residual %.4e ", done,
      "########################################", width - done, "", static_cast<long long>(sweep),
      history.back());
    std::fflush(stdout);
  }
}

} // namespace task

// --- the program ----------------------------------------------------------------------------------

struct choices {
  problem p;
  std::int64_t sweeps = 2000;
  std::int64_t sub = 20;
  double tolerance = 0;
  point<2> colors{};
  std::string mode = "iterate";
  std::string picture;
};

void solve(scheduler& s, const choices& o) {
  const problem& p = o.p;
  grid m{s, {.extents = {p.nx, p.ny}, .colors = o.colors}};
  numbers u{m, "u"};
  numbers f{m, "f"};
  s.execute<task::start>(m, u, f, p);

  // One pass of the loop; the future is the sum of squares.
  const auto pass = [&](std::int64_t begin) {
    const std::int64_t end = std::min(begin + o.sub, o.sweeps);
    for(std::int64_t k = begin; k != end; ++k) {
      s.execute<task::red>(m, u, f, p);
      s.execute<task::black>(m, u, f, p);
    }
    const auto r2 = s.reduce<task::residual, fold::sum>(m, u, f, p);
    s.execute<task::report>(r2, end, o.sweeps);
    return r2;
  };
  const double least = o.tolerance * o.tolerance;

  trace t;
  run_summary summary(s);
  future<double> r2;
  if(o.mode == "iterate") {
    const auto most = static_cast<std::uint64_t>((o.sweeps + o.sub - 1) / o.sub);
    const auto passes = s.iterate({.max = most}, [&](std::uint64_t n) {
      r2 = pass(static_cast<std::int64_t>(n) * o.sub);
      return r2.then([least](double x) { return x < least; });
    });
    static_cast<void>(passes); // how many it will have been
  }
  else {
    for(std::int64_t k = 0; k < o.sweeps; k += o.sub) {
      if(o.mode == "trace") {
        const auto g = t.make_guard();
        r2 = pass(k);
      }
      else
        r2 = pass(k);
      if(o.mode == "blocking" && r2.get() < least)
        break;
    }
  }
  s.wait();
  const std::string text = summary.text(&t);

  const double e2 = s.reduce<task::error, fold::sum>(m, u, p).get();
  if(s.rank() == 0) {
    const auto& h = task::history;
    std::printf("%sresidual", isatty(STDOUT_FILENO) != 0 ? "\n\n" : "");
    const std::size_t shown = std::min<std::size_t>(h.size(), 8);
    for(std::size_t i = 0; i != shown; ++i) {
      const std::size_t at = shown == 1 ? 0 : i * (h.size() - 1) / (shown - 1);
      std::printf("%s %7lld sweeps  %.6e\n", i == 0 ? "  " : "          ",
        static_cast<long long>(
          std::min<std::int64_t>(static_cast<std::int64_t>(at + 1) * o.sub, o.sweeps)),
        h[at]);
    }
    std::printf("l2 error of u         %.6e\n\n", std::sqrt(e2 * p.hx() * p.hy()));
  }
  if(!o.picture.empty()) {
    s.write(o.picture, m, u);
    s.wait(); // until it is there
    if(s.rank() == 0)
      std::printf("picture of u         %s\n", o.picture.c_str());
  }
  if(s.rank() == 0)
    std::printf("%s", text.c_str());
}

// --- options --------------------------------------------------------------------------------------

choices parse(int argc, char** argv) {
  choices c;
  rondo::options o("Poisson's problem, by red-black Gauss-Seidel.");
  constexpr std::int64_t most = 1'000'000;
  o.add("nx", &c.p.nx, "vertices along x").between(3, most);
  const auto ny = o.add("ny", &c.p.ny, "vertices along y, if not as along x").between(3, most);
  o.add("sweeps", &c.sweeps, "at the most").between(1, most * most);
  o.add("sub", &c.sub, "sweeps from residual to residual").between(1, most * most);
  o.add("tolerance", &c.tolerance, "ends below that residual; 0: never").between(0, 1e300);
  o.add("k", &c.p.k, "waves of the solution along x, times 2").between(-1e6, 1e6);
  o.add("l", &c.p.l, "and along y").between(-1e6, 1e6);
  o.add("mode", &c.mode, "how the loop is written")
    .one_of({"iterate", "trace", "plain", "blocking"});
  o.add("picture", &c.picture, "the solution: .png, .vti");
  const auto colors =
    o.add("colors", std::array<std::int64_t, 2>{}, "pieces of the mesh along x and y, as in 4x2")
      .at_least(1);
  o.parse(argc, argv);
  if(!ny.given())
    c.p.ny = c.p.nx;
  c.colors = {(*colors)[0], (*colors)[1]};
  return c;
}

} // namespace

int main(int argc, char** argv) {
  const choices o = parse(argc, argv);
  return rondo::run(argc, argv, [&](scheduler& s) { solve(s, o); });
}
