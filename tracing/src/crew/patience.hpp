#pragma once

/// \file
/// How long crews wait for what others are running, and how much they claim, in ticks. For all crews.

#include <cstdint>

namespace rondo::detail::inline tracing {

/// A crew that shares launches waits as long as so many of them take for what is being run elsewhere, so
/// that one that has fallen behind can catch up; but no longer than the second number.
inline constexpr std::uint64_t patience_in_launches = 16;
inline constexpr std::uint64_t most_patience = 200'000;
/// In a lane others have lanes of their own, and no part in what is ours: it is worth a longer wait.
inline constexpr std::uint64_t least_patience_in_lane = 100'000;

/// Each wait in vain, of any crew of the flow, halves the next one, at most so often, until one is not in vain. Where several loops are
/// under way the crews of the older ones may stand in a queue, and then crews of younger ones would all wait for them, one after the other.
inline constexpr std::uint32_t most_halvings = 5;

/// A crew claims as much as takes about this long, so that nobody waits for long for work that
/// another one has claimed.
inline constexpr std::uint64_t worth_claiming = 20'000;

/// After about so long others have their turn, and waits are looked at.
inline constexpr std::uint64_t worth_staying = 200'000;

/// A launch that may not run yet is looked at.
inline constexpr std::uint64_t ticks_of_a_look = 60;

} // namespace rondo::detail::inline tracing
