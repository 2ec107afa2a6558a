#pragma once

// What both sides of bench progress run and say: the arithmetic of a link, and the times of chains
// and passes. Tasks sleep: see harness/nap.hpp.

#include "harness/arguments.hpp"
#include "harness/clock.hpp"
#include "harness/line.hpp"
#include "harness/nap.hpp"

#include <numeric>
#include <string>
#include <vector>

namespace bench::progress {

inline constexpr int points = 16; // of the line, over all ranks

struct options {
  int links = 40;
  int tasks = 40;
  int task_us = 1000;
  int passes = 5;

  void add_to(arguments& args) {
    args.add("--links", links, "exchanges in a chain").positive();
    args.add("--tasks", tasks, "of each rank in a pass, 0 or more").non_negative();
    args.add("--task-us", task_us, "how long each of them takes").positive();
    args.add("--passes", passes, "how many").positive();
  }
};

inline double link(double left, double own, double right) { return left / 4 + own / 2 + right / 4; }

// Of a rank: how long its chains took, each from the end of what came before to its last link, in microseconds.
class chain_times {
public:
  void begin() { begun_ = clock::now(); }
  void end() { us_.push_back(1e-3 * nanoseconds(clock::now() - begun_)); }
  [[nodiscard]] std::vector<double>& us() { return us_; }

private:
  clock::time_point begun_;
  std::vector<double> us_;
};

// `chains`: of each pass the least that a rank took. It is that of the rank which began it last; the other one waited for it.
inline line line_of(const std::string& program, const options& o, const std::vector<double>& chains,
  double us_of_all, double sum) {
  return {{"program", program}, {"links", o.links}, {"tasks", o.tasks}, {"task_us", o.task_us},
    {"passes", o.passes}, {"us_per_chain", median(chains)},
    {"us_per_chain_mean",
      std::accumulate(chains.begin(), chains.end(), 0.0) / static_cast<double>(chains.size())},
    {"us_per_pass", us_of_all / o.passes}, {"sum", sum}};
}

} // namespace bench::progress
