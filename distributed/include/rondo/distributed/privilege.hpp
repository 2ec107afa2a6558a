#pragma once

/// \file
/// What a task may do with the elements of a color: accessor.hpp.

namespace rondo {

enum class privilege : unsigned char { na, ro, wo, rw, still };
inline constexpr privilege na = privilege::na;
inline constexpr privilege ro = privilege::ro;
inline constexpr privilege wo = privilege::wo;
inline constexpr privilege rw = privilege::rw;
inline constexpr privilege still = privilege::still;

constexpr bool writes(privilege p) { return p == wo || p == rw; }
constexpr bool reads(privilege p) { return p == ro || p == rw || p == still; }

/// A task that may do the one may do the other.
constexpr bool covers(privilege has, privilege wants) {
  return wants == na || has == wants || has == rw || (has == still && wants == ro);
}

} // namespace rondo
