#pragma once

/// \file
/// What observers are told of launches: docs/protocols/observing.md. Nothing of this is called where nobody observes.

#include <cstdint>

#include <rondo/core/observed.hpp>
#include <rondo/core/worker.hpp>
#include <rondo/tracing/closed.hpp>
#include <rondo/tracing/launch.hpp>

namespace rondo::detail::inline tracing {

/// The task of a launch. Where the launch was observed, too, the place is its own, and else, if it is replayed, that of the
/// launch that was recorded.
task_info info_of(const launch& l);
/// The task of a launch of a closed loop, in some pass.
task_info info_of(const closed_batch& b, const closed_step& s, std::uint64_t round);

/// All passes have ended, or are in vain.
void tell_end(const closed_loop& loop);

/// The task is not run.
[[gnu::cold]] void tell_skipped(const launch& l);

} // namespace rondo::detail::inline tracing
