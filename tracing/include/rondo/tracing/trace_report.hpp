#pragma once

/// \file
/// What has become of a trace, for digests: kept by its flow when the trace has gone.

#include <cstdint>
#include <string>
#include <vector>

namespace rondo {

/// Why passes were not replayed: a first difference that they have in common, with the places of both launches.
struct trace_miss {
  std::string why;
  std::uint64_t pass = 0;  ///< The last one of them.
  std::uint64_t count = 1; ///< So many there were.

  /// With the pass.
  [[nodiscard]] std::string text() const { return "pass " + std::to_string(pass) + ", " + why; }
};

struct trace_report {
  std::string name;
  std::uint64_t passes = 0;
  std::uint64_t replayed = 0; ///< Of them, from the first launch to the last one.
  std::uint64_t diverged = 0;
  std::uint64_t launches = 0; ///< The launches that were replayed in these.
  bool is_off = false;
  std::vector<trace_miss> misses =
    {}; ///< The last eight that are not the same, the newest one last.
};

} // namespace rondo
