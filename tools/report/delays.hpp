#pragma once

/// \file
/// When each task could have begun, and what it waited for last.

#include <cstdint>
#include <vector>

#include "graph.hpp"
#include "spans.hpp"

namespace rondo::report {

/// What made a task ready: the last thing that it waited for.
struct readiness {
  enum class cause_type : std::uint8_t { unknown, launch, task, message };

  std::int64_t at = node::unknown;
  cause_type cause = cause_type::unknown;
  std::uint32_t of = none; ///< The node, or the arrow.
  bool is_known = true;    ///< If not, it may have been later: not all that it waited for is known.
};

/// Of each node. What stands between others, or is left out, is ready and over at the same time. A task that has begun may take a message
/// that comes later: then it is over when that has come.
std::vector<readiness> readiness_of(const graph& g);

} // namespace rondo::report
