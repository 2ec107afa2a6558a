#pragma once

/// \file
/// Code at rest that waits for a condition. Lives on the stack of that code.

#include <rondo/core/executor.hpp>
#include <rondo/core/wait_condition.hpp>

namespace rondo::detail::inline core {

struct waiter {
  wait_condition done;
  wait_kind kind;
  bool prefers_forks;
  fiber* who;
  const acting_as* level; ///< What the thread was; it goes on only when it is that again.
  waiter* next;           ///< Begun before; in the list of one worker.
  waiter* before;
};

} // namespace rondo::detail::inline core
