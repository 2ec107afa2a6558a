#pragma once

/// \file
/// Launches that no program has written: they only wait, or only count.

#include <cstddef>
#include <cstdint>

#include <rondo/tracing/launch.hpp>
#include <rondo/tracing/template.hpp>

namespace rondo::detail::inline tracing {

/// Has one access to a region, which lasts until launches of a trace have ended, which are not
/// counted by the region.
struct gate : launch {
  access_entry access; // first: launch::accesses()
  std::uint32_t reached = 0;
  std::uint32_t count = 0;

  trace_template::awaited* after() { return reinterpret_cast<trace_template::awaited*>(this + 1); }
  static const launch_kind the_kind;
  static const launch_kind without_region; ///< Only waits.
};

/// Stands for a launch of a template that did not come in a pass, or for a join.
struct absent : launch {
  static const launch_kind the_kind;
};

} // namespace rondo::detail::inline tracing
