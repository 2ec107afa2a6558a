#pragma once

/// \file
/// A body that takes so long that workers know its launch by name: `long_launches`.

#include <rondo/core/poll_pace.hpp>
#include <rondo/core/ticks.hpp>

inline void take_long() {
  const auto began = rondo::detail::ticks();
  while(rondo::detail::ticks() - began < 8 * rondo::detail::poll_pace::interval) {
  }
}
