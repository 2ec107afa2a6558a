// Conjugate gradients whose numbers nobody waits for.
//
//     08_conjugate_gradient [POINTS [TOLERANCE]]        (256 1e-10)
//     mpirun -np 4 08_conjugate_gradient 1024
//
// Poisson's equation on the unit square, -Laplace u = f, where u is 0 on the edges. The mesh has
// POINTS x POINTS points with the edges. CG computes two numbers in each pass, alpha and beta, from
// sums over the whole mesh, and goes on with them. Here they are futures. Tasks that take them
// start when they are there; the main thread has long launched the next passes. It doesn't know
// when the loop will end, either: passes that turn out to be too many do not run.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <rondo/options.hpp>
#include <rondo/rondo.hpp>
#include <tuple>

using namespace rondo;
using grid = structured<2>;
using numbers = field<double>;

namespace {

double distance(const grid::view& m) { return 1 / double(m.mesh().hi[0] - 1); }

/// The solution, also of the discrete equations: differences of second order are exact for it.
double solution(double x, double y) { return x * (1 - x) * y * (1 - y); }
double right_side(double x, double y) { return 2 * (x * (1 - x) + y * (1 - y)); }

namespace task {

/// r = b - A u = b, since u is 0; p = r. Returns |r|^2.
double begin(grid::view m, numbers::accessor<rw> r, numbers::accessor<rw> p) {
  const double h = distance(m);
  double sum = 0;
  for(auto j : m.interior(1))
    for(auto i : m.interior(0)) {
      r(i, j) = p(i, j) = h * h * right_side(h * double(i), h * double(j));
      sum += r(i, j) * r(i, j);
    }
  return sum;
}

/// q = A p. Returns p q.
double apply(grid::view m, numbers::accessor<rw> q, numbers::accessor<ro, ro> p) {
  double sum = 0;
  for(auto j : m.interior(1))
    for(auto i : m.interior(0)) {
      q(i, j) = 4 * p(i, j) - p(i - 1, j) - p(i + 1, j) - p(i, j - 1) - p(i, j + 1);
      sum += p(i, j) * q(i, j);
    }
  return sum;
}

/// u += alpha p, r -= alpha q. Returns |r|^2.
double advance(grid::view m, numbers::accessor<rw> u, numbers::accessor<rw> r,
  numbers::accessor<ro> p, numbers::accessor<ro> q, double alpha) {
  double sum = 0;
  for(auto j : m.interior(1))
    for(auto i : m.interior(0)) {
      u(i, j) += alpha * p(i, j);
      r(i, j) -= alpha * q(i, j);
      sum += r(i, j) * r(i, j);
    }
  return sum;
}

/// p = r + beta p.
void turn(grid::view m, numbers::accessor<rw> p, numbers::accessor<ro> r, double beta) {
  for(auto j : m.interior(1))
    for(auto i : m.interior(0))
      p(i, j) = r(i, j) + beta * p(i, j);
}

double squared_error(grid::view m, numbers::accessor<ro> u) {
  const double h = distance(m);
  double sum = 0;
  for(auto j : m.owned(1))
    for(auto i : m.owned(0))
      sum += std::pow(u(i, j) - solution(h * double(i), h * double(j)), 2);
  return sum;
}

/// These two run on rank 0, and not before what they are given is there.
void report(double r2, std::uint64_t pass) {
  if(pass % 50 == 0)
    std::printf("pass %4llu: |r| = %.3e\n", static_cast<unsigned long long>(pass), std::sqrt(r2));
}
void end(std::uint64_t passes) {
  std::printf("%llu passes\n", static_cast<unsigned long long>(passes));
}

} // namespace task

using two_numbers = std::tuple<double, double>;
double quotient(const two_numbers& of) { return std::get<0>(of) / std::get<1>(of); }

bool solve(scheduler& s, std::int64_t points, double tolerance) {
  grid m{s, {.extents = {points, points}}};
  numbers u{m, "u"}, r{m, "r"}, p{m, "p"}, q{m, "q"}; // all 0, and their edges stay

  const future<double> b2 = s.reduce<task::begin, fold::sum>(m, r, p);
  future<double> r2 = b2;
  const future<std::uint64_t> passes = s.iterate({}, [&](std::uint64_t pass) {
    const future<double> pq = s.reduce<task::apply, fold::sum>(m, q, p);
    const future<double> alpha = when_all(r2, pq).then(quotient);
    const future<double> before = r2;
    r2 = s.reduce<task::advance, fold::sum>(m, u, r, p, q, alpha);
    s.execute<task::report>(r2, pass);
    const future<double> beta = when_all(r2, before).then(quotient);
    s.execute<task::turn>(m, p, r, beta);
    return when_all(r2, b2).then([tolerance](const two_numbers& of) { // stop?
      return std::get<0>(of) <= tolerance * tolerance * std::get<1>(of);
    });
  });
  s.execute<task::end>(passes);
  const future<double> e2 = s.reduce<task::squared_error, fold::sum>(m, u);

  // Here it waits for the first time. How far u may be off says the least eigenvalue of A, which is
  // about 2 pi^2 times the squared distance of the points.
  const double error = std::sqrt(e2.get()) / double(points);
  const bool right = error <= tolerance + 1e-14 * double(points);
  if(s.rank() == 0)
    std::printf("mean error of the solution: %.2e%s\n", error,
      right ? "" : ", which is too much: please report this");
  return right;
}

} // namespace

int main(int argc, char** argv) {
  std::int64_t points = 256;
  double tolerance = 1e-10;
  options o("Conjugate gradients whose numbers nobody waits for.");
  o.argument("POINTS", &points, "along each edge of the square").between(4, 1'000'000);
  // Rounding keeps the residual from becoming much less than that.
  o.argument("TOLERANCE", &tolerance, "of the residual, against that at the start")
    .between(1e-14, 1);
  o.parse(argc, argv);
  return rondo::run(argc, argv,
    [&](scheduler& s) { return solve(s, points, tolerance) ? EXIT_SUCCESS : EXIT_FAILURE; });
}
