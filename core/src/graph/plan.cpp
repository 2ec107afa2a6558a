#include "plan.hpp"

#include <algorithm>
#include <numeric>

namespace rondo::detail::inline core {

adjacency make_adjacency(std::uint32_t nodes, const block_array<graph_edge>& edges,
  const std::vector<bool>& is_condition) {
  adjacency made;
  made.first.resize(std::size_t{nodes} + 1);
  made.in_degree.resize(nodes);
  std::vector<bool> has_jump(is_condition.empty() ? 0 : nodes);
  const auto for_each_edge = [&](auto&& f) {
    edges.for_each_stretch(0, edges.size(), [&](const graph_edge* e, const graph_edge* end) {
      for(; e != end; ++e)
        f(*e);
    });
  };
  for_each_edge([&](graph_edge e) {
    ++made.first[std::size_t{e.from} + 1];
    if(!is_condition.empty() && is_condition[e.from])
      has_jump[e.to] = true;
    else
      ++made.in_degree[e.to];
  });
  std::partial_sum(made.first.begin(), made.first.end(), made.first.begin());
  made.target.resize(edges.size());
  std::vector<std::uint32_t> next(made.first.begin(), made.first.end() - 1);
  for_each_edge([&](graph_edge e) { made.target[next[e.from]++] = e.to; });
  for(std::uint32_t i = 0; i != nodes; ++i)
    if(made.in_degree[i] == 0 && (has_jump.empty() || !has_jump[i]))
      made.sources.push_back(i);
  return made;
}

std::vector<std::uint32_t> topological_order(const adjacency& shape) {
  std::vector<std::uint32_t> order;
  order.reserve(shape.nodes());
  order = shape.sources;
  auto open = shape.in_degree;
  for(std::size_t i = 0; i != order.size(); ++i)
    for(const auto t : shape.targets(order[i]))
      if(--open[t] == 0)
        order.push_back(t);
  return order;
}

namespace {

/// Nodes by level, the length of the longest path that leads to them, and within a level in
/// the order in which they were added.
struct levels {
  std::vector<std::uint32_t> first; ///< Level l is [first[l], first[l + 1]) of `nodes`.
  std::vector<std::uint32_t> nodes;
};

levels make_levels(const adjacency& shape, const std::vector<std::uint32_t>& order) {
  std::vector<std::uint32_t> level(shape.nodes());
  std::uint32_t deepest = 0;
  for(const auto node : order) {
    deepest = std::max(deepest, level[node]);
    for(const auto t : shape.targets(node))
      level[t] = std::max(level[t], level[node] + 1);
  }
  levels made;
  made.first.resize(std::size_t{deepest} + 2);
  for(const auto l : level)
    ++made.first[std::size_t{l} + 1];
  std::partial_sum(made.first.begin(), made.first.end(), made.first.begin());
  made.nodes.resize(shape.nodes());
  std::vector<std::uint32_t> next(made.first.begin(), made.first.end() - 1);
  for(std::uint32_t node = 0; node != shape.nodes(); ++node)
    made.nodes[next[level[node]]++] = node;
  return made;
}

/// Narrower levels stay in one lane: passing them around would cost more than it gains.
constexpr std::uint32_t least_per_lane = 8;

} // namespace

lane_plan make_lanes(
  const adjacency& shape, const std::vector<std::uint32_t>& order, std::uint32_t lane_count) {
  const levels by_level = make_levels(shape, order);
  const auto level_count = static_cast<std::uint32_t>(by_level.first.size() - 1);
  lane_plan plan;
  plan.lanes.resize(lane_count);
  plan.width = static_cast<double>(shape.nodes()) / level_count;

  // Every level is cut into as many stretches as there are lanes. Nodes that were added next
  // to each other mostly depend on nodes that were, so few edges lead from lane to lane.
  std::vector<std::uint32_t> lane_of(shape.nodes());
  std::vector<std::uint32_t> position(shape.nodes()); // counted from 1: how far the lane is then
  for(std::uint32_t l = 0; l != level_count; ++l) {
    const std::uint32_t begin = by_level.first[l];
    const std::uint32_t width = by_level.first[l + 1] - begin;
    const bool narrow = width < least_per_lane * lane_count;
    for(std::uint32_t i = 0; i != width; ++i) {
      const std::uint32_t node = by_level.nodes[begin + i];
      const auto lane =
        narrow ? 0 : static_cast<std::uint32_t>(std::uint64_t{i} * lane_count / width);
      lane_of[node] = lane;
      plan.lanes[lane].nodes.push_back(node);
      position[node] = static_cast<std::uint32_t>(plan.lanes[lane].nodes.size());
    }
  }

  // Edges between lanes, by the node they lead to.
  std::vector<std::uint32_t> first(std::size_t{shape.nodes()} + 1);
  const auto for_each_crossing = [&](auto&& f) {
    for(std::uint32_t node = 0; node != shape.nodes(); ++node)
      for(const auto t : shape.targets(node))
        if(lane_of[t] != lane_of[node])
          f(node, t);
  };
  for_each_crossing([&](std::uint32_t, std::uint32_t to) { ++first[std::size_t{to} + 1]; });
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<std::uint32_t> origin(first.back());
  std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
  for_each_crossing([&](std::uint32_t from, std::uint32_t to) { origin[next[to]++] = from; });

  std::vector<bool> tells(shape.nodes());
  std::vector<std::vector<bool>> waits_before(lane_count);
  for(std::uint32_t l = 0; l != lane_count; ++l) {
    auto& lane = plan.lanes[l];
    std::vector<std::uint32_t> known(lane_count); // how far the other lanes surely are
    std::vector<std::uint32_t> needed(lane_count);
    waits_before[l].resize(lane.nodes.size());
    for(std::size_t p = 0; p != lane.nodes.size(); ++p) {
      const auto node = lane.nodes[p];
      needed = known;
      for(auto e = first[node]; e != first[node + 1]; ++e)
        needed[lane_of[origin[e]]] = std::max(needed[lane_of[origin[e]]], position[origin[e]]);
      for(std::uint32_t other = 0; other != lane_count; ++other)
        if(needed[other] > known[other]) {
          waits_before[l][p] = true;
          tells[plan.lanes[other].nodes[needed[other] - 1]] = true;
          lane.waits.push_back({other, needed[other]});
          // Remembered here until segments are made, just below.
          lane.segments.push_back(
            {static_cast<std::uint32_t>(lane.waits.size()), static_cast<std::uint32_t>(p), false});
          known[other] = needed[other];
        }
    }
  }
  for(std::uint32_t l = 0; l != lane_count; ++l) {
    auto& lane = plan.lanes[l];
    const auto waits_at = std::move(lane.segments); // {waits so far, position} in order
    lane.segments = {};
    std::size_t w = 0;
    std::uint32_t waits_end = 0;
    const auto size = static_cast<std::uint32_t>(lane.nodes.size());
    for(std::uint32_t p = 0; p != size; ++p) {
      for(; w != waits_at.size() && waits_at[w].end == p; ++w)
        waits_end = waits_at[w].waits_end;
      const bool last = p + 1 == size;
      if(tells[lane.nodes[p]] || last || waits_before[l][p + 1])
        lane.segments.push_back({waits_end, p + 1, bool(tells[lane.nodes[p]])});
    }
  }
  return plan;
}

} // namespace rondo::detail::inline core
