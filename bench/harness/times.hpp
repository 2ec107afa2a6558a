#pragma once

// What the programs of a bench of programs tell of their repetitions.

#include "harness/clock.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace bench {

// {"us_per_NAME", "us_per_NAME_min", "us_per_NAME_max", "reps"} of repetitions that took so many
// microseconds and did it n times each, less what is known.
inline void report(nlohmann::json& line, const std::vector<double>& times, const std::string& name,
  double n, double known = 0) {
  const auto [least, most] = std::minmax_element(times.begin(), times.end());
  line["us_per_" + name] = median(times) / n - known;
  line["us_per_" + name + "_min"] = *least / n - known;
  line["us_per_" + name + "_max"] = *most / n - known;
  line["reps"] = times.size();
}

} // namespace bench
