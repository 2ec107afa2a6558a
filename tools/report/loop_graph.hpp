#pragma once

/// \file
/// One pass of each loop, as a graph to be drawn.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "analysis.hpp"

namespace rondo::report {

struct drawn_node {
  std::string name;
  std::string details;
  std::uint32_t rank = 0;
  double mean = 0; ///< Seconds, over the passes.
  std::uint32_t column = 0;
  std::uint32_t row = 0;
};

struct drawn_graph {
  std::string title;
  std::uint64_t passes = 0;
  std::vector<drawn_node> nodes;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
};

/// Loops with most passes first; of the first rank.
std::vector<drawn_graph> loop_graphs(const analysis& a);

} // namespace rondo::report
