#pragma once

/// \file
/// When workers had nothing to do, and what has ended that.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "spans.hpp"

namespace rondo::report {

/// From the end of a task, or the begin of the run, to the begin of the next task of the worker.
struct idle_gap {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::uint32_t lane = 0;
  std::uint32_t span = none; ///< Of the task that has ended it.

  [[nodiscard]] std::int64_t length() const { return end - begin; }
};

/// So many, the longest first.
std::vector<idle_gap> longest_gaps(const spans& s, std::size_t most);

/// Of all workers, in seconds.
double time_asleep(const spans& s);

} // namespace rondo::report
