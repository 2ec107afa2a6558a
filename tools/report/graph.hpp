#pragma once

/// \file
/// Which task waited for which: from what launches say they read and write, and from messages. docs/protocols/observing.md, "Enough for the
/// graph".

#include <cstdint>
#include <span>
#include <vector>

#include <rondo/observe/timeline/timeline.hpp>

#include "spans.hpp"

namespace rondo::report {

/// A launch, in one of its passes; or what stands between many and many.
struct node {
  std::int64_t launched = unknown; ///< When the program launched it.
  std::int64_t begin = unknown;    ///< Of its task.
  std::int64_t end = unknown;
  std::uint32_t first = none; ///< Its first span, and its last one.
  std::uint32_t last = none;
  std::uint32_t rank = 0;     ///< Its place in `timeline::ranks`.
  std::uint32_t shape = none; ///< In `graph::shapes`.
  bool knows_all = true;      ///< All launches that it waits for: no launch before it is missing.
  bool may_have_run = false;  ///< If it is not known to: its rank has dropped tasks.
  bool lacks_message = false; ///< It took one of which not both ends are known.

  static constexpr std::int64_t unknown = INT64_MIN;
  [[nodiscard]] bool has_run() const { return first != none && last != none; }
};

/// A message, with the nodes that it was sent for and taken for.
struct arrow {
  std::uint32_t from = none; ///< Nodes.
  std::uint32_t to = none;
  std::uint32_t from_rank = 0; ///< Their places in `timeline::ranks`.
  std::uint32_t to_rank = 0;
  std::uint64_t bytes = 0;
  std::int64_t posted = 0;
  std::int64_t arrived = 0;
};

struct graph {
  struct shape {
    std::uint32_t rank = 0; ///< Places: of the rank, of the lane, of the shape.
    std::uint32_t lane = 0;
    std::uint32_t number = 0;
    std::uint32_t step = 0;
  };

  std::vector<node> nodes; ///< What waits comes behind what it waits for, but for messages.
  std::vector<shape> shapes;
  std::vector<std::uint32_t> first_edge; ///< Of each node, and one more.
  std::vector<std::uint32_t> edges;      ///< What it waits for, but for messages.
  /// The launches whose futures a node takes, most likely: which ones is not told, so these are the results that were launched
  /// last. By the node that takes them.
  struct taken_result {
    std::uint32_t by;
    std::uint32_t of;
  };
  std::vector<taken_result> results;
  std::vector<arrow> arrows;          ///< By the time at which they were posted.
  std::vector<std::uint32_t> node_of; ///< Of spans; `none`: its launch is not known.
  std::vector<std::uint32_t>
    arrows_to; ///< Of `arrows`, by the node that takes them; those without one are left out.

  [[nodiscard]] std::span<const std::uint32_t> before(std::uint32_t n) const {
    return {edges.data() + first_edge[n], edges.data() + first_edge[n + 1]};
  }
  [[nodiscard]] std::span<const taken_result> results_for(std::uint32_t n) const;
  /// Messages that it takes.
  [[nodiscard]] std::span<const std::uint32_t> messages_to(std::uint32_t n) const;
  /// The message of these that has arrived last by that time, and behind the other one; `none` if there is none.
  [[nodiscard]] std::uint32_t last_message(
    std::uint32_t n, std::int64_t behind, std::int64_t by) const;
};

graph graph_of(const detail::timeline& t, const spans& s);

} // namespace rondo::report
