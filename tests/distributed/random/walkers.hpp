#pragma once

/// \file
/// Particles of random programs, whose ways depend on their names and on where they are, and not on the order in which anybody has them.

#include <cstdint>
#include <optional>
#include <vector>

#include "tasks.hpp"

namespace random_programs {

struct walker {
  std::uint64_t name;
  std::int64_t at[3];
};

template<std::size_t D>
walker walker_at(const point<D>& p, std::uint64_t name) {
  walker w{name, {}};
  for(std::size_t a = 0; a != D; ++a)
    w.at[a] = p[a];
  return w;
}
template<std::size_t D>
point<D> place_of(const walker& w) {
  point<D> p;
  for(std::size_t a = 0; a != D; ++a)
    p[a] = w.at[a];
  return p;
}
template<std::size_t D>
std::uint64_t hash_of(const geometry<D>& g, const walker& w) {
  return mix(w.name, g.number(place_of<D>(w)));
}

/// Those that begin at a point.
template<std::size_t D>
std::vector<walker> born_at(const point<D>& p, std::uint64_t h) {
  std::vector<walker> all;
  for(std::uint64_t k = 0; k != h % 4; ++k)
    all.push_back(walker_at(p, mix(h, k)));
  return all;
}

/// What becomes of one in a step.
template<std::size_t D>
struct fate {
  bool is_gone = false;
  point<D> seen{};               ///< Where it goes, as its color sees that,
  point<D> at{};                 ///< and where that is.
  std::optional<walker> child{}; ///< Beside it, where it was.

  fate(const geometry<D>& g, const walker& w, std::uint64_t h)
      : is_gone(h % 16 == 0), seen(place_of<D>(w)), at(seen) {
    if(h % 16 == 1)
      child = walker_at(at, mix(w.name, h));
    if(g.offsets.empty() || h % 4 == 3)
      return;
    point<D> to = seen;
    const point<D>& o = g.offsets[(h >> 8U) % g.offsets.size()];
    for(std::size_t a = 0; a != D; ++a)
      to[a] += o[a];
    point<D> wrapped = to;
    if(!g.wrap(wrapped) || !box<D>{{}, g.extents}.contains(wrapped))
      return; // the end of the world
    seen = to;
    at = wrapped;
  }
};

} // namespace random_programs
