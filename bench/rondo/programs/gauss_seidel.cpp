// Red-black Gauss-Seidel as a program of tasks, with the kernels and the output of
// peers/mpi/gauss_seidel.cpp.
//
//   mpirun -np 2 rondo_gauss_seidel --nx 1024 --ny 1024 --sweeps 100

#include "rondo/programs/program.hpp"
#include "solver/kernel.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace rondo;
using bench::solver::color;
using bench::solver::problem;
using bench::solver::stencil;

namespace {

using grid = structured<2>;
using numbers = field<double>;

problem problem_of(const grid::view& m) { return {m.mesh().hi[0], m.mesh().hi[1]}; }

void zero(grid::view m, numbers::accessor<wo> u) {
  for(const auto j : m.owned(1))
    std::fill_n(u.row(j) + m.owned(0).first(), m.owned(0).size(), 0.0);
}
void source(grid::view m, numbers::accessor<wo> f) {
  const problem p = problem_of(m);
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      f(i, j) = p.source(i, j);
}

template<color C>
void relax(grid::view m, numbers::accessor<rw, still> u, numbers::accessor<ro> f) {
  const stencil a(problem_of(m));
  const auto x = m.interior(0);
  for(const auto j : m.interior(1))
    bench::solver::relax(a, u.row(j), u.row(j - 1), u.row(j + 1), f.row(j), x.first(), x.last(),
      bench::solver::parity(C, 0, j));
}

double residual(grid::view m, numbers::accessor<ro, ro> u, numbers::accessor<ro> f) {
  const stencil a(problem_of(m));
  const auto x = m.interior(0);
  double sum = 0;
  for(const auto j : m.interior(1))
    sum += bench::solver::residual(
      a, u.row(j), u.row(j - 1), u.row(j + 1), f.row(j), x.first(), x.last());
  return sum;
}
double error(grid::view m, numbers::accessor<ro> u) {
  const problem p = problem_of(m);
  const auto x = m.interior(0);
  double sum = 0;
  for(const auto j : m.interior(1))
    sum += bench::solver::error(p, u.row(j), 0, j, x.first(), x.last());
  return sum;
}
void keep(double, double* last) { *last += 1; }

struct options : bench::programs::solver_options {
  int sweeps = 100;
  int sub = 10;
  std::string mode = "plain";
  std::size_t stages = 0;
};

void solve(scheduler& s, const options& o, grid& m, numbers& u, numbers& f, trace& t) {
  static double reports = 0;
  const int pass = o.sub > 0 ? o.sub : o.sweeps;
  const auto sweeps = [&](int n) {
    for(int k = 0; k < n; ++k) {
      s.execute<relax<color::red>>(m, u, f);
      s.execute<relax<color::black>>(m, u, f);
    }
    if(o.sub > 0)
      s.execute<keep>(s.reduce<residual, fold::sum>(m, u, f), &reports);
  };
  if(o.mode == "repeat") {
    s.repeat(static_cast<std::uint64_t>(o.sweeps), [&] { sweeps(1); });
    return;
  }
  for(int done = 0; done < o.sweeps; done += pass) {
    if(o.mode == "trace") {
      const auto g = t.make_guard();
      sweeps(std::min(pass, o.sweeps - done));
    }
    else
      sweeps(std::min(pass, o.sweeps - done));
  }
}

} // namespace

int main(int argc, char** argv) {
  options o;
  bench::arguments args;
  o.add_to(args);
  args.add("--sweeps", o.sweeps, "how many, each time from the start").positive();
  args.add("--sub", o.sub, "sweeps between two residuals; 0: only one, in the end");
  args.add("--mode", o.mode, "plain (repeats are found), trace, repeat")
    .one_of({"plain", "trace", "repeat"});
  args.add("--stages", o.stages, "launches that are made color by color; 0: the best number");
  if(const auto status = args.try_parse(argc, argv))
    return *status;
  if(o.mode == "repeat" && o.sub != 0) {
    std::fputs(
      "rondo_gauss_seidel: --mode repeat launches its body once, so residuals in between can't "
      "be told; add --sub 0\n",
      stderr);
    return 1;
  }

  return rondo::run(argc, argv, [&](scheduler& s) {
    auto shape = o.mesh();
    shape.stages = o.stages;
    grid m{s, shape};
    numbers u{m, "u"};
    numbers f{m, "f"};
    s.execute<source>(m, f);
    trace t;
    bench::programs::stopwatch time(s);
    for(int rep = -1; rep < o.reps; ++rep) {
      s.execute<zero>(m, u);
      time.measure([&] { solve(s, o, m, u, f, t); });
      if(rep < 0)
        time.forget(); // the first time, to get warm
    }
    const double r2 = s.reduce<residual, fold::sum>(m, u, f).get();
    const double e2 = s.reduce<error, fold::sum>(m, u).get();
    const problem p{o.nx, o.ny};
    bench::line line = bench::programs::describe(s, m, o.mode);
    line["sweeps"] = o.sweeps;
    line["sub"] = o.sub;
    time.report(line, "sweep", o.sweeps);
    line["residual"] = std::sqrt(r2);
    line["error"] = std::sqrt(e2 * p.hx() * p.hy());
    bench::programs::print(s, line);
  });
}
