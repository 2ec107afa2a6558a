#pragma once

/// \file
/// The streams of messages of all ranks, where each ends, and how many messages are there.

#include <cstdint>
#include <vector>

#include "plan/program.hpp"

namespace rondo::simulate {

constexpr std::uint32_t none = UINT32_MAX;

/// Where a rank's messages go.
struct stream_out {
  std::uint32_t to : 31 = 0; ///< In `streams::in`, or `nobody`.
  std::uint32_t is_within_node : 1 = 0;

  static constexpr std::uint32_t nobody = (1U << 31) - 1;
};

/// What a rank takes. Either some messages have arrived that nobody has taken, or someone waits for them: one counter
/// and one list are enough.
struct stream_in {
  std::uint32_t rank : 31 = 0; ///< Of this one.
  std::uint32_t is_within_node : 1 = 0;
  std::uint32_t not_taken = 0;  ///< Messages that have arrived.
  std::uint32_t waiting = none; ///< The first progress that waits for one.
};

/// One behind the other, rank after rank.
struct streams {
  std::vector<stream_out> out;
  std::vector<stream_in> in;
  std::vector<std::uint32_t> first_out; ///< Of each rank.
  std::vector<std::uint32_t> first_in;
};

/// Which ranks share a node.
class nodes {
public:
  /// `ranks_per_node` is 0 if there is one node.
  nodes(std::uint32_t ranks, std::uint32_t ranks_per_node);

  [[nodiscard]] std::uint32_t of(std::uint32_t rank) const { return rank / ranks_per_node_; }
  [[nodiscard]] std::uint32_t count() const { return count_; }

private:
  std::uint32_t ranks_per_node_;
  std::uint32_t count_;
};

streams streams_of(const plan& p, const nodes& n);

} // namespace rondo::simulate
