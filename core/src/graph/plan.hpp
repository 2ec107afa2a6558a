#pragma once

/// \file
/// What is computed from the shape of a graph before it runs. Pure: no executor, no threads.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <rondo/core/graph.hpp>

namespace rondo::detail::inline core {

/// Edges by the node they leave, in compressed rows.
struct adjacency {
  std::vector<std::uint32_t> first;     ///< Node i has targets [first[i], first[i + 1]).
  std::vector<std::uint32_t> target;    ///< In the order of the calls to precede.
  std::vector<std::uint32_t> in_degree; ///< Edges to wait for: those out of conditions don't count.
  std::vector<std::uint32_t> sources;   ///< Nodes that no edge leads to.

  [[nodiscard]] std::uint32_t nodes() const { return static_cast<std::uint32_t>(first.size() - 1); }
  [[nodiscard]] std::span<const std::uint32_t> targets(std::uint32_t node) const {
    return {target.data() + first[node], target.data() + first[node + 1]};
  }
};

adjacency make_adjacency(
  std::uint32_t nodes, const block_array<graph_edge>& edges, const std::vector<bool>& is_condition);

/// All nodes, each after its predecessors. If that is impossible, the result is shorter, and
/// what is missing lies on or behind a cycle.
std::vector<std::uint32_t> topological_order(const adjacency& shape);

/// A plan for workers that run very short nodes: each node belongs to a *lane*, a sequence that
/// is worked off by one worker at a time. Instead of counting predecessors, a lane waits until
/// other lanes have come far enough, and only where that does not follow from earlier waits.
struct lane_plan {
  struct wait {
    std::uint32_t lane;
    std::uint32_t position; ///< The number of nodes of the lane that have run.
  };

  /// Nodes that run without looking left or right: wait first, then run up to `end`, then tell.
  struct segment {
    std::uint32_t waits_end;
    std::uint32_t end;
    bool tells; ///< Another lane waits for just this position.
  };

  struct lane {
    std::vector<std::uint32_t> nodes;
    std::vector<segment> segments;
    std::vector<wait> waits;
  };

  std::vector<lane> lanes;

  /// Nodes that could run at the same time, on average: nodes / length of the longest path.
  double width = 0;
};

/// `order` as from `topological_order`.
lane_plan make_lanes(
  const adjacency& shape, const std::vector<std::uint32_t>& order, std::uint32_t lanes);

} // namespace rondo::detail::inline core
