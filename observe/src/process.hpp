#pragma once

/// \file
/// What the system says of this process.

#include <cstdint>
#include <string>

namespace rondo::detail::inline observe {

struct process_usage {
  double cpu = 0; ///< Seconds that it has had of processors.
  double kept =
    0; ///< Seconds that its threads have been ready to run and had no core; of those that are still there.
  std::uint64_t most_memory = 0; ///< Bytes.
};
process_usage usage_of_process();

/// Bytes that are in memory now; 0 if that can't be found out.
std::uint64_t memory_of_process();

std::string host_name();

/// As the system calls it; empty if it does not say.
std::string processor_name();

} // namespace rondo::detail::inline observe
