// Conjugate gradients as a program of tasks, with the kernels, the start and the output of
// peers/mpi/conjugate_gradient.cpp. Alpha and beta are futures: the main thread waits for none of them.
//
//   mpirun -np 2 rondo_conjugate_gradient --nx 1024 --ny 1024 --iterations 100
//
// With --tolerance it stops as soon as |r| is so small a part of what it was.

#include "rondo/programs/program.hpp"
#include "solver/kernel.hpp"

#include <cmath>
#include <tuple>

using namespace rondo;
using bench::solver::problem;
using bench::solver::stencil;

namespace {

using grid = structured<2>;
using numbers = field<double>;

problem problem_of(const grid::view& m) { return {m.mesh().hi[0], m.mesh().hi[1]}; }

namespace task {

void start(grid::view m, numbers::accessor<wo> u, numbers::accessor<wo> p) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      u(i, j) = p(i, j) = problem_of(m).start(i, j);
}

// r = p = f - A u, of which `apply` has left A u in q. Not on the boundary, where p is 0 already.
double begin(
  grid::view m, numbers::accessor<rw> r, numbers::accessor<rw> p, numbers::accessor<ro> q) {
  const problem of = problem_of(m);
  const auto x = m.interior(0);
  double sum = 0;
  for(const auto j : m.interior(1)) {
    for(const auto i : x)
      r(i, j) = p(i, j) = of.source(i, j) - q(i, j);
    sum += bench::solver::dot(r.row(j), r.row(j), x.first(), x.last());
  }
  return sum;
}

// q = A p; p q.
double apply(grid::view m, numbers::accessor<rw> q, numbers::accessor<ro, ro> p) {
  const stencil a(problem_of(m));
  const auto x = m.interior(0);
  double sum = 0;
  for(const auto j : m.interior(1))
    sum +=
      bench::solver::apply(a, q.row(j), p.row(j), p.row(j - 1), p.row(j + 1), x.first(), x.last());
  return sum;
}

// u += alpha p, r -= alpha q; r r.
double advance(grid::view m, numbers::accessor<rw> u, numbers::accessor<rw> r,
  numbers::accessor<ro> p, numbers::accessor<ro> q, double alpha) {
  const auto x = m.interior(0);
  double sum = 0;
  for(const auto j : m.interior(1))
    sum +=
      bench::solver::advance(alpha, u.row(j), p.row(j), r.row(j), q.row(j), x.first(), x.last());
  return sum;
}

// p = r + beta p.
void turn(grid::view m, numbers::accessor<rw> p, numbers::accessor<ro> r, double beta) {
  const auto x = m.interior(0);
  for(const auto j : m.interior(1))
    bench::solver::turn(beta, p.row(j), r.row(j), x.first(), x.last());
}

double squares(grid::view m, numbers::accessor<ro> r) {
  const auto x = m.interior(0);
  double sum = 0;
  for(const auto j : m.interior(1))
    sum += bench::solver::dot(r.row(j), r.row(j), x.first(), x.last());
  return sum;
}
double error(grid::view m, numbers::accessor<ro> u) {
  const auto x = m.interior(0);
  double sum = 0;
  for(const auto j : m.interior(1))
    sum += bench::solver::error(problem_of(m), u.row(j), 0, j, x.first(), x.last());
  return sum;
}

} // namespace task

using two = std::tuple<double, double>;
double quotient(const two& of) { return std::get<0>(of) / std::get<1>(of); }

struct options : bench::programs::solver_options {
  std::uint64_t iterations = 100;
  double tolerance = 0;
  std::string mode = "iterate";
};

class conjugate_gradient {
public:
  conjugate_gradient(scheduler& s, const options& o) : s_(s), o_(o), m_{s, o.mesh()} {}

  void restart() {
    s_.execute<task::start>(m_, u_, p_);
    static_cast<void>(s_.reduce<task::apply, fold::sum>(m_, q_, p_));
    first_ = squares_ = s_.reduce<task::begin, fold::sum>(m_, r_, p_, q_);
  }

  // How many iterations are done; those of `plain` and `trace` are all of them.
  future<std::uint64_t> solve() {
    if(o_.mode == "iterate")
      return s_.iterate(trace_, {.max = o_.iterations}, [this](std::uint64_t) {
        iterate();
        const double enough = o_.tolerance * o_.tolerance;
        return when_all(squares_, first_).then([enough](const two& of) {
          return !(std::get<0>(of) > enough * std::get<1>(of));
        });
      });
    for(std::uint64_t k = 0; k != o_.iterations; ++k)
      if(o_.mode == "trace") {
        const auto g = trace_.make_guard();
        iterate();
      }
      else
        iterate();
    return make_ready(o_.iterations);
  }

  grid& mesh() { return m_; }
  double residual() { return std::sqrt(s_.reduce<task::squares, fold::sum>(m_, r_).get()); }
  double error() { return s_.reduce<task::error, fold::sum>(m_, u_).get(); }

private:
  void iterate() {
    const future<double> pq = s_.reduce<task::apply, fold::sum>(m_, q_, p_);
    const future<double> alpha = when_all(squares_, pq).then(quotient);
    const future<double> before = squares_;
    squares_ = s_.reduce<task::advance, fold::sum>(m_, u_, r_, p_, q_, alpha);
    s_.execute<task::turn>(m_, p_, r_, when_all(squares_, before).then(quotient));
  }

  scheduler& s_;
  const options& o_;
  grid m_;
  numbers u_{m_, "u"}, r_{m_, "r"}, p_{m_, "p"}, q_{m_, "q"};
  trace trace_;
  future<double> squares_; // of r, over all ranks
  future<double> first_;
};

} // namespace

int main(int argc, char** argv) {
  options o;
  bench::arguments args;
  o.add_to(args);
  args.add("--iterations", o.iterations, "how many, each time from the start").positive();
  args.add("--tolerance", o.tolerance, "stop when |r| is so small a part of the first one");
  args
    .add("--mode", o.mode, "iterate; without a tolerance also plain (repeats are found) and trace")
    .one_of({"iterate", "plain", "trace"});
  if(const auto status = args.try_parse(argc, argv))
    return *status;

  return rondo::run(argc, argv, [&](scheduler& s) {
    if(o.tolerance != 0 && o.mode != "iterate")
      throw std::invalid_argument("--tolerance needs --mode iterate");
    conjugate_gradient g(s, o);
    bench::programs::stopwatch time(s);
    future<std::uint64_t> done;
    for(int rep = -1; rep < o.reps; ++rep) {
      g.restart();
      time.measure([&] { done = g.solve(); });
      if(rep < 0)
        time.forget(); // the first time, to get warm
    }
    const problem p{o.nx, o.ny};
    bench::line line = bench::programs::describe(s, g.mesh(), o.mode);
    line["iterations"] = done.get();
    time.report(line, "iteration", static_cast<double>(done.get()));
    line["residual"] = g.residual();
    line["error"] = std::sqrt(g.error() * p.hx() * p.hy());
    bench::programs::print(s, line);
  });
}
