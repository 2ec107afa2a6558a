#pragma once

/// \file
/// Random programs of launches, each run as a flow and, by the same code, one launch after the
/// other. Everything a program does comes from a hash of its seed and the position, so any seed
/// can be looked at alone: RONDO_SEED=17 tracing_tests "random programs*".

#include <cstdint>

namespace random_programs {

constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a * 0x9e3779b97f4a7c15U + b + 0x632be59bd9b4e019U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

/// Numbers that depend on the seed and on how many were drawn.
class dice {
public:
  explicit dice(std::uint64_t seed) : seed_(seed) {}
  std::uint64_t next() { return mix(seed_, position_++); }
  unsigned below(unsigned n) { return static_cast<unsigned>(next() % n); }
  bool one_in(unsigned n) { return below(n) == 0; }

private:
  std::uint64_t seed_;
  std::uint64_t position_ = 0;
};

} // namespace random_programs
