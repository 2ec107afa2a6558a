// Graphs that are one chain, which store no edges, and those that almost are.

#include <atomic>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/core.hpp>

#include "core/all_executors.hpp"

using namespace rondo;

TEST_CASE("a chain of a million nodes needs no stack") {
  const auto workers = GENERATE(1U, 2U);
  executor ex(workers);
  long count = 0;
  graph g;
  auto last = g.add([&count] { ++count; });
  for(int i = 1; i != 1'000'000; ++i) {
    auto next = g.add([&count] { ++count; });
    last.precede(next);
    last = next;
  }
  ex.run(g);
  ex.run(g);
  CHECK(count == 2'000'000);
}

TEST_CASE("a chain runs in order, and one edge more or less makes it an ordinary graph") {
  FOR_ALL_EXECUTORS();
  constexpr std::size_t n = 1000;
  const auto variant = GENERATE(0, 1, 2); // a chain; with a shortcut; without the last edge
  std::vector<std::atomic<std::size_t>> seen(n);
  std::atomic<std::size_t> clock{0};
  graph g;
  std::vector<graph_node> nodes;
  for(std::size_t i = 0; i != n; ++i)
    nodes.push_back(g.add([&seen, &clock, i] { seen[i] = ++clock; }));
  for(std::size_t i = 0; i + 1 != n - (variant == 2 ? 1 : 0); ++i)
    nodes[i].precede(nodes[i + 1]);
  if(variant == 1)
    nodes[0].precede(nodes[n / 2]);
  for(int pass = 0; pass != 3; ++pass) {
    clock = 0;
    ex.run(g);
    CHECK(clock == n);
    for(std::size_t i = 0; i + 2 != n; ++i)
      REQUIRE(seen[i] < seen[i + 1]);
  }
  // Grown behind a run, it is a chain no longer.
  std::size_t before = 0;
  auto extra = g.add([&] { before = ++clock; });
  extra.precede(nodes[0]);
  clock = 0;
  ex.run(g);
  CHECK(clock == n + 1);
  CHECK(before < seen[0]);
}

TEST_CASE("a graph that begins as a chain keeps those edges when another one comes") {
  FOR_ALL_EXECUTORS();
  graph g;
  std::vector<int> ran;
  for(int i = 0; i != 3; ++i)
    g.add([&ran, i] { ran.push_back(i); });
  g[0].precede(g[1]);
  g[2].succeed(g[1]);
  const std::string begin =
    "digraph rondo {\n  n0 [label=\"0\"];\n  n1 [label=\"1\"];\n  n2 [label=\"2\"];\n";
  CHECK(g.dot() == begin + "  n0 -> n1;\n  n1 -> n2;\n}\n");
  g[0].precede(g[2]);
  CHECK(g.dot() == begin + "  n0 -> n1;\n  n1 -> n2;\n  n0 -> n2;\n}\n");
  for(int pass = 0; pass != 6; ++pass) {
    ran.clear();
    ex.run(g);
    CHECK(ran == std::vector<int>{0, 1, 2});
  }
  g.clear();
  ran.clear();
  g.add([&ran] { ran.push_back(0); });
  g.add([&ran] { ran.push_back(1); });
  g[1].precede(g[0]);
  ex.run(g);
  CHECK(ran == std::vector<int>{1, 0});
}

TEST_CASE("a condition at the end of a chain makes it a loop") {
  FOR_ALL_EXECUTORS();
  graph g;
  std::string ran;
  g.add([&ran] { ran += 'a'; });
  g.add([&ran] { ran += 'b'; });
  g.add_condition([&ran] { return ran.size() < 7 ? 0 : -1; });
  g[0].precede(g[1]);
  g[1].precede(g[2]);
  SECTION("that goes back") {
    g[2].precede(g[1]);
    ex.run(g);
    CHECK(ran == "abbbbbb");
  }
  SECTION("or that ends it") {
    ex.run(g);
    CHECK(ran == "ab");
  }
}
