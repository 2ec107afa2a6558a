#pragma once

/// \file
/// What is told of a run in tables: tasks by name, waits of main threads, parts of the critical path, tasks that ran at a time.

#include <cstdint>
#include <string>
#include <vector>

#include "critical_path.hpp"
#include "delays.hpp"
#include "spans.hpp"

namespace rondo::report {

constexpr double not_known = -1;

/// Tasks of one site. Seconds.
struct table_row {
  std::uint32_t site = 0;
  std::uint64_t count = 0;
  double total = 0; ///< Without tasks that ran within.
  double mean = 0;
  double longest = 0;
  double share = 0;              ///< Of the time of all tasks.
  double imbalance = 1;          ///< The rank with the most of it, next to the mean of ranks.
  double delay_mean = not_known; ///< From ready to begin.
  double delay_p99 = not_known;
  double critical_share = 0; ///< Of the run's time.
};
/// The longest total first.
std::vector<table_row> table_of(const spans& s, const graph& g, const std::vector<readiness>& ready,
  const std::vector<path_part>& path);

struct wait_row {
  std::string place;
  std::string what;
  std::uint64_t count = 0;
  double seconds = 0;
};
std::vector<wait_row> waits_of(const spans& s);

struct part_row {
  std::string what;
  path_part::kind_type kind{};
  double seconds = 0;
  double share = 0;
};
std::vector<part_row> parts_of(const std::vector<path_part>& path, const spans& s);

/// Tasks that run, in the mean of each of so many steps of time.
std::vector<double> parallelism_of(const spans& s, std::size_t steps);

/// From ready to begin, in nanoseconds, of a span; negative: not known.
std::int64_t delay_of(
  std::uint32_t span, const spans& s, const graph& g, const std::vector<readiness>& ready);

} // namespace rondo::report
