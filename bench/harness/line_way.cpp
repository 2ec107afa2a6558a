// How long a cache line takes from one core to the other: two threads, each tied to a core, write to the same
// line in turns.
//
//   line_way
//
// On a virtual machine that depends on where the host runs the two cores, and may change by a factor of seven from
// one minute to the next. Programs whose threads exchange much change with it, so `run_programs` asks.

#include "harness/clock.hpp"
#include "harness/line.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <thread>
#include <vector>

#include <pthread.h>
#include <sched.h>

namespace {

constexpr std::uint64_t turns = 10'000;
constexpr int repetitions = 9;

// The first two that this process may use.
std::vector<int> cores() {
  cpu_set_t usable;
  if(sched_getaffinity(0, sizeof usable, &usable) != 0 || CPU_COUNT(&usable) < 2)
    throw std::runtime_error("there is one core only");
  std::vector<int> found;
  for(int i = 0; i != CPU_SETSIZE && found.size() != 2; ++i)
    if(CPU_ISSET(i, &usable))
      found.push_back(i);
  return found;
}

void tie_to(int core) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(core, &one);
  pthread_setaffinity_np(pthread_self(), sizeof one, &one);
}

alignas(128) std::atomic<std::uint64_t> line{0};

// The one with the even numbers writes the next one, and so on.
void take_turns(std::uint64_t first, std::uint64_t last) {
  for(std::uint64_t n = first; n < last; n += 2) {
    while(line.load(std::memory_order_acquire) != n) {
    }
    line.store(n + 1, std::memory_order_release);
  }
}

} // namespace

int main() {
  try {
    const std::vector<int> on = cores();
    constexpr std::uint64_t all = turns * repetitions;
    std::thread other([&on] {
      tie_to(on[1]);
      take_turns(1, all);
    });
    tie_to(on[0]);
    std::vector<double> ns;
    for(std::uint64_t i = 0; i != repetitions; ++i)
      ns.push_back(bench::time_of([i] { take_turns(i * turns, (i + 1) * turns); }) / turns);
    other.join();
    std::sort(ns.begin(), ns.end());
    std::printf("%s\n", bench::line{{"line_ns", ns[ns.size() / 2]}}.text().c_str());
  }
  catch(const std::exception& e) {
    std::fprintf(stderr, "line_way: %s\n", e.what());
    return 1;
  }
}
