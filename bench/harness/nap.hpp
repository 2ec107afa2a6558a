#pragma once

// Work that needs no core: two cores will do for four workers, and other programs disturb it little.

#include <ctime>
#include <sys/prctl.h>

namespace bench {

inline void nap(int us) {
  // Otherwise the kernel lets a sleeper lie for 50 us more.
  thread_local const int precise = prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  static_cast<void>(precise);
  const timespec t{us / 1'000'000, us % 1'000'000 * 1'000L};
  clock_nanosleep(CLOCK_MONOTONIC, 0, &t, nullptr);
}

} // namespace bench
