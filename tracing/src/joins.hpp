#pragma once

/// \file
/// Joins: nodes of a template that no program has launched. Where each launch of a group waits for each one of
/// another group, as many readers and those who commute after them, that would be as many edges as one times
/// the other; through a join it is one plus the other. docs/protocols/trace.md, "Joins"

#include <cstdint>
#include <vector>

#include <rondo/tracing/region.hpp>

namespace rondo::detail::inline tracing {

/// The accesses to one region in a pass, in the order of the launches.
struct slot_access {
  std::uint32_t launch;
  access_mode mode;
};

/// Comes after all accesses of the group that ends with this launch. Launches after the group come after
/// the join.
struct join {
  std::uint32_t behind; ///< The launch.
  std::uint32_t slot;   ///< The region.
};

/// Joins that are worth a node, in the order of the launches. Passes follow each other, so the first group of a
/// pass may have begun in the one before.
std::vector<join> find_joins(const std::vector<std::vector<slot_access>>& by_slot);

} // namespace rondo::detail::inline tracing
