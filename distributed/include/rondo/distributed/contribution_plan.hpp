#pragma once

/// \file
/// What neighbours add to the elements of a color, and in which order: the plan of the exchange, read backwards.
///
/// \code
///   for(const contribution& c : order_contributions(plan)[color])
///     if(c.is_from_message)
///       fold(message(c.source) + c.offset * size, block(color), *c.into, size, how);
/// \endcode
///
/// Where ghosts are filled from elements of their owner, contributions go from those ghosts to the owner. There are as many
/// messages, of the same parts and lengths, in the other direction.
///
/// *The order is the same for any number of ranks*: that of the neighbours' numbers, and, if a neighbour is there more than
/// once, that in which it sees the color. A pure function of the plan.

#include <cstddef>
#include <cstdint>
#include <vector>

#include <rondo/distributed/exchange_plan.hpp>

namespace rondo::detail::inline distributed {

struct contribution {
  color_id neighbour;   ///< Counted over all ranks.
  bool is_from_message; ///< The neighbour is on another rank.
  std::size_t
    source; ///< Which one of `plan.outgoing`, read backwards; or the neighbour, of this rank.
  std::int64_t offset;   ///< In the message, in elements.
  const selection* from; ///< Ghosts of the neighbour; null if they are in a message.
  const selection* into; ///< Elements of the color.
};

/// For each color of the rank. Points into the plan.
[[nodiscard]] std::vector<std::vector<contribution>> order_contributions(const exchange_plan& plan);

} // namespace rondo::detail::inline distributed
