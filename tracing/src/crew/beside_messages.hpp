#pragma once

/// \file
/// Launches that take long while messages are awaited: docs/protocols/poller.md. For crew.cpp and
/// beside_messages.cpp.

#include <rondo/tracing/flow.hpp>

#include "../hinted.hpp"
#include "../running.hpp"

namespace rondo::detail::inline tracing {

inline bool is_long_beside_messages(const launch& l) {
  const long_launches& known = running::room(l.home->home).long_ones;
  return !known.is_empty() && known.contain(l.kind->identity()) && !comes_first(l) &&
         engine_of(*executor_of(*l.home)).poller_is_wanted();
}

/// The next one of the worker's stock, if that is a launch which is short; long ones are put behind all else.
launch* take_short_of_stock(worker& w);

} // namespace rondo::detail::inline tracing
