#pragma once

#include <cstdint>

namespace rondo::detail::inline distributed {

/// A channel that leads to this rank, as UCX sees it: 8 bits of kind, 32 of channel, 24 of sender.
struct ucx_tag {
  enum kind : std::uint64_t { message, meeting };

  static constexpr unsigned most_ranks = 1U << 24U;
  static constexpr std::uint64_t all_bits = ~std::uint64_t{0};

  static constexpr std::uint64_t make(kind k, unsigned from, std::uint32_t channel) {
    return k << 56U | std::uint64_t{channel} << 24U | from;
  }
};

} // namespace rondo::detail::inline distributed
