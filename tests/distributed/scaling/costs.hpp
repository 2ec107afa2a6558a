#pragma once

/// \file
/// What a rank pays on any number of ranks, from the plans that each makes for itself: no rank has to be there.

#include <cstdint>
#include <string>

namespace scaling {

/// Of the busiest of some ranks.
struct costs {
  double colors_mean = 0;
  std::uint64_t colors = 0;
  std::uint64_t neighbours = 0; ///< Other ranks.
  std::uint64_t messages = 0;   ///< The messages that it sends to fill the ghosts of a field.
  std::uint64_t bytes_sent = 0; ///< In these.
  bool reads_in_place = true;   ///< All of these ranks: no copies within a rank.

  std::uint64_t kinds = 0;           ///< Of pieces: bisection.hpp.
  std::uint64_t partition_bytes = 0; ///< With these, and its colors.
  std::uint64_t plan_bytes = 0;
  std::uint64_t channel_bytes = 0; ///< Of a field: memory of messages.
  std::uint64_t looked_at = 0;     ///< Neighbours of colors, to make the plan.

  std::uint64_t reduction_steps = 0;   ///< One after the other.
  std::uint64_t values_moved = 0;      ///< Messages before these, at the same time.
  std::uint64_t reduction_bytes = 0;   ///< A message of a step, with a number.
  std::uint64_t broadcast_steps = 0;   ///< From rank 0, one after the other.
  std::uint64_t broadcast_by_root = 0; ///< Messages that it sends.
};

/// Of a mesh in so many dimensions, 2 or 3, with some 2^20 or 2^18 points for each rank, cut as it is for four workers
/// on each if nobody says otherwise.
[[nodiscard]] costs costs_of(unsigned dimensions, unsigned ranks);

/// The table of docs/scaling.md.
[[nodiscard]] std::string table();

} // namespace scaling
