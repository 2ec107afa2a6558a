#pragma once

#include <cstdint>

namespace rondo::detail::inline observe {

/// How the clock of this process stands to the one of rank 0: what to add to a time of this process's to have one of rank 0's.
struct clock_offset {
  std::int64_t nanoseconds = 0;
  std::int64_t skew = 0; ///< It may be wrong by as much.
};

} // namespace rondo::detail::inline observe
