#pragma once

/// \file
/// The cores that this process may use, in numbers that other processes of the same machine can compare with theirs.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace rondo::detail::inline core {

/// A CPU quota, and whose it is.
struct cpu_limit {
  double cpus; ///< More than 0.
  std::uint64_t
    group; ///< Of processes that share it: the same number for all of them, and no other ones.
};

/// The cores that this process may use just now, ascending; at least one. A core has the number of the first of its
/// hardware threads, whether this process may use that one or not: so it is the same for all processes.
std::vector<unsigned> cores_here();

/// The cores, numbered like that, of these hardware threads, one by one.
std::vector<unsigned> cores_of(std::span<const unsigned> threads);

/// How many cores the machine has, those that this process may not use included.
unsigned cores_of_machine();

/// The quota that holds for this process; nothing if there is none.
std::optional<cpu_limit> limit_here();

} // namespace rondo::detail::inline core
