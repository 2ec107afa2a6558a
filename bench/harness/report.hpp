#pragma once

#include "harness/case.hpp"

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace bench {

// All repetitions of one figure.
struct row {
  std::string test;
  std::string system;
  role who;
  unsigned workers;
  std::string metric;
  std::string unit;
  std::vector<double> samples;
  std::string error; // why there are no samples

  double median() const;
  double min() const;
  double max() const;
};

nlohmann::json to_json(
  const std::string& name, const nlohmann::json& machine, const std::vector<row>& rows);

// One block per (case, metric), with the ratios that the rows are read for.
void print_table(const std::vector<row>& rows);

} // namespace bench
