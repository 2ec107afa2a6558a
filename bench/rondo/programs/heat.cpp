// Implicit heat as a program of tasks, with the kernels and the output of peers/mpi/heat.cpp: loops in a loop, and the
// main thread waits for none of the numbers that end them.
//
//   mpirun -np 2 rondo_heat --nx 1024 --ny 1024 --steps 10
//
// --mode get writes the same loops as anybody would, and asks for each number.

#include "nested/kernel.hpp"
#include "rondo/programs/program.hpp"

#include <algorithm>
#include <tuple>

using namespace rondo;
using bench::nested::heat;
using bench::solver::problem;
using bench::solver::stencil;

namespace {

using grid = structured<2>;
using numbers = field<double>;

problem problem_of(const grid::view& m) { return {m.mesh().hi[0], m.mesh().hi[1]}; }

namespace task {

void start(
  grid::view m, numbers::accessor<wo> u, numbers::accessor<wo> f, numbers::accessor<wo> p) {
  const heat h{problem_of(m), 0};
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0)) {
      const bool is_inside = i > 0 && i < h.mesh.nx - 1 && j > 0 && j < h.mesh.ny - 1;
      u(i, j) = is_inside ? h.start(i, j) : 0;
      f(i, j) = is_inside ? h.mesh.source(i, j) : 0;
      p(i, j) = 0;
    }
}

// r = f - A u; the largest of |r|.
double rate(
  grid::view m, numbers::accessor<rw> r, numbers::accessor<ro, ro> u, numbers::accessor<ro> f) {
  const stencil a(problem_of(m));
  const auto x = m.interior(0);
  double largest = 0;
  for(const auto j : m.interior(1))
    fold::max(largest, bench::nested::rate(a, r.row(j), u.row(j), u.row(j - 1), u.row(j + 1),
                         f.row(j), x.first(), x.last()));
  return largest;
}

// w = 0, p = r = dt r; r r.
double begin(grid::view m, numbers::accessor<rw> w, numbers::accessor<rw> p,
  numbers::accessor<rw> r, double dt) {
  const auto x = m.interior(0);
  double sum = 0;
  for(const auto j : m.interior(1))
    sum += bench::nested::begin(dt, w.row(j), p.row(j), r.row(j), x.first(), x.last());
  return sum;
}

// q = p + dt/2 A p; p q.
double apply(grid::view m, numbers::accessor<rw> q, numbers::accessor<ro, ro> p, double dt) {
  const stencil a(problem_of(m));
  const auto x = m.interior(0);
  double sum = 0;
  for(const auto j : m.interior(1))
    sum += bench::nested::apply(
      a, dt / 2, q.row(j), p.row(j), p.row(j - 1), p.row(j + 1), x.first(), x.last());
  return sum;
}

// w += alpha p, r -= alpha q; r r.
double advance(grid::view m, numbers::accessor<rw> w, numbers::accessor<rw> r,
  numbers::accessor<ro> p, numbers::accessor<ro> q, double alpha) {
  const auto x = m.interior(0);
  double sum = 0;
  for(const auto j : m.interior(1))
    sum +=
      bench::solver::advance(alpha, w.row(j), p.row(j), r.row(j), q.row(j), x.first(), x.last());
  return sum;
}

// p = r + beta p.
void turn(grid::view m, numbers::accessor<rw> p, numbers::accessor<ro> r, double beta) {
  const auto x = m.interior(0);
  for(const auto j : m.interior(1))
    bench::solver::turn(beta, p.row(j), r.row(j), x.first(), x.last());
}

void take(grid::view m, numbers::accessor<rw> u, numbers::accessor<ro> w) {
  const auto x = m.interior(0);
  for(const auto j : m.interior(1))
    bench::nested::take(u.row(j), w.row(j), x.first(), x.last());
}

double square(grid::view m, numbers::accessor<ro> u) {
  const auto x = m.interior(0);
  double sum = 0;
  for(const auto j : m.interior(1))
    sum += bench::solver::dot(u.row(j), u.row(j), x.first(), x.last());
  return sum;
}

} // namespace task

using two = std::tuple<double, double>;
double quotient(const two& of) { return std::get<0>(of) / std::get<1>(of); }
double sum_of(const two& of) { return std::get<0>(of) + std::get<1>(of); }

struct options : bench::programs::solver_options {
  double steps = 10;
  double tolerance = 1e-6;
  std::string mode = "iterate";
};

class solver {
public:
  solver(scheduler& s, const options& o)
      : s_(s), is_blocking_(o.mode == "get"), enough_(o.tolerance * o.tolerance), m_{s, o.mesh()},
        heat_{{o.nx, o.ny}, o.steps} {}

  void restart() {
    s_.execute<task::start>(m_, u_, f_, p_);
    time_ = make_ready(0.0);
    iterations_ = make_ready(std::uint64_t{0});
  }

  void solve() {
    if(is_blocking_) {
      bool is_over = false;
      while(!is_over)
        is_over = step().get();
    }
    else
      static_cast<void>(s_.iterate(steps_, {}, [this] { return step(); }));
  }

  grid& mesh() { return m_; }
  // Of the last step that was launched; those that are in vain have none.
  [[nodiscard]] double time() { return seen_.time; }
  [[nodiscard]] std::uint64_t iterations() { return seen_.iterations; }
  double square() { return s_.reduce<task::square, fold::sum>(m_, u_).get(); }

  struct done {
    double time = 0;
    std::uint64_t iterations = 0;
  };

private:
  future<bool> step() {
    const future<double> dt =
      s_.reduce<task::rate, fold::max>(m_, r_, u_, f_).then([h = heat_](double rate) {
        return h.step(rate);
      });
    first_ = squares_ = s_.reduce<task::begin, fold::sum>(m_, w_, p_, r_, dt);
    future<std::uint64_t> n;
    if(is_blocking_) {
      std::uint64_t k = 0;
      for(bool is_over = false; !is_over; ++k) {
        const auto guard = inner_.make_guard();
        is_over = iterate(dt).get();
      }
      n = make_ready(k);
    }
    else
      n = s_.iterate(inner_, {.max = 1000}, [&] { return iterate(dt); });
    s_.execute<task::take>(m_, u_, w_);
    time_ = when_all(time_, dt).then(sum_of);
    iterations_ =
      when_all(iterations_, n).then([](const std::tuple<std::uint64_t, std::uint64_t>& of) {
        return std::get<0>(of) + std::get<1>(of);
      });
    return when_all(time_, iterations_).then([this](const std::tuple<double, std::uint64_t>& now) {
      seen_ = {std::get<0>(now), std::get<1>(now)}; // one step at a time
      return heat_.is_over(seen_.time);
    });
  }

  future<bool> iterate(const future<double>& dt) {
    const future<double> pq = s_.reduce<task::apply, fold::sum>(m_, q_, p_, dt);
    const future<double> before = squares_;
    squares_ =
      s_.reduce<task::advance, fold::sum>(m_, w_, r_, p_, q_, when_all(before, pq).then(quotient));
    s_.execute<task::turn>(m_, p_, r_, when_all(squares_, before).then(quotient));
    return when_all(squares_, first_).then([enough = enough_](const two& of) {
      return !(std::get<0>(of) > enough * std::get<1>(of));
    });
  }

  scheduler& s_;
  const bool is_blocking_;
  const double enough_;
  grid m_;
  const heat heat_;
  numbers u_{m_, "u"}, f_{m_, "f"}, r_{m_, "r"}, p_{m_, "p"}, q_{m_, "q"}, w_{m_, "w"};
  trace steps_{"steps"}, inner_{"iterations"};
  future<double> squares_; // of r, over all ranks
  future<double> first_;
  future<double> time_;
  future<std::uint64_t> iterations_;
  done seen_;
};

} // namespace

int main(int argc, char** argv) {
  options o;
  bench::arguments args;
  o.add_to(args);
  args.add("--steps", o.steps, "of the longest length, that make up the time");
  args.add("--tolerance", o.tolerance, "an inner loop ends when |r| is so small a part");
  args.add("--mode", o.mode, "iterate, or get: ask for each number").one_of({"iterate", "get"});
  if(const auto status = args.try_parse(argc, argv))
    return *status;

  return rondo::run(argc, argv, [&](scheduler& s) {
    solver g(s, o);
    bench::programs::stopwatch time(s);
    for(int rep = -1; rep < o.reps; ++rep) {
      g.restart();
      time.measure([&] { g.solve(); });
      if(rep < 0)
        time.forget(); // the first time, to get warm
    }
    bench::line line = bench::programs::describe(s, g.mesh(), o.mode);
    line["iterations"] = g.iterations();
    time.report(line, "iteration", static_cast<double>(g.iterations()));
    line["time"] = g.time();
    line["square"] = g.square();
    bench::programs::print(s, line);
  });
}
