// Loops in loops: time steps of a length that the solution chooses, and in each a solver that ends when it is done.
//
//     13_implicit_heat [POINTS [TIME]]        (129 0.02)
//     mpirun -np 4 13_implicit_heat 513
//
// Heat on the unit square, u' = Laplace u, with u = 0 on the edges, on POINTS x POINTS points with the
// edges. Each step solves (1 - dt/2 Laplace) w = dt Laplace u for its change w (Crank-Nicolson), by
// conjugate gradients. The step is as long as it may be for no point to change by more than a
// hundredth; a step that would go beyond TIME is cut. How many steps there are, and how many iterations in each,
// only tasks know. The main thread launches both loops and waits for nothing before the end.
//
// The first task is a loop of its own over rows, with which all cores help (`for_each_index`).

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <rondo/core.hpp>
#include <rondo/options.hpp>
#include <rondo/rondo.hpp>
#include <tuple>

using namespace rondo;
using grid = structured<2>;
using values = field<double>;

namespace {

double distance(const grid::view& m) { return 1 / double(m.mesh().hi[0] - 1); }

template<class Field>
double laplace(const Field& u, std::int64_t i, std::int64_t j, double h) {
  return (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) - 4 * u(i, j)) / (h * h);
}

double wave(double n, double x) { return std::sin(n * std::numbers::pi * x); }

namespace task {

/// Two waves, of which each decays on its own.
void start(grid::view m, values::accessor<wo> u) {
  const double h = distance(m);
  const auto x_last = m.mesh().hi[0] - 1, y_last = m.mesh().hi[1] - 1;
  // Sines cost more than all else here. So workers that have nothing to do help with rows of this task.
  for_each_index(extents{std::size_t(m.owned(1).size())}, [&](std::size_t row) {
    const auto j = m.owned(1).first() + std::int64_t(row);
    for(auto i : m.owned(0)) {
      const bool is_edge = i == 0 || j == 0 || i == x_last || j == y_last;
      const double x = h * double(i), y = h * double(j);
      u(i, j) = is_edge ? 0 : wave(1, x) * wave(1, y) + wave(2, x) * wave(3, y) / 2;
    }
  });
}

/// r = Laplace u. Returns the fastest change.
double rate(grid::view m, values::accessor<rw> r, values::accessor<ro, ro> u) {
  double fastest = 0;
  for(auto j : m.interior(1))
    for(auto i : m.interior(0)) {
      r(i, j) = laplace(u, i, j, distance(m));
      fold::max(fastest, std::abs(r(i, j)));
    }
  return fastest;
}

/// w = 0, p = r = dt r. Returns |r|^2.
double begin(
  grid::view m, values::accessor<rw> w, values::accessor<rw> r, values::accessor<rw> p, double dt) {
  double sum = 0;
  for(auto j : m.interior(1))
    for(auto i : m.interior(0)) {
      w(i, j) = 0;
      r(i, j) = p(i, j) = dt * r(i, j);
      sum += r(i, j) * r(i, j);
    }
  return sum;
}

/// q = p - dt/2 Laplace p. Returns p q.
double apply(grid::view m, values::accessor<rw> q, values::accessor<ro, ro> p, double dt) {
  double sum = 0;
  for(auto j : m.interior(1))
    for(auto i : m.interior(0)) {
      q(i, j) = p(i, j) - dt / 2 * laplace(p, i, j, distance(m));
      sum += p(i, j) * q(i, j);
    }
  return sum;
}

/// w += alpha p, r -= alpha q. Returns |r|^2.
double advance(grid::view m, values::accessor<rw> w, values::accessor<rw> r, values::accessor<ro> p,
  values::accessor<ro> q, double alpha) {
  double sum = 0;
  for(auto j : m.interior(1))
    for(auto i : m.interior(0)) {
      w(i, j) += alpha * p(i, j);
      r(i, j) -= alpha * q(i, j);
      sum += r(i, j) * r(i, j);
    }
  return sum;
}

/// p = r + beta p.
void turn(grid::view m, values::accessor<rw> p, values::accessor<ro> r, double beta) {
  for(auto j : m.interior(1))
    for(auto i : m.interior(0))
      p(i, j) = r(i, j) + beta * p(i, j);
}

void add(grid::view m, values::accessor<rw> u, values::accessor<ro> w) {
  for(auto j : m.interior(1))
    for(auto i : m.interior(0))
      u(i, j) += w(i, j);
}

double worst_error(grid::view m, values::accessor<ro> u, double time) {
  constexpr double pi2 = std::numbers::pi * std::numbers::pi;
  const double h = distance(m), a = std::exp(-2 * pi2 * time), b = std::exp(-13 * pi2 * time) / 2;
  double worst = 0;
  for(auto j : m.owned(1))
    for(auto i : m.owned(0)) {
      const double x = h * double(i), y = h * double(j);
      const double exact = a * wave(1, x) * wave(1, y) + b * wave(2, x) * wave(3, y);
      fold::max(worst, std::abs(u(i, j) - exact));
    }
  return worst;
}

/// On rank 0, when it is known.
void report(std::uint64_t step, double time, double dt, std::uint64_t iterations) {
  if(step % 10 == 0)
    std::printf("step %3llu: t = %.5f, dt = %.1e, %llu iterations\n",
      static_cast<unsigned long long>(step), time, dt, static_cast<unsigned long long>(iterations));
}
void end(std::uint64_t steps, double time) {
  std::printf("%llu steps to t = %g\n", static_cast<unsigned long long>(steps), time);
}

} // namespace task

using two = std::tuple<double, double>;
double quotient(const two& of) { return std::get<0>(of) / std::get<1>(of); }
double sum(const two& of) { return std::get<0>(of) + std::get<1>(of); }
/// Also if it is no number (NaN): then both loops end, and the result is wrong.
bool is_small(const two& of) { return !(std::get<0>(of) > 1e-20 * std::get<1>(of)); }

bool solve(scheduler& s, std::int64_t points, double until) {
  grid m{s, {.extents = {points, points}}};
  values u{m, "u"}, w{m, "w"}, r{m, "r"}, p{m, "p"}, q{m, "q"}; // all 0, and their edges stay
  trace steps{"steps"}, iterations{"iterations"};

  s.execute<task::start>(m, u);
  future<double> time = make_ready(0.0);
  const auto [step_count, end] = s.iterate(steps, {}, [&](std::uint64_t step) {
    const future<double> fastest = s.reduce<task::rate, fold::max>(m, r, u);
    const future<double> dt = when_all(time, fastest).then([until](const two& of) {
      const auto [now, rate] = of;
      return std::min(0.01 / rate, until - now);
    });
    const future<double> first = s.reduce<task::begin, fold::sum>(m, w, r, p, dt);
    future<double> r2 = first;
    const future<std::uint64_t> inner = s.iterate(iterations, {.max = 1000}, [&] {
      const future<double> pq = s.reduce<task::apply, fold::sum>(m, q, p, dt);
      const future<double> before = r2;
      r2 = s.reduce<task::advance, fold::sum>(m, w, r, p, q, when_all(before, pq).then(quotient));
      s.execute<task::turn>(m, p, r, when_all(r2, before).then(quotient));
      return when_all(r2, first).then(is_small);
    });
    s.execute<task::add>(m, u, w);
    time = when_all(time, dt).then(sum);
    s.execute<task::report>(step, time, dt, inner);
    return leave_if(time.then([until](double now) { return !(now < until * (1 - 1e-12)); }), time);
  });
  s.execute<task::end>(step_count, end);
  // Here it waits for the first time.
  const double error = s.reduce<task::worst_error, fold::max>(m, u, end).get();
  const double h = 1 / double(points - 1);
  const bool right = error <= 20 * h * h + 1e-4; // of the mesh, and of the steps
  if(s.rank() == 0)
    std::printf(
      "largest error: %.1e%s\n", error, right ? "" : ", which is too much: please report this");
  return right;
}

} // namespace

int main(int argc, char** argv) {
  std::int64_t points = 129;
  double time = 0.02;
  options o("Time steps with a solver in each.");
  o.argument("POINTS", &points, "along each edge of the square").between(4, 1'000'000);
  o.argument("TIME", &time, "until when").between(1e-9, 1);
  o.parse(argc, argv);
  return rondo::run(
    argc, argv, [&](scheduler& s) { return solve(s, points, time) ? EXIT_SUCCESS : EXIT_FAILURE; });
}
