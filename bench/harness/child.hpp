#pragma once

// One measurement in a process of its own. Runtimes keep threads that spin, pools that grow and
// heaps that fragment: in one process they would disturb each other.

#include "harness/case.hpp"

#include <string>

namespace bench {

struct child_result {
  figures values;
  std::string error; // empty when all went well
};

// Starts this executable again for one (case, system, workers) and reads its figures.
child_result run_child(const entry& e, const context& c, unsigned limit_seconds);

// The child's side: measures, prints, and returns the exit code.
int be_child(
  const std::string& test, const std::string& system, const context& c, unsigned limit_seconds);

} // namespace bench
