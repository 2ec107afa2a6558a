#pragma once

/// \file
/// Which launch waits, for the message of a full window.

#include <cstdint>
#include <string>

#include <rondo/tracing/batch.hpp>

namespace rondo::detail::inline tracing {

/// "the oldest is task 'relax', launched at main.cpp:20, which waits for a future that it was launched with": the first launch among so
/// many of the batch that waits. Empty if none is seen to.
///
/// For the code that launches, where the executor has found that nothing can run. A thread outside may let launches go on just
/// then, so what is told may be what was so a moment before; nothing is read that goes when a launch ends.
[[nodiscard]] std::string describe_oldest_waiting(const batch& b, std::uint32_t launches);

} // namespace rondo::detail::inline tracing
