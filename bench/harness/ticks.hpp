#pragma once

// Time stamps for what takes nanoseconds: the processor's counter, which takes about 10 ns to read
// where the clock takes 20 to 30. It counts evenly, whatever the frequency.

#include "harness/clock.hpp"

#include <chrono>
#include <cstdint>

namespace bench {

inline std::uint64_t ticks() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  return static_cast<std::uint64_t>(clock::now().time_since_epoch().count());
#endif
}

// Measured against the clock when first asked for, over 20 ms.
inline double nanoseconds_per_tick() {
  static const double result = [] {
    const auto begin = clock::now();
    const std::uint64_t first = ticks();
    auto end = begin;
    while(end - begin < std::chrono::milliseconds(20))
      end = clock::now();
    return nanoseconds(end - begin) / static_cast<double>(ticks() - first);
  }();
  return result;
}

} // namespace bench
