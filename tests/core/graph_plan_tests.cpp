#include <catch2/catch.hpp>

#include <cstdint>
#include <vector>

#include "graph/pace.hpp"
#include "graph/plan.hpp"

using namespace rondo;
using namespace rondo::detail;

namespace {

struct shape_of {
  block_array<graph_edge> edges;
  std::uint32_t nodes;

  explicit shape_of(std::uint32_t n) : nodes(n) {}
  void edge(std::uint32_t from, std::uint32_t to) { *edges.extend() = {from, to}; }
  [[nodiscard]] adjacency make() const { return make_adjacency(nodes, edges, {}); }
};

void wavefront(shape_of& s, std::uint32_t side) {
  for(std::uint32_t i = 0; i != side * side; ++i) {
    if(i >= side)
      s.edge(i - side, i);
    if(i % side != 0)
      s.edge(i - 1, i);
  }
}

/// Layers of `width` nodes, each with up to four predecessors in the layer before.
void layers(shape_of& s, std::uint32_t width, std::uint32_t depth) {
  std::uint32_t state = 17;
  for(std::uint32_t l = 1; l != depth; ++l)
    for(std::uint32_t i = 0; i != width; ++i)
      for(std::uint32_t e = 0; e != 1 + (i + l) % 4; ++e) {
        state = state * 1664525 + 1013904223;
        s.edge((l - 1) * width + (state >> 8U) % width, l * width + i);
      }
}

/// Plays the lanes one segment at a time, always the first that may go on, and checks that no
/// node runs before its predecessors. Returns how many nodes ran.
std::size_t play(const adjacency& shape, const lane_plan& plan, bool last_lane_first) {
  std::vector<std::vector<std::uint32_t>> predecessors(shape.nodes());
  for(std::uint32_t n = 0; n != shape.nodes(); ++n)
    for(const auto t : shape.targets(n))
      predecessors[t].push_back(n);
  const std::size_t count = plan.lanes.size();
  std::vector<std::uint32_t> segment(count), position(count), told(count);
  std::vector<bool> ran(shape.nodes());
  std::size_t total = 0;
  for(bool moved = true; moved;) {
    moved = false;
    for(std::size_t k = 0; k != count; ++k) {
      const std::size_t l = last_lane_first ? count - 1 - k : k;
      const auto& lane = plan.lanes[l];
      while(segment[l] != lane.segments.size()) {
        const auto& s = lane.segments[segment[l]];
        const auto begin = segment[l] == 0 ? 0 : lane.segments[segment[l] - 1].waits_end;
        bool ready = true;
        for(auto w = begin; w != s.waits_end; ++w)
          ready = ready && told[lane.waits[w].lane] >= lane.waits[w].position;
        if(!ready)
          break;
        for(; position[l] != s.end; ++position[l]) {
          const auto node = lane.nodes[position[l]];
          for(const auto p : predecessors[node])
            REQUIRE(ran[p]);
          ran[node] = true;
          ++total;
        }
        if(s.tells)
          told[l] = s.end;
        ++segment[l];
        moved = true;
      }
    }
  }
  return total;
}

} // namespace

TEST_CASE("edges out of a node keep the order in which they were added") {
  shape_of s(4);
  s.edge(0, 3);
  s.edge(0, 1);
  s.edge(2, 1);
  s.edge(0, 2);
  const auto shape = s.make();
  CHECK(std::vector<std::uint32_t>(shape.targets(0).begin(), shape.targets(0).end()) ==
        std::vector<std::uint32_t>{3, 1, 2});
  CHECK(shape.in_degree == std::vector<std::uint32_t>{0, 2, 1, 1});
  CHECK(shape.sources == std::vector<std::uint32_t>{0});
}

TEST_CASE("an edge out of a condition is not waited for and makes no source") {
  shape_of s(3);
  s.edge(0, 1);
  s.edge(1, 1);
  s.edge(1, 2);
  const auto shape = make_adjacency(3, s.edges, {false, true, false});
  CHECK(shape.in_degree == std::vector<std::uint32_t>{0, 1, 0});
  CHECK(shape.sources == std::vector<std::uint32_t>{0});
}

TEST_CASE("a topological order is short by the nodes on and behind a cycle") {
  shape_of s(5);
  s.edge(0, 1);
  s.edge(1, 2);
  s.edge(2, 1);
  s.edge(2, 3);
  CHECK(topological_order(s.make()) == std::vector<std::uint32_t>{0, 4});
}

TEST_CASE("a topological order puts every node behind its predecessors") {
  shape_of s(6);
  s.edge(5, 0);
  s.edge(0, 3);
  s.edge(4, 3);
  s.edge(3, 1);
  const auto order = topological_order(s.make());
  REQUIRE(order.size() == 6);
  std::vector<std::size_t> at(6);
  for(std::size_t i = 0; i != 6; ++i)
    at[order[i]] = i;
  CHECK(at[5] < at[0]);
  CHECK(at[0] < at[3]);
  CHECK(at[4] < at[3]);
  CHECK(at[3] < at[1]);
}

TEST_CASE("lanes run every node after its predecessors, whichever lane is ahead") {
  const auto lanes = GENERATE(1U, 2U, 3U, 7U);
  const auto reversed = GENERATE(false, true);
  SECTION("wavefront") {
    shape_of s(60 * 60);
    wavefront(s, 60);
    const auto shape = s.make();
    CHECK(play(shape, make_lanes(shape, topological_order(shape), lanes), reversed) == s.nodes);
  }
  SECTION("random layers") {
    shape_of s(100 * 30);
    layers(s, 100, 30);
    const auto shape = s.make();
    CHECK(play(shape, make_lanes(shape, topological_order(shape), lanes), reversed) == s.nodes);
  }
  SECTION("no edges") {
    shape_of s(1000);
    const auto shape = s.make();
    const auto plan = make_lanes(shape, topological_order(shape), lanes);
    CHECK(play(shape, plan, reversed) == s.nodes);
    for(const auto& lane : plan.lanes)
      CHECK(lane.waits.empty());
  }
}

TEST_CASE("lanes wait only where it does not follow from an earlier wait") {
  shape_of s(60 * 60);
  wavefront(s, 60);
  const auto shape = s.make();
  const auto plan = make_lanes(shape, topological_order(shape), 2);
  // One crossing of the border between the lanes for each of the 119 diagonals, or fewer.
  CHECK(plan.lanes[0].waits.size() + plan.lanes[1].waits.size() < 2 * 119);
  CHECK(plan.width == Approx(3600.0 / 119));
}

TEST_CASE("narrow levels stay in one lane") {
  shape_of s(100);
  for(std::uint32_t i = 1; i != 100; ++i)
    s.edge(i - 1, i);
  const auto shape = s.make();
  const auto plan = make_lanes(shape, topological_order(shape), 4);
  CHECK(plan.lanes[0].nodes.size() == 100);
  CHECK(plan.width == Approx(1));
}

TEST_CASE("a graph of long nodes is always run dynamically") {
  pace p;
  for(int i = 0; i != 20; ++i) {
    CHECK(p.choose() == graph_mode::dynamic);
    p.ran(std::chrono::milliseconds(1), 10, 2);
  }
}

TEST_CASE("a graph of short nodes tries all ways and stays with the fastest") {
  const auto fastest = GENERATE(graph_mode::dynamic, graph_mode::lanes, graph_mode::linear);
  pace p;
  std::vector<int> tried(3);
  for(int i = 0; i != 10; ++i) {
    ++tried[static_cast<std::size_t>(p.choose())];
    p.ran(std::chrono::microseconds(p.choose() == fastest ? 10 : 20), 1000, 2);
  }
  CHECK(p.is_decided());
  CHECK(p.choose() == fastest);
  for(const int t : tried)
    CHECK(t > 0);
}

TEST_CASE("a way that has become much slower is given up") {
  pace p;
  while(!p.is_decided())
    p.ran(std::chrono::microseconds(p.choose() == graph_mode::linear ? 10 : 20), 1000, 2);
  CHECK(p.choose() == graph_mode::linear);
  p.ran(std::chrono::microseconds(50), 1000, 2);
  p.ran(std::chrono::microseconds(11), 1000, 2);
  CHECK(p.is_decided());
  for(int i = 0; i != 3; ++i)
    p.ran(std::chrono::microseconds(50), 1000, 2);
  CHECK_FALSE(p.is_decided());
  CHECK(p.choose() == graph_mode::dynamic);
}

TEST_CASE("a graph too narrow for lanes never gets them") {
  pace p;
  p.rule_out_lanes();
  for(int i = 0; i != 10; ++i) {
    CHECK(p.choose() != graph_mode::lanes);
    p.ran(std::chrono::microseconds(10), 1000, 2);
  }
}
