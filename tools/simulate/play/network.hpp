#pragma once

/// \file
/// How long messages take. A message occupies its sender for a moment, then the network card of the sender's node, which sends one after the other,
/// then it travels, then it occupies the card of the receiver's node, and at last the receiver for a moment. Between ranks of one node there are no cards.
/// Times are nanoseconds.

#include <cstdint>
#include <string>

#include <nlohmann/json.hpp>

namespace rondo::simulate {

struct link {
  double latency = 0;     ///< From the last byte that leaves to the last that is there.
  double per_message = 0; ///< A rank needs for it at each end.
  double per_byte = 0;    ///< A card needs for it; between ranks of one node the sender does.
};

struct network {
  std::string name;                 ///< "as measured here"
  std::string source;               ///< Where the numbers are from; for people.
  std::uint32_t ranks_per_node = 0; ///< 0 if all are on one node.
  link within_node;
  link between_nodes;
  double per_message_of_card = 0; ///< The card is busy for so long at least.
};

/// Throws std::runtime_error with what to do if something is missing, negative, or of another name.
network network_from(const nlohmann::json& j);
void to_json(nlohmann::json& j, const network& n);

} // namespace rondo::simulate
