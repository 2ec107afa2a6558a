#pragma once

/// \file
/// A clock for deciding, not for measuring: read in some nanoseconds, in a unit that is only roughly known.

#include <cstdint>

#include <rondo/core/clock.hpp>

namespace rondo::detail::inline core {

/// Where the clock of the library may be a system call. 1 to 5 ticks a nanosecond, which is enough for
/// deciding between 10 and 20 microseconds.
inline std::uint64_t ticks() {
#if defined(__x86_64__) || defined(__i386__)
  return __builtin_ia32_rdtsc();
#else
  return static_cast<std::uint64_t>(
           std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1)) *
         2;
#endif
}

} // namespace rondo::detail::inline core
