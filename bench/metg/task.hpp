#pragma once

// What a task of bench metg does, in all systems: it looks whether its inputs are those of the step
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

// Out of the way: a compiler that finds it large calls what is to be two comparisons, in one program and not in
// another.
[[noreturn, gnu::cold, gnu::noinline]] inline void fail(
  const value& v, std::int64_t step, std::int64_t point) {
  throw std::runtime_error("a task of step " + std::to_string(step + 1) + " got step " +
                           std::to_string(v.step) + " of point " + std::to_string(v.point) +
                           " as that of point " + std::to_string(point));
}

inline void check(const value& v, std::int64_t step, std::int64_t point) {
  if(v.step != step || v.point != point) [[unlikely]]
    fail(v, step, point);
}

// `iterations` times x = x x + x for 64 numbers: nothing but arithmetic, 128 operations each. No loop over the
// numbers: whether its end is guessed right depends on what has run before, and makes from none to fifteen
// nanoseconds an iteration. At a cache line in every program, for the same reason.
[[gnu::noinline, gnu::aligned(64)]] inline void compute(std::int64_t iterations) {
  using pair = double __attribute__((vector_size(16)));
  alignas(64) pair x[32]; // as fast on any stack
#pragma GCC unroll 32
  for(int k = 0; k != 32; ++k)
    x[k] = pair{1e-9, 2e-9} * static_cast<double>(k + 1);
  for(std::int64_t i = 0; i < iterations; ++i)
#pragma GCC unroll 32
    for(pair& v : x)
      v = v * v + v;
  __asm__ volatile("" : : "r"(x) : "memory"); // as if somebody looked at them
}

} // namespace bench::metg
