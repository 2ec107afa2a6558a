#pragma once

#include "rondo/core/machine.hpp"

#include <optional>
#include <string>
#include <vector>

namespace rondo::detail::inline core {

/// Where a machine description comes from: this computer, or, for tests, any machine that
/// hwloc can make up.
struct machine_source {
  std::string synthetic = {};         ///< hwloc's notation, "pack:2 numa:2 l3:1 l2:4 core:1 pu:2"
  std::vector<unsigned> allowed = {}; ///< for synthetic machines: the affinity mask; empty: all
  std::optional<double> quota = {};   ///< CPUs granted
};

machine read_machine(const machine_source& source);

/// min(cores, quota rounded up), at least 1. A quota of 1.5 CPUs is worth two workers: both
/// advance three quarters of the time.
unsigned usable_cores(std::size_t cores, std::optional<double> quota);

} // namespace rondo::detail::inline core
