#pragma once

/// \file
/// Random meshes, cut at random. Everything comes from a hash of the seed and the position, so any
/// seed can be looked at alone.

#include <algorithm>
#include <cstdint>

#include <rondo/distributed/coloring.hpp>

namespace meshes {

constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a * 0x9e3779b97f4a7c15U + b + 0x632be59bd9b4e019U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

#ifdef RONDO_SANITIZED
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

/// Sizes of tests that take ten times as long with sanitizers.
constexpr std::uint64_t scaled(std::uint64_t full, std::uint64_t with_sanitizer) {
  return sanitized ? with_sanitizer : full;
}
/// So many seeds of n are looked at: with sanitizers a thirtieth of them.
constexpr std::uint64_t seeds_of(std::uint64_t n) { return scaled(n, n / 30); }

/// A number from `least` to `most`.
constexpr std::int64_t draw(
  std::uint64_t seed, std::uint64_t position, std::int64_t least, std::int64_t most) {
  return least + static_cast<std::int64_t>(mix(seed, position) % (most - least + 1));
}

template<std::size_t D>
rondo::structured_shape<D> random_shape(std::uint64_t seed) {
  constexpr std::int64_t most_points[] = {60, 24, 12};
  constexpr std::int64_t most_colors[] = {20, 7, 4};
  rondo::structured_shape<D> s;
  s.diagonals = draw(seed, 0, 0, 1) != 0;
  s.halo = draw(seed, 1, 0, 3);
  if(draw(seed, 2, 0, 1) != 0)
    s.beyond = draw(seed, 3, 1, 3);
  for(std::size_t a = 0; a != D; ++a) {
    s.periodic[a] = draw(seed, 10 + a, 0, 1) != 0;
    s.extents[a] = draw(seed, 20 + a, 1, most_points[D - 1]);
    s.colors[a] = draw(seed, 30 + a, 1, std::min(s.extents[a], most_colors[D - 1]));
    if(s.colors[a] > 1 || s.periodic[a])
      s.halo = std::min(s.halo, s.extents[a] / s.colors[a]);
  }
  return s;
}

inline unsigned random_ranks(std::uint64_t seed, std::uint64_t colors) {
  const auto most = static_cast<std::int64_t>(std::min<std::uint64_t>(colors, 20));
  return static_cast<unsigned>(draw(seed, 40, 1, most));
}

} // namespace meshes
