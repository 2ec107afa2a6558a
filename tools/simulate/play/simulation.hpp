#pragma once

/// \file
/// Plays a plan, event by event, with times drawn from what was measured.

#include <cstdint>

#include "costs/costs.hpp"
#include "network.hpp"
#include "plan/program.hpp"

namespace rondo::simulate {

/// The four ways to write a loop with a result in it.
struct variant {
  bool is_blocking =
    false; ///< The main thread waits for each result of a reduction as soon as it has launched it; else nobody does in the loop.
  bool is_traced =
    true; ///< Launches of the loop are replayed, but for those of the first repetitions; else analysed.
};

struct wishes {
  variant how;
  std::uint32_t window = 0; ///< Launches ahead of those that have ended, at most; 0: Rondo's.
  /// A thread of each rank looks for messages all the time. Otherwise workers do so between tasks: a message that comes while all of them are
  /// busy has to wait until one is not.
  bool has_progress_thread = false;
  std::uint64_t seed = 1;
};

struct outcome {
  components what;
  std::uint64_t events = 0; ///< Of the simulation.
  std::uint32_t stuck =
    0; ///< Ranks that still wait for something that never comes. 0, unless the plan is wrong.
};

outcome simulate(const plan& p, const costs& c, const network& n, const wishes& w);

} // namespace rondo::simulate
