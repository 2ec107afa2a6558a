#pragma once

/// \file
/// Launches with hints. docs/protocols/flow.md, "Launches with hints"

#include <rondo/tracing/flow.hpp>

namespace rondo::detail::inline tracing {

/// Of a launch that the code which asks has.
inline priority priority_of(const launch& l) {
  return l.is_own_job ? l.kind->hints(l).priority : priority::normal;
}
/// It comes before all else, so nothing that is known of short and of long launches puts it behind others.
inline bool comes_first(const launch& l) {
  return l.is_own_job && priority_of(l) == priority::high;
}

} // namespace rondo::detail::inline tracing
