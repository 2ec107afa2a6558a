#pragma once

#include "harness/case.hpp"
#include "harness/pool.hpp"
#include "harness/resident.hpp"
#include "memory/heap_count.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>

namespace bench::pool {

// Keeps the only worker busy until released; from then on submitted tasks queue up.
template<class P>
class blocked {
public:
  explicit blocked(P& p) {
    p.submit([this] {
      running_.store(true);
      while(!released_.load())
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
    while(!running_.load())
      std::this_thread::yield();
  }
  void release() { released_.store(true); }

private:
  std::atomic<bool> running_{false};
  std::atomic<bool> released_{false};
};

// The first round is what queued tasks take; the second, in memory that is warm, what each still
// allocates.
template<class P>
figures measure_memory(const context& c) {
  const int n = c.quick ? 10'000 : 1'000'000;
  P p(c.workers);
  double bytes = 0;
  double allocations = 0;
  p.enter([&] {
    std::atomic<std::uint64_t> sum{0};
    for(int round = 0; round < 2; ++round) {
      blocked gate(p);
      const double before = resident_bytes();
      const auto calls = heap_allocations();
      for(int i = 0; i < n; ++i) {
        const std::array<std::uint64_t, 5> payload = {1, 2, 3, 4, 5};
        const auto task = [&sum, payload] { sum.fetch_add(payload[4], std::memory_order_relaxed); };
        static_assert(sizeof task == 48);
        p.submit(task);
      }
      if(round == 0)
        bytes = (resident_bytes() - before) / n;
      gate.release();
      p.wait();
      allocations = static_cast<double>(heap_allocations() - calls) / n;
    }
    check(
      sum.load() == 10ULL * static_cast<std::uint64_t>(n), "memory: some tasks were not run once");
  });
  return {{"size of a queued task", "bytes", bytes},
    {"heap allocations per task, warm", "calls", allocations}};
}

template<class P>
bool add_system(const std::string& system, role who) {
  if constexpr(requires { typename P::bounded; })
    return false; // its queue can't be filled, so there is nothing to weigh
  else
    return add({"queued tasks, 48-byte capture", system, who, {1}, measure_memory<P>});
}

} // namespace bench::pool
