#pragma once

/// \file
/// The network at work: its numbers in whole nanoseconds, and until when each card is busy.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "nanoseconds.hpp"
#include "network.hpp"

namespace rondo::simulate {

class network_at_work {
public:
  network_at_work(const network& n, std::uint32_t nodes)
      : network_(n), out_(nodes), in_(nodes),
        per_message_{
          to_nanoseconds(n.between_nodes.per_message), to_nanoseconds(n.within_node.per_message)},
        latency_{to_nanoseconds(n.between_nodes.latency), to_nanoseconds(n.within_node.latency)} {}

  /// A rank needs before the message has left it.
  [[nodiscard]] std::int64_t sending(bool is_within_node, std::uint32_t bytes) const {
    return per_message_[is_within_node] +
           (is_within_node ? to_nanoseconds(bytes * network_.within_node.per_byte) : 0);
  }
  /// A rank needs when the message is there.
  [[nodiscard]] std::int64_t taking(bool is_within_node) const {
    return per_message_[is_within_node];
  }
  [[nodiscard]] std::int64_t latency(bool is_within_node) const { return latency_[is_within_node]; }

  /// A message that leaves its rank now has left the card of its node then.
  std::int64_t through_card_out(std::uint32_t node, std::int64_t now, std::uint32_t bytes) {
    return through(out_[node], now, bytes);
  }
  std::int64_t through_card_in(std::uint32_t node, std::int64_t now, std::uint32_t bytes) {
    return through(in_[node], now, bytes);
  }

private:
  std::int64_t through(std::int64_t& free, std::int64_t now, std::uint32_t bytes) const {
    const double busy =
      std::max(network_.per_message_of_card, bytes * network_.between_nodes.per_byte);
    free = std::max(now, free) + to_nanoseconds(busy);
    return free;
  }

  network network_;
  std::vector<std::int64_t> out_; ///< The card of each node is free from then on.
  std::vector<std::int64_t> in_;
  std::int64_t per_message_[2]; ///< Between nodes, within one.
  std::int64_t latency_[2];
};

} // namespace rondo::simulate
