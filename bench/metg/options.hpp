#pragma once

// The options and the output that the programs of bench metg share.

#include "harness/arguments.hpp"
#include "harness/line.hpp"
#include "metg/pattern.hpp"
#include "metg/search.hpp"

#include <string>

namespace bench::metg {

struct options {
  std::string name = "stencil";
  search_options search;

  void add_to(arguments& args) {
    args.add("--pattern", name, "stencil, nearest, spread, fft, no_comm")
      .one_of({names.begin(), names.end()});
    args.add("--width", search.width, "points").positive();
    args.add("--most", search.most, "iterations of the largest task").positive();
    args.add("--reps", search.reps, "of each measurement, of which the median counts").positive();
    args.add("--seconds", search.seconds, "that a measurement takes, about").positive();
  }
  [[nodiscard]] pattern which() const { return pattern_of(name); }
  // Steps after which the inputs are the same again, and the two values of each point as well.
  [[nodiscard]] int steps_of_pass() const {
    const int n = period(which(), search.width);
    return n % 2 == 0 ? n : 2 * n;
  }
};

inline line describe(
  const std::string& program, const options& o, unsigned ranks, unsigned threads, const result& r) {
  return {{"program", program}, {"pattern", o.name}, {"width", o.search.width}, {"ranks", ranks},
    {"threads", threads}, {"metg_us", r.metg}, {"empty_us", r.empty},
    {"ns_per_iteration", r.ns_per_iteration}};
}

} // namespace bench::metg
