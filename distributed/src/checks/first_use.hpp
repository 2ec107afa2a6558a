#pragma once

/// \file
/// Fields that are read before anything was written: all their values are 0, and ragged ones and particles have none, which may be meant, or not.

#include <source_location>
#include <span>

#include <rondo/distributed/launch_arguments.hpp>

namespace rondo::detail::inline distributed {

struct launched_task {
  const char* name; ///< If null, nothing is said.
  const std::source_location& where;
};

/// In a checked build the first rank says so, once for each field.
void note_first_uses(std::span<const launch_argument> uses, const launched_task& by, unsigned rank);

} // namespace rondo::detail::inline distributed
