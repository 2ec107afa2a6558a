#pragma once

/// \file
/// Which way of running a graph is the fastest: found by trying, not by guessing.

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace rondo::detail::inline core {

enum class graph_mode : std::uint8_t {
  dynamic, ///< Node by node: predecessors are counted, ready nodes may be stolen.
  lanes,   ///< A fixed plan, one lane for each worker.
  linear,  ///< All nodes by one worker, one after the other.
};

/// Chooses the mode of each run from how long earlier ones took. Long nodes are always run
/// dynamically; a graph of short ones tries each way twice and stays with the best, until that
/// has become much slower than it was.
class pace {
public:
  using duration = std::chrono::nanoseconds;

  /// Above this much work in a node the scheduling does not matter.
  static constexpr duration long_node{500};
  /// This many runs in a row, this many times slower than the best: things have changed.
  static constexpr unsigned slow_runs = 3;
  static constexpr unsigned slow_factor = 3;

  [[nodiscard]] graph_mode choose() const { return mode_; }

  static bool is_short(duration run, std::size_t nodes, unsigned workers) {
    return run * workers <= long_node * nodes;
  }

  /// A whole run of `nodes` nodes in the chosen mode by `workers` workers took `time`.
  void ran(duration time, std::size_t nodes, unsigned workers) {
    auto& best = best_[index(mode_)];
    const bool slow = best != unknown && time > slow_factor * best;
    best = best < time ? best : time;
    if(is_decided_) {
      slow_in_a_row_ = slow ? slow_in_a_row_ + 1 : 0;
      if(slow_in_a_row_ == slow_runs)
        *this = pace{};
      return;
    }
    if(mode_ == graph_mode::dynamic && !is_short(time, nodes, workers))
      return; // and look again next time
    // dynamic, linear, lanes, linear, lanes: twice, since the first time is not warm
    ++trials_;
    if(trials_ == 5)
      decide();
    else
      mode_ = mode_ == graph_mode::linear && !no_lanes_ ? graph_mode::lanes : graph_mode::linear;
  }

  /// The graph turned out to be too narrow for lanes.
  void rule_out_lanes() {
    no_lanes_ = true;
    if(mode_ == graph_mode::lanes)
      mode_ = graph_mode::linear;
  }

  [[nodiscard]] bool is_decided() const { return is_decided_; }

private:
  static constexpr duration unknown = duration::max();
  static std::size_t index(graph_mode m) { return static_cast<std::size_t>(m); }

  void decide() {
    is_decided_ = true;
    for(const auto m : {graph_mode::dynamic, graph_mode::linear, graph_mode::lanes})
      if(best_[index(m)] < best_[index(mode_)])
        mode_ = m;
  }

  graph_mode mode_ = graph_mode::dynamic;
  bool is_decided_ = false;
  bool no_lanes_ = false;
  unsigned trials_ = 0;
  unsigned slow_in_a_row_ = 0;
  std::array<duration, 3> best_{unknown, unknown, unknown};
};

} // namespace rondo::detail::inline core
