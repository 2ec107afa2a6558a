#pragma once

// What the programs of this folder have in common: time, taken as peers/mpi/program.hpp takes it, and the
// line of JSON at the end.

#include "harness/clock.hpp"
#include "harness/times.hpp"

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <rondo/rondo.hpp>

namespace bench::programs {

inline void print(const rondo::scheduler& s, const nlohmann::json& line) {
  if(s.rank() == 0)
    std::printf("%s\n", line.dump().c_str());
}

// The line of a solver, except for times and results.
inline nlohmann::json describe(
  const rondo::scheduler& s, const rondo::structured<2>& m, const std::string& mode) {
  const auto& shape = m.coloring().shape();
  return {{"program", "Rondo, " + mode}, {"nx", shape.extents[0]}, {"ny", shape.extents[1]},
    {"ranks", s.ranks()}, {"threads", s.home().workers()},
    {"grid", std::to_string(shape.colors[0]) + "x" + std::to_string(shape.colors[1])}};
}

// What all solvers are told.
struct solver_options {
  std::int64_t nx = 1024;
  std::int64_t ny = 1024;
  int reps = 5;
  std::vector<std::int64_t> colors;

  void add_to(CLI::App& app) {
    app.add_option("--nx", nx, "vertices in x, with the boundary")->check(CLI::Range(3, 1 << 20));
    app.add_option("--ny", ny, "vertices in y")->check(CLI::Range(3, 1 << 20));
    app.add_option("--reps", reps, "repetitions, of which the median is reported")
      ->check(CLI::PositiveNumber);
    app.add_option("--colors", colors, "along x and y; otherwise the best are chosen")->expected(2);
  }
  [[nodiscard]] rondo::structured_options<2> mesh() const {
    return {.extents = {nx, ny},
      .colors = colors.empty() ? rondo::point<2>{} : rondo::point<2>{colors[0], colors[1]}};
  }
};

inline void add_mode(CLI::App& app, std::string& mode) {
  app.add_option("--mode", mode, "repeat: launched once; trace; plain: repeats are found")
    ->check(CLI::IsMember({"repeat", "trace", "plain"}));
}

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
  explicit stopwatch(rondo::scheduler& s)
      : s_(s), ranks_{s, {.extents = {s.ranks()}, .colors = {s.ranks()}}} {}

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

  void report(nlohmann::json& line, const std::string& name, double n, double known = 0) const {
    bench::report(line, times_, name, n, known);
  }
  void forget() { times_.clear(); }
  [[nodiscard]] double last() const { return times_.back(); }

  // Of what the ranks have; waits for it.
  double largest(double own) { return s_.reduce<same, rondo::fold::max>(ranks_, own).get(); }
  double smallest(double own) { return s_.reduce<same, rondo::fold::min>(ranks_, own).get(); }
  double sum(double own) { return s_.reduce<same, rondo::fold::sum>(ranks_, own).get(); }

private:
  using mesh = rondo::structured<1>;
  static double same(mesh::view, double x) { return x; }

  rondo::scheduler& s_;
  mesh ranks_; // a color for each
  std::vector<double> times_;
};

} // namespace bench::programs
