#pragma once

/// \file
/// Two threads each write something and then look at what the other has written, and one of them
/// must see the other: that needs a full fence on both sides. Where one side does it a million
/// times a second and the other one now and then, the kernel can fence for both.
///
/// \code
///   // often                                   // rarely
///   launched.store(n, release);                at_work.fetch_and(~bit);
///   light_fence();                             heavy_fence();
///   if(at_work.load(relaxed) == 0) ...         if(launched.load(relaxed) != claimed) ...
/// \endcode
///
/// Either the left side sees what the right one has written, or the right one sees what the left
/// one has. A heavy fence takes some ten microseconds, and interrupts the other threads of the
/// process that run. Where the kernel has no such thing, both are ordinary full fences.

#include <atomic>

namespace rondo::detail::inline core {

/// Whether the kernel fences for us: Linux's membarrier.
extern const bool has_heavy_fence;

/// A full fence that thread sanitizer understands.
inline void full_fence() {
  static constinit std::atomic<unsigned> anything{0};
  anything.fetch_add(0, std::memory_order_seq_cst);
}

inline void light_fence() {
  if(has_heavy_fence) [[likely]]
    std::atomic_signal_fence(std::memory_order_seq_cst);
  else
    full_fence();
}
void heavy_fence();

} // namespace rondo::detail::inline core
