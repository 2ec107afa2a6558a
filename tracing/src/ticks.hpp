#pragma once

#include <chrono>
#include <cstdint>

namespace rondo::detail::inline tracing {

/// Time in units of a fraction of a nanosecond.
inline std::uint64_t ticks() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  return 2 *
         static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

} // namespace rondo::detail::inline tracing
