#pragma once

/// \file
/// Traces that nobody has asked for: what the finder has found, recorded, and replayed.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <rondo/tracing/finder.hpp>
#include <rondo/tracing/template.hpp>

namespace rondo {

/// What a flow has found out about its launches by itself.
struct repeat_statistics {
  std::uint64_t found = 0;    ///< Loops.
  std::uint64_t passes = 0;   ///< Replayed.
  std::uint64_t launches = 0; ///< Replayed.
  std::uint64_t diverged = 0; ///< Launches that were others than expected.
  std::uint64_t given_up = 0; ///< Loops that were none, or have ended.
  std::size_t period = 0;     ///< Launches of the loop in use.
  std::size_t lanes =
    0; ///< The number of lanes that it is dealt out to; with 1 any worker runs any of them.
};

namespace detail::inline tracing {

struct automatic {
  finder seen;
  std::unique_ptr<trace_template> found; ///< In use, or was last.
  recording record;
  std::size_t recording_of = 0; ///< So many launches are being recorded.
  std::uint64_t passes = 0;     ///< Of the template: replayed.
  std::uint64_t misses = 0;     ///< Of the template: launches that were others than expected.
  std::uint64_t in_a_row = 0;   ///< Of these.
  std::uint64_t since_miss = 0; ///< Passes.
  std::uint64_t pause = 0;      ///< Batches until launches are looked at again.
  repeat_statistics told;
};

} // namespace detail::inline tracing
} // namespace rondo
