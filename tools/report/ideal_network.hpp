#pragma once

/// \file
/// How long the run would have taken if messages had taken no time: its tasks in the same order on the same workers, each as soon as what it
/// waits for is there.

#include <cstdint>

#include <rondo/observe/timeline/timeline.hpp>

#include "delays.hpp"
#include "graph.hpp"
#include "spans.hpp"

namespace rondo::report {

/// The factors of POP's parallel efficiency, between ranks.
struct efficiencies {
  double parallel =
    1; ///< Of the time of all workers, what went into tasks. The product of the others:
  double balance = 1; ///< the mean of what ranks have worked, of the most;
  double serialization =
    1; ///< of the rank that has worked most, what would be left without waiting for others, if messages took no time;
  double transfer = 1; ///< the time that the run would take if messages took none, of what it took.
};

std::int64_t ideal_end(const spans& s, const graph& g);
efficiencies efficiencies_of(const detail::timeline& t, const spans& s, const graph& g);

} // namespace rondo::report
