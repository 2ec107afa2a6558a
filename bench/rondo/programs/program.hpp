#pragma once

// What the programs of this folder have in common: time, taken as peers/mpi/program.hpp takes it, and the
// line of JSON at the end.

#include "harness/arguments.hpp"
#include "harness/clock.hpp"
#include "harness/line.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <rondo/rondo.hpp>

namespace bench::programs {

// On the first rank; the others print nothing.
void print(const rondo::scheduler& s, const bench::line& line);

// The line of a solver, except for times and results.
bench::line describe(
  const rondo::scheduler& s, const rondo::structured<2>& m, const std::string& mode);

// What all solvers are told.
struct solver_options {
  std::int64_t nx = 1024;
  std::int64_t ny = 1024;
  int reps = 5;
  std::vector<std::int64_t> colors;

  void add_to(arguments& args);
  [[nodiscard]] rondo::structured_options<2> mesh() const;
};

void add_mode(arguments& args, std::string& mode);

// Launches `pass()` n times, in the way of that name.
template<class Pass>
void run_passes(rondo::scheduler& s, const std::string& mode, rondo::trace& t, std::uint64_t n,
  const Pass& pass) {
  if(mode == "repeat")
    s.repeat(n, pass);
  else
    for(std::uint64_t k = 0; k != n; ++k)
      if(mode == "trace") {
        const auto g = t.make_guard();
        pass();
      }
      else
        pass();
}

// Times of repetitions in microseconds, each that of the rank that took longest.
class stopwatch {
public:
  explicit stopwatch(rondo::scheduler& s);

  // From when all ranks are there until what body() launches has ended.
  template<class Body>
  void measure(const Body& body) {
    s_.wait();
    largest(0);
    const double own = 1e-3 * time_of([&] {
      body();
      s_.wait();
    });
    times_.push_back(largest(own));
  }

  void report(bench::line& line, const std::string& name, double n, double known = 0) const {
    bench::report(line, times_, name, n, known);
  }
  void forget() { times_.clear(); }
  [[nodiscard]] double last() const { return times_.back(); }

  // Of what the ranks have; waits for it.
  double largest(double own);
  double smallest(double own);
  double sum(double own);

private:
  rondo::scheduler& s_;
  rondo::structured<1> ranks_; // a color for each
  std::vector<double> times_;
};

} // namespace bench::programs
