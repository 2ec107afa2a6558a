#pragma once

/// \file
/// How long the pieces are in which a loop with auto_chunks is worked off.

#include <cstddef>
#include <cstdint>
#include <limits>

#include <rondo/core/ticks.hpp>

namespace rondo::detail::inline core {

/// 10 to 16 microseconds at 2 to 3 ticks a nanosecond. Long against reading the clock, looking for
/// hungry workers and starting a vectorized loop; short against waking a worker and being
/// balanced.
inline constexpr std::uint64_t piece_ticks = 32768;

/// The length of the next piece after one of `length` elements that took `elapsed` ticks.
/// It grows in big steps as long as the clock says so, and shrinks in small ones: a piece may
/// seem long only because its thread was interrupted.
[[nodiscard]] constexpr std::size_t next_piece(std::size_t length, std::uint64_t elapsed) {
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max() / 8;
  if(elapsed < piece_ticks / 8)
    return length < most ? length * 8 : length;
  if(elapsed < piece_ticks / 2)
    return length < most ? length * 2 : length;
  if(elapsed > piece_ticks * 2)
    return length > 1 ? length / 2 : 1;
  return length;
}

} // namespace rondo::detail::inline core
