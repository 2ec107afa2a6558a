#pragma once

/// \file
/// Launches that no program has written: they only wait, or only count.

#include <cstddef>
#include <cstdint>

#include <rondo/tracing/launch.hpp>
#include <rondo/tracing/template.hpp>

namespace rondo::detail {

struct closed_loop;

/// Has one access to a region, which lasts until launches of a trace have ended, which are not
/// counted by the region.
struct gate : launch {
  access_entry access; // first: launch::accesses()
  std::uint32_t reached = 0;
  std::uint32_t count = 0;
  closed_loop* begins = nullptr; ///< When nothing is left to wait for.

  trace_template::awaited* after() { return reinterpret_cast<trace_template::awaited*>(this + 1); }
  static const launch_kind the_kind;
  static const launch_kind without_region; ///< Only waits.
  static const launch_kind before_loop;    ///< The same, and then begins it.
};

/// Stands for a launch of a template that did not come in a pass.
struct absent : launch {
  static const launch_kind the_kind;
};

} // namespace rondo::detail
