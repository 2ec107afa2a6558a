#pragma once

/// \file
/// Parts of messages that are yet to get their places there.

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include <rondo/distributed/exchange_plan.hpp>

namespace rondo::detail::inline distributed {

struct loose_part {
  unsigned peer;
  color_id destination;
  std::uint64_t source; ///< of the destination: which one of those that it gets something from
  std::size_t color;
  color_id peer_color;
  selection elements;

  /// The order of parts at both ends.
  [[nodiscard]] auto key() const { return std::tuple(peer, destination, source); }
};

inline std::vector<exchange_plan::message> assemble(std::vector<loose_part>& parts) {
  std::sort(parts.begin(), parts.end(),
    [](const loose_part& a, const loose_part& b) { return a.key() < b.key(); });
  std::vector<exchange_plan::message> messages;
  for(const loose_part& p : parts) {
    if(messages.empty() || messages.back().peer != p.peer)
      messages.push_back({p.peer, 0, {}});
    auto& m = messages.back();
    m.parts.push_back({p.color, p.elements, m.size, p.peer_color});
    m.size += p.elements.size();
  }
  return messages;
}

} // namespace rondo::detail::inline distributed
