#pragma once

/// \file
/// Mistakes of those who use a transport.

#include <cstddef>
#include <cstdint>

#include <rondo/distributed/transport.hpp>

namespace rondo::detail::inline distributed {

/// Throws std::invalid_argument if there is no such rank.
void check_rank(const transport& t, unsigned rank, const char* what);

/// The two ends of a channel don't agree. `arrived` may be unknown_size: too much. If it returns, the
/// program is about to end, and the message must not be told as one that has come.
void end_by_mismatch(
  transport& t, unsigned from, std::uint32_t channel, std::size_t arrived, std::size_t expected);

inline constexpr auto unknown_size = std::size_t(-1);

} // namespace rondo::detail::inline distributed
