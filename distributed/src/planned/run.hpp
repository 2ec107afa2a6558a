#pragma once

/// \file
/// What a program would do on many ranks: docs/protocols/planning.md.

#include <rondo/core/function_ref.hpp>
#include <rondo/distributed/scheduler.hpp>

#include "wish.hpp"

namespace rondo::detail::inline distributed {

/// Calls the program once for each rank, one after the other, with tasks that do nothing, and writes down what it launches and which messages
/// that leads to, as a timeline. Returns the exit code.
int plan_program(
  function_ref<void(scheduler&)> body, const flow_options& options, const plan_wish& what);

} // namespace rondo::detail::inline distributed
