#pragma once

/// \file
/// Costs are doubles, as they are means and products; the clock of the simulation counts whole nanoseconds, so that
/// equal times are equal.

#include <algorithm>
#include <cstdint>

namespace rondo::simulate {

/// Rounded. What is not a time at all, because someone wrote nonsense into a file, becomes 0, or eleven days.
inline std::int64_t to_nanoseconds(double x) {
  return static_cast<std::int64_t>(std::min(std::max(0.0, x), 1e15) + 0.5);
}

} // namespace rondo::simulate
