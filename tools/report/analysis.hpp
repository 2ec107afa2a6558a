#pragma once

/// \file
/// All that is found out about a run.

#include <string>
#include <vector>

#include <rondo/observe/timeline/timeline.hpp>

#include "critical_path.hpp"
#include "delays.hpp"
#include "gaps.hpp"
#include "graph.hpp"
#include "ideal_network.hpp"
#include "spans.hpp"
#include "table.hpp"

namespace rondo::report {

struct analysis {
  explicit analysis(const detail::timeline& t);

  const detail::timeline& run;
  report::spans spans;
  report::graph graph;
  std::vector<readiness> ready;
  std::vector<path_part> path;
  std::vector<part_row> parts;
  std::vector<table_row> table;
  std::vector<wait_row> waits;
  report::efficiencies efficiencies;
  std::vector<idle_gap> gaps; ///< The longest ones.

  [[nodiscard]] double seconds() const { return 1e-9 * static_cast<double>(spans.end); }
  [[nodiscard]] std::int64_t skew() const;
};

/// "2 ranks on 1 node, 4 workers; host: 16 cores, AMD EPYC".
std::string hardware_of(const detail::timeline& t);

/// What is worth knowing of it, the most important first.
std::vector<std::string> words_of(const analysis& a);
/// All of it for a terminal.
std::string text_of(const analysis& a);

/// "1.25 ms".
std::string duration(double seconds);
std::string percent(double part);

} // namespace rondo::report
