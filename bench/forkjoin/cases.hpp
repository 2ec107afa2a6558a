#pragma once

// The fork-join cases, written once over a system S:
//
//   struct S {
//     explicit S(unsigned workers);
//     template<class F> auto run(F f);                       // f() inside the runtime, returns its result
//     template<class F, class G> static auto join(F f, G g); // both results, as a pair or tuple; f may be stolen
//     template<class F> static void join_n(int n, F f);      // f(0) ... f(n - 1)
//   };
//
// A runtime that can't be driven this way (libfork's coroutines) brings its own `algorithms`.

#include "forkjoin/problems.hpp"

#include <numeric>
#include <string>

namespace bench::forkjoin {

template<class S>
struct algorithms {
  static std::int64_t fib(int n) {
    if(n < 2)
      return n;
    const auto [a, b] = S::join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
    return a + b;
  }

  static std::int64_t skynet(std::int64_t first, std::int64_t leaves) {
    if(leaves == 1)
      return first;
    std::array<std::int64_t, 10> part;
    S::join_n(
      10, [&part, first, size = leaves / 10](int i) { part[i] = skynet(first + i * size, size); });
    return std::accumulate(part.begin(), part.end(), std::int64_t{0});
  }

  static int queens(const board& b, int row, int size) {
    if(row == size)
      return 1;
    std::array<board, 16> next;
    std::array<int, 16> found;
    const int n = placements(b, row, size, next);
    S::join_n(n, [&next, &found, row, size](int i) { found[i] = queens(next[i], row + 1, size); });
    return std::accumulate(found.begin(), found.begin() + n, 0);
  }

  // Quarters of c in two passes: the second adds to what the first has written.
  static void multiply(const double* a, const double* b, double* c, int n, int stride) {
    if(n == matmul_leaf)
      return multiply_leaf(a, b, c, stride);
    const int h = n / 2;
    for(int k = 0; k < 2; ++k)
      S::join_n(4, [=](int q) {
        const int i = q / 2 * h;
        const int j = q % 2 * h;
        multiply(a + i * stride + k * h, b + k * h * stride + j, c + i * stride + j, h, stride);
      });
  }
};

// A system's own way to run the four algorithms; this one calls them inside S::run.
template<class S, class A = algorithms<S>>
struct driver {
  explicit driver(unsigned workers) : s(workers) {}
  std::int64_t fib(int n) {
    return s.run([n] { return A::fib(n); });
  }
  std::int64_t skynet(std::int64_t leaves) {
    return s.run([leaves] { return A::skynet(0, leaves); });
  }
  int queens(int n) {
    return s.run([n] { return A::queens(board{}, 0, n); });
  }
  void multiply(matrices& m) {
    s.run([&m] {
      A::multiply(m.a.data(), m.b.data(), m.c.data(), m.n, m.n);
      return 0;
    });
  }
  S s;
};

// Each body first runs a smaller problem: threads exist, pools and stacks have grown.

template<class D>
figures measure_fib(const context& c) {
  D d(c.workers);
  const int n = fib_size(c.quick);
  check(d.fib(n - 5) == fib_value(n - 5), "fib: wrong value");
  std::int64_t value = 0;
  const double t = time_of([&] { value = d.fib(n); });
  check(value == fib_value(n), "fib: wrong value");
  return {{"time per call", "ns", t / static_cast<double>(fib_calls(n))}};
}

template<class D>
figures measure_skynet(const context& c) {
  D d(c.workers);
  const auto n = skynet_size(c.quick);
  check(d.skynet(n / 10) == skynet_value(n / 10), "skynet: wrong value");
  std::int64_t value = 0;
  const double t = time_of([&] { value = d.skynet(n); });
  check(value == skynet_value(n), "skynet: wrong value");
  return {{"time per node", "ns", t / static_cast<double>(skynet_nodes(n))}};
}

template<class D>
figures measure_queens(const context& c) {
  D d(c.workers);
  const int n = queens_size(c.quick);
  check(d.queens(n - 2) == queens_answers[n - 2], "nqueens: wrong count");
  int value = 0;
  const double t = time_of([&] { value = d.queens(n); });
  check(value == queens_answers[n], "nqueens: wrong count");
  return {{"time", "s", t * 1e-9}};
}

template<class D>
figures measure_matmul(const context& c) {
  D d(c.workers);
  matrices m(matmul_size(c.quick));
  d.multiply(m);
  m.clear();
  const double t = time_of([&] { d.multiply(m); });
  m.verify();
  return {{"time", "s", t * 1e-9}};
}

template<class D>
bool add_driver(const std::string& system, role who, std::vector<unsigned> workers = {1, 2}) {
  return add({"fib", system, who, workers, measure_fib<D>}) &&
         add({"skynet", system, who, workers, measure_skynet<D>}) &&
         add({"nqueens", system, who, workers, measure_queens<D>}) &&
         add({"matmul", system, who, workers, measure_matmul<D>});
}

template<class S>
bool add_system(const std::string& system, role who, std::vector<unsigned> workers = {1, 2}) {
  return add_driver<driver<S>>(system, who, std::move(workers));
}

} // namespace bench::forkjoin
