#pragma once

// What the programs of this folder have in common: time, taken as peers/mpi/program.hpp takes it, and the
// line of JSON at the end.

#include "harness/clock.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>
#include <rondo/rondo.hpp>

namespace bench::programs {

inline void print(const rondo::scheduler& s, const nlohmann::json& line) {
  if(s.rank() == 0)
    std::printf("%s\n", line.dump().c_str());
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

  // {"us_per_NAME", "us_per_NAME_min", "us_per_NAME_max"} of n repetitions of it each, less what is known.
  void report(nlohmann::json& line, const std::string& name, double n, double known = 0) const {
    const auto [least, most] = std::minmax_element(times_.begin(), times_.end());
    line["us_per_" + name] = median(times_) / n - known;
    line["us_per_" + name + "_min"] = *least / n - known;
    line["us_per_" + name + "_max"] = *most / n - known;
    line["reps"] = times_.size();
  }
  void forget() { times_.clear(); }
  [[nodiscard]] double last() const { return times_.back(); }

  // Of what the ranks have; waits for it.
  double largest(double own) { return s_.reduce<same, rondo::fold::max>(ranks_, own).get(); }
  double sum(double own) { return s_.reduce<same, rondo::fold::sum>(ranks_, own).get(); }

private:
  using mesh = rondo::structured<1>;
  static double same(mesh::view, double x) { return x; }

  rondo::scheduler& s_;
  mesh ranks_; // a color for each
  std::vector<double> times_;
};

} // namespace bench::programs
