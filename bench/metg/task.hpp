#pragma once

// What a task of bench metg does, whoever runs it: it looks whether its inputs are those of the step
// before, computes for a while, and leaves its own number and step for the next ones.

#include <cstdint>
#include <stdexcept>
#include <string>

namespace bench::metg {

// What a point has left. Messages are these 16 bytes, or several of them.
struct value {
  std::int64_t step = -1;
  std::int64_t point = -1;
};

inline void check(const value& v, std::int64_t step, std::int64_t point) {
  if(v.step != step || v.point != point) [[unlikely]]
    throw std::runtime_error("a task of step " + std::to_string(step + 1) + " got step " +
                             std::to_string(v.step) + " of point " + std::to_string(v.point) +
                             " as that of point " + std::to_string(point));
}

// `iterations` times x = x x + x for 64 numbers: nothing but arithmetic, 128 operations each. At a cache line in
// every program: where its loop lies makes up to ten nanoseconds a task.
[[gnu::noinline, gnu::aligned(64)]] inline void compute(std::int64_t iterations) {
  using pair = double __attribute__((vector_size(16)));
  alignas(64) pair x[32]; // as fast on any stack
  for(int k = 0; k != 32; ++k)
    x[k] = pair{1e-9, 2e-9} * static_cast<double>(k + 1);
  for(std::int64_t i = 0; i < iterations; ++i)
    for(pair& v : x)
      v = v * v + v;
  __asm__ volatile("" : : "r"(x) : "memory"); // as if somebody looked at them
}

} // namespace bench::metg
