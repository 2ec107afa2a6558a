#pragma once

// The options and the output that the programs of bench metg share.

#include "metg/pattern.hpp"
#include "metg/search.hpp"

#include <string>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace bench::metg {

struct options {
  std::string name = "stencil";
  search_options search;

  void add_to(CLI::App& app) {
    app.add_option("--pattern", name, "stencil, nearest, spread, fft, no_comm")
      ->check(CLI::IsMember(std::vector<std::string>(names.begin(), names.end())));
    app.add_option("--width", search.width, "points")->check(CLI::PositiveNumber);
    app.add_option("--most", search.most, "iterations of the largest task")
      ->check(CLI::PositiveNumber);
    app.add_option("--reps", search.reps, "of each measurement, of which the median counts")
      ->check(CLI::PositiveNumber);
    app.add_option("--seconds", search.seconds, "that a measurement takes, about")
      ->check(CLI::PositiveNumber);
  }
  [[nodiscard]] pattern which() const { return pattern_of(name); }
  // Steps after which the inputs are the same again, and the two values of each point as well.
  [[nodiscard]] int steps_of_pass() const {
    const int n = period(which(), search.width);
    return n % 2 == 0 ? n : 2 * n;
  }
};

inline nlohmann::json describe(
  const std::string& program, const options& o, unsigned ranks, unsigned threads, const result& r) {
  return {{"program", program}, {"pattern", o.name}, {"width", o.search.width}, {"ranks", ranks},
    {"threads", threads}, {"metg_us", r.metg}, {"empty_us", r.empty},
    {"ns_per_iteration", r.ns_per_iteration}};
}

} // namespace bench::metg
