#pragma once

/// \file
/// A clock for short times.

#include <cstdint>

#if defined(__x86_64__) || defined(__i386__)
#include <x86intrin.h> // __rdtsc
#else
#include <chrono>
#endif

namespace rondo::detail::inline core {

/// Time in units of a fraction of a nanosecond, which is only roughly known: two to four a nanosecond
/// on most processors. Read in some 10 ns, where the clock of the library may be a system call.
inline std::uint64_t ticks() {
#if defined(__x86_64__) || defined(__i386__)
  return __rdtsc();
#else
  return static_cast<std::uint64_t>(
           std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1)) *
         2;
#endif
}

} // namespace rondo::detail::inline core
