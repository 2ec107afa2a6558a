#pragma once

/// \file
/// What has become of a trace, for digests: kept by its flow when the trace has gone.

#include <cstdint>
#include <string>

namespace rondo {

struct trace_report {
  std::string name;
  std::uint64_t passes = 0;
  std::uint64_t replayed = 0; ///< Of them, from the first launch to the last one.
  std::uint64_t diverged = 0;
  std::uint64_t launches = 0; ///< That were replayed in these.
  bool is_off = false;
  std::string why; ///< The last reason for which a pass was not replayed.
};

} // namespace rondo
