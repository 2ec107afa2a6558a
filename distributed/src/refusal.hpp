#pragma once

/// \file
/// What users of structured meshes are told when something can't be.

#include <stdexcept>
#include <string>

#include <rondo/distributed/coloring.hpp>

namespace rondo::detail::inline distributed {

[[noreturn]] inline void refuse(const std::string& why) {
  throw std::invalid_argument("rondo::structured: " + why);
}

inline std::string along(std::size_t axis) { return " along axis " + std::to_string(axis); }

/// As in "4 x 4 = 16", or "16" along one axis.
template<std::size_t D>
std::string product(const point<D>& factors) {
  std::string text = std::to_string(factors[0]);
  std::int64_t n = factors[0];
  for(std::size_t a = 1; a != D; ++a) {
    text += " x " + std::to_string(factors[a]);
    n *= factors[a];
  }
  return D == 1 ? text : text + " = " + std::to_string(n);
}

/// How many points; not if there are none or too many.
template<std::size_t D>
std::uint64_t points_of(const point<D>& extents) {
  constexpr std::uint64_t most = structured_coloring<D>::most_points;
  std::uint64_t points = 1;
  for(std::size_t a = 0; a != D; ++a) {
    const std::int64_t n = extents[a];
    if(n < 1)
      refuse("an extent of " + std::to_string(n) + along(a) + "; give the mesh at least one point");
    if(static_cast<std::uint64_t>(n) > most / points)
      refuse("the mesh has more than 2^60 points; take smaller extents");
    points *= static_cast<std::uint64_t>(n);
  }
  return points;
}

template<std::size_t D>
void check_ranks(const point<D>& extents, unsigned ranks) {
  if(ranks == 0)
    refuse("0 ranks; there has to be at least one");
  if(points_of(extents) < ranks)
    refuse("the mesh has " + product(extents) + " points but there are " + std::to_string(ranks) +
           " ranks; take a larger mesh or fewer ranks");
}

inline void check_halo(std::int64_t halo) {
  if(halo < 0)
    refuse("a halo of " + std::to_string(halo) + "; take 0 for none");
}

} // namespace rondo::detail::inline distributed
