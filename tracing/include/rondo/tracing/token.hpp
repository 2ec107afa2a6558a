#pragma once

/// \file
/// What is remembered of a launch, to know it again: the task's function (by its type), and the
/// regions. Arguments may change from pass to pass. One that says that it does nothing is another launch
/// than one that does something.

#include <cstddef>
#include <cstdint>
#include <source_location>

#include <rondo/tracing/launch.hpp>
#include <rondo/tracing/region.hpp>

namespace rondo::detail::inline tracing {

struct token {
  const launch_kind* kind;
  region_base* const* regions; ///< `kind->accesses` of them.
  std::source_location where;
  const char* name;
  bool does_nothing = false; ///< It would only wait, and says so. See launch.hpp.
};

/// Not the same for two launches, mostly.
inline std::uint64_t hash_of(
  const launch_kind* kind, region_base* const* regions, std::size_t count, bool does_nothing) {
  // Products that don't wait for each other.
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15U;
  std::uint64_t factor = odd;
  std::uint64_t sum = (reinterpret_cast<std::uintptr_t>(kind) + std::uintptr_t{does_nothing}) * odd;
  for(std::size_t i = 0; i != count; ++i) {
    factor += 0xbf58476d1ce4e5b8U;
    sum += reinterpret_cast<std::uintptr_t>(regions[i]) * factor;
  }
  return sum ^ (sum >> 29U);
}
inline std::uint64_t hash_of(const token& t) {
  return hash_of(t.kind, t.regions, t.kind->accesses, t.does_nothing);
}

} // namespace rondo::detail::inline tracing
