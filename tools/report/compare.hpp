#pragma once

/// \file
/// What has changed from one run to another.

#include <array>
#include <string>
#include <vector>

#include "analysis.hpp"

namespace rondo::report {

/// Tasks of one name: before and after. Seconds.
struct changed_row {
  std::string name;
  std::array<double, 2> count{};
  std::array<double, 2> total{};
  std::array<double, 2> mean{};
  std::array<double, 2> share{};
};

struct comparison {
  std::string before; ///< The command line of the other run.
  double seconds_before = 0;
  std::vector<std::string> words;
  std::vector<changed_row> rows; ///< The largest change of the total first.
};

comparison compared(const analysis& before, const analysis& after);
std::string text_of(const comparison& c, const analysis& after);

} // namespace rondo::report
