#pragma once

/// \file
/// Lanes: which worker runs which launches of a closed loop. Launches of a lane work on the same regions in
/// all passes, so what one has written is in the cache of the worker that runs the next one, and only
/// what lies between two lanes goes from core to core.

#include <cstdint>
#include <vector>

namespace rondo::detail::inline tracing {

class trace_template;

struct loop_lanes {
  std::vector<std::uint32_t> lane_of{}; ///< Of each launch of a pass.
  /// So long each is taken to be, as nobody knows better: by the elements of what it changes. A task that is launched once beside those
  /// of all colors mostly takes up a sum, or looks at it, and is short.
  std::vector<std::uint32_t> length_of{};
  /// One: any worker runs any launch, `fair_share` at a time.
  std::uint32_t count = 1;
  /// Launches of a pass that may run side by side, on average, for each worker. If mostly there is
  /// only one at a time, all are best run by one crew.
  std::uint32_t fair_share = 1;

  /// As many lanes as there are workers, or as there is work for side by side. One where launches can't
  /// be shared evenly.
  static loop_lanes find(const trace_template& t, unsigned workers);
  /// If the launches of each lane are run in their order, that takes hardly longer than if each is run as
  /// soon as it may.
  [[nodiscard]] bool keeps_all_busy(const trace_template& t) const;
};

} // namespace rondo::detail::inline tracing
