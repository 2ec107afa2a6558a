#pragma once

/// \file
/// What a task may do with the elements of a color: accessor.hpp.

namespace rondo {

/// `folds`: what is written to ghosts becomes part of what their owners have; declared by the operation, as in
/// `accessor<rw, fold::sum>`.
enum class privilege : unsigned char { na, ro, wo, rw, still, folds };
inline constexpr privilege na = privilege::na;
inline constexpr privilege ro = privilege::ro;
inline constexpr privilege wo = privilege::wo;
inline constexpr privilege rw = privilege::rw;
inline constexpr privilege still = privilege::still;

/// As deep as the halo is: what is said of ghosts goes for all of them.
inline constexpr int whole_halo = 0x7fff;

constexpr bool writes(privilege p) { return p == wo || p == rw || p == privilege::folds; }
constexpr bool reads(privilege p) { return p == ro || p == rw || p == still; }

/// A task that may do the one may do the other.
constexpr bool covers(privilege has, privilege wants) {
  return wants == na || has == wants || has == rw || (has == still && wants == ro);
}

} // namespace rondo
