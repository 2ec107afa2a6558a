#pragma once

/// \file
/// Which node of the graph is that of a launch: while the graph is made.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "spans.hpp"

namespace rondo::report {

struct told {
  std::uint64_t number;
  std::int64_t at;
  std::uint64_t passes;
  std::uint32_t shape; ///< In `graph::shapes`.
  std::uint32_t step;
  bool is_repeated;
};

/// The launches of one flow of one rank, and where its nodes are.
class flow_nodes {
public:
  std::vector<told> launches;

  /// Of which there are tasks, by the loop.
  std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> passes;

  /// `none` if it is not known.
  [[nodiscard]] std::uint32_t find(
    std::uint64_t number, std::uint32_t step, std::uint64_t pass) const {
    if(step == 0) {
      const auto at = std::ranges::lower_bound(single_, number, {}, &place::number);
      return at != single_.end() && at->number == number ? at->node : none;
    }
    const auto at = loops_.find(number);
    if(at == loops_.end() || step >= at->second.of_step.size() || at->second.of_step[step] == none)
      return none;
    const loop& l = at->second;
    const auto known = std::ranges::lower_bound(l.passes, pass);
    if(known == l.passes.end() || *known != pass)
      return none;
    return l.nodes[static_cast<std::size_t>(known - l.passes.begin()) * l.body + l.of_step[step]];
  }

  struct loop {
    std::vector<std::uint64_t> passes;  ///< Of which there are tasks.
    std::size_t body = 0;               ///< Launches of a pass.
    std::vector<std::uint32_t> of_step; ///< Which of them.
    std::vector<std::uint32_t> nodes;   ///< Pass by pass.
  };
  void add_single(std::uint64_t number, std::uint32_t node) { single_.push_back({number, node}); }
  void add_loop(std::uint64_t number, loop l) { loops_[number] = std::move(l); }

private:
  struct place {
    std::uint64_t number;
    std::uint32_t node;
  };
  std::vector<place> single_;
  std::unordered_map<std::uint64_t, loop> loops_;
};

} // namespace rondo::report
