// Values that are not there yet, and tasks that start when what they need is ready.
//
//     03_futures
//
// Integrals, each from pieces that are computed at the same time, with twice as many pieces until
// two results agree. How many rounds that takes is not known beforehand, and still nothing here
// waits, but for the last line of main.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <rondo/futures.hpp>
#include <rondo/options.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using function = double (*)(double);

/// Simpson's rule on one piece: a task like any other function.
double piece(function f, double from, double to) {
  constexpr int steps = 8;
  const double h = (to - from) / steps;
  double sum = f(from) + f(to);
  for(int i = 1; i != steps; ++i)
    sum += (i % 2 == 1 ? 4 : 2) * f(from + i * h);
  if(!std::isfinite(sum))
    throw std::domain_error(
      "there is a pole between " + std::to_string(from) + " and " + std::to_string(to));
  return sum * h / 3;
}

/// Launches the pieces and returns at once.
rondo::future<double> integral(
  rondo::executor& ex, function f, double from, double to, int pieces) {
  const double width = (to - from) / pieces;
  std::vector<rondo::future<double>> parts;
  for(int i = 0; i != pieces; ++i)
    parts.push_back(rondo::async(ex, piece, f, from + i * width, from + (i + 1) * width));
  return rondo::when_all(parts).then(
    [](const std::vector<double>& v) { return std::accumulate(v.begin(), v.end(), 0.0); });
}

/// A coroutine: at each co_await it is at rest until the value is there, and no thread waits.
rondo::coroutine<double> converged(rondo::executor& ex, function f, double from, double to) {
  double before = co_await integral(ex, f, from, to, 1);
  for(int pieces = 2;; pieces *= 2) {
    const double now = co_await integral(ex, f, from, to, pieces);
    if(std::abs(now - before) < 1e-12)
      co_return now;
    before = now;
  }
}

double circle(double x) { return 4 / (1 + x * x); }
double bell(double x) { return std::exp(-x * x); }
double pole(double x) { return 1 / x; }

} // namespace

int main(int argc, char** argv) {
  rondo::options o("Integrals, by tasks that start when what they need is there.");
  o.parse(argc, argv);
  rondo::executor ex; // one worker for each core this process may use

  auto pi = rondo::async(ex, converged(ex, circle, 0, 1));
  auto root = rondo::async(ex, converged(ex, bell, -8, 8));

  // A task that takes values starts when they are there.
  auto difference = rondo::async(
    ex,
    [](double p, double r) {
      std::printf("pi = %.12f, and by way of the bell curve %.12f\n", p, r * r);
      return std::abs(p - r * r);
    },
    pi, root);

  // An exception of a task arrives where its value would have: `sum` is never computed.
  auto bad = rondo::async(ex, converged(ex, pole, -1, 1));
  auto sum = rondo::async(
    ex, [](double a, double b) { return a + b; }, pi, bad);
  auto told = sum.then([](rondo::future<double> s) { // takes the future: runs in any case
    try {
      std::printf("sum = %g\n", s.get());
      return false;
    }
    catch(const std::domain_error& e) {
      std::printf("no sum: %s\n", e.what());
      return true;
    }
  });

  auto [error, was_told] = rondo::when_all(difference, told).get(); // main waits here, and helps
  return error < 1e-9 && was_told ? EXIT_SUCCESS : EXIT_FAILURE;
}
