#pragma once

// What both sides of bench progress run and say: the arithmetic of a link, and the times of chains
// and passes. Tasks sleep: see harness/nap.hpp.

#include "harness/clock.hpp"
#include "harness/nap.hpp"

#include <string>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace bench::progress {

inline constexpr int points = 16; // of the line, over all ranks

struct options {
  int links = 40;
  int tasks = 40;
  int task_us = 1000;
  int passes = 5;

  void add_to(CLI::App& app) {
    app.add_option("--links", links, "exchanges in a chain")->check(CLI::PositiveNumber);
    app.add_option("--tasks", tasks, "of each rank in a pass, 0 or more")
      ->check(CLI::NonNegativeNumber);
    app.add_option("--task-us", task_us, "how long each of them takes")->check(CLI::PositiveNumber);
    app.add_option("--passes", passes, "how many")->check(CLI::PositiveNumber);
  }
};

inline double link(double left, double own, double right) { return left / 4 + own / 2 + right / 4; }

// Of a rank: how long its chains took, from the end of what came before to their last link.
class chain_times {
public:
  void begin() { begun_ = clock::now(); }
  void end() {
    sum_ += nanoseconds(clock::now() - begun_);
    ++chains_;
  }
  [[nodiscard]] double us_per_chain() const { return 1e-3 * sum_ / chains_; }

private:
  clock::time_point begun_;
  double sum_ = 0;
  int chains_ = 0;
};

// `us` is what the slowest rank took for all passes and, on average, for a chain.
inline nlohmann::json line_of(
  const std::string& program, const options& o, double us_of_all, double us_of_chain, double sum) {
  return {{"program", program}, {"links", o.links}, {"tasks", o.tasks}, {"task_us", o.task_us},
    {"passes", o.passes}, {"us_per_chain", us_of_chain},
    {"us_per_pass_above_tasks", us_of_all / o.passes - o.tasks * o.task_us}, {"sum", sum}};
}

} // namespace bench::progress
