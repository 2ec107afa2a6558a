#pragma once

#include "harness/case.hpp"
#include "harness/pool.hpp"

#include <atomic>
#include <chrono>
#include <ctime>
#include <string>
#include <thread>

namespace bench::pool {

inline double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

// What the whole process burns while it has nothing to do, from 10 ms after its last task on.
template<class P>
figures measure_idle(const context& c) {
  P p(c.workers);
  double percent = 0;
  p.enter([&] {
    std::atomic<int> ran{0};
    for(int i = 0; i < 1000; ++i)
      p.submit([&ran] { ran.fetch_add(1, std::memory_order_relaxed); });
    p.wait();
    check(ran.load() == 1000, "idle: some of the tasks before were not run");

    const double seconds = c.quick ? 0.1 : 1.0;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    const double begin = cpu_seconds();
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    percent = 100 * (cpu_seconds() - begin) / seconds;
  });
  return {{"CPU time while idle", "% of a core", percent}};
}

template<class P>
bool add_system(const std::string& system, role who) {
  return add({"idle", system, who, {1, 2}, measure_idle<P>});
}

} // namespace bench::pool
