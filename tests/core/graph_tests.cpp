#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/core.hpp>

#include "core/all_executors.hpp"

using namespace rondo;

TEST_CASE("every node of a graph runs once, after its predecessors, in every run") {
  FOR_ALL_EXECUTORS();
  constexpr std::uint32_t side = 40;
  std::vector<unsigned> passes(side * side);
  std::atomic<unsigned> wrong{0};
  graph g;
  std::vector<graph_node> nodes;
  for(std::uint32_t i = 0; i != side * side; ++i) {
    nodes.push_back(g.add([&, i] {
      const unsigned pass = passes[i] + 1;
      if(i >= side && passes[i - side] != pass)
        ++wrong;
      if(i % side != 0 && passes[i - 1] != pass)
        ++wrong;
      passes[i] = pass;
    }));
    if(i >= side)
      nodes[i - side].precede(nodes[i]);
    if(i % side != 0)
      nodes[i].succeed(nodes[i - 1]);
  }
  for(unsigned run = 1; run != 12; ++run) { // through all ways of running it
    ex.run(g);
    CHECK(std::all_of(passes.begin(), passes.end(), [run](unsigned p) { return p == run; }));
  }
  ex.run_n(g, 5);
  CHECK(passes.back() == 16);
  int asked = 0;
  ex.run_until(g, [&] { return ++asked == 3; });
  CHECK(passes.back() == 19);
  CHECK(wrong == 0);
}

TEST_CASE("edges may lead to nodes that were added earlier") {
  FOR_ALL_EXECUTORS();
  std::vector<int> order;
  graph g;
  auto c = g.add([&] { order.push_back(3); });
  auto b = g.add([&] { order.push_back(2); });
  auto a = g.add([&] { order.push_back(1); });
  a.precede(b);
  b.precede(c);
  for(int i = 0; i != 8; ++i) {
    order.clear();
    ex.run(g);
    CHECK(order == std::vector<int>{1, 2, 3});
  }
}

TEST_CASE("an empty graph runs and is done") {
  FOR_ALL_EXECUTORS();
  graph g;
  ex.run(g);
  auto run = ex.start(g);
  run.wait();
  CHECK(run.done());
}

TEST_CASE("bodies of any size and with destructors live as long as the graph") {
  const auto token = std::make_shared<int>(7);
  {
    executor ex(2);
    graph g;
    std::atomic<long> sum{0};
    for(int i = 0; i != 1000; ++i) {
      std::array<long, 20> large{};
      large.fill(i);
      g.add([&sum, large] { sum += large[19]; });
      g.add([&sum, token] { sum += *token; });
      std::array<char, 20000> huge{};
      huge[19999] = 1;
      if(i % 100 == 0)
        g.add([&sum, huge] { sum += huge[19999]; });
    }
    CHECK(token.use_count() == 1001);
    ex.run(g);
    CHECK(sum == 999 * 500 + 7000 + 10);
    g.clear();
    CHECK(g.empty());
    CHECK(token.use_count() == 1);
    g.add([&sum] { sum = -1; });
    ex.run(g);
    CHECK(sum == -1);
  }
  CHECK(token.use_count() == 1);
}

TEST_CASE("a graph that has run may be extended and run again") {
  FOR_ALL_EXECUTORS();
  std::vector<int> seen;
  graph g;
  auto a = g.add([&] { seen.push_back(1); });
  ex.run(g);
  auto b = g.add([&] { seen.push_back(2); });
  a.precede(b);
  ex.run(g);
  CHECK(seen == std::vector<int>{1, 1, 2});
}

TEST_CASE("a condition goes to the successor whose position it returns") {
  FOR_ALL_EXECUTORS();
  std::string path;
  int choice = 0;
  graph g;
  auto choose = g.add_condition([&] { return choice; });
  auto left = g.add([&] { path += 'l'; });
  auto right = g.add([&] { path += 'r'; });
  choose.precede(left, right);
  ex.run(g);
  choice = 1;
  ex.run(g);
  choice = 5; // nowhere
  ex.run(g);
  choice = -1;
  ex.run(g);
  CHECK(path == "lr");
}

TEST_CASE("a condition makes a loop") {
  FOR_ALL_EXECUTORS();
  int rounds = 0;
  std::atomic<int> in_round{0};
  bool ended = false;
  graph g;
  auto begin = g.add([] {});
  auto body = g.add([&] { ++rounds; });
  auto half_a = g.add([&] { ++in_round; });
  auto half_b = g.add([&] { ++in_round; });
  auto check = g.add_condition([&] { return rounds < 1000 ? 0 : 1; });
  auto end = g.add([&] { ended = true; });
  begin.precede(body);
  body.precede(half_a, half_b);
  check.succeed(half_a, half_b).precede(body, end);
  for(int i = 0; i != 3; ++i) {
    rounds = 0;
    in_round = 0;
    ended = false;
    ex.run(g);
    CHECK(rounds == 1000);
    CHECK(in_round == 2000);
    CHECK(ended);
  }
}

TEST_CASE("a cycle without a condition is an error that names a node of it") {
  FOR_ALL_EXECUTORS();
  graph g;
  auto begin = g.add([] {});
  auto a = g.add([] {}).name("relax");
  auto b = g.add([] {});
  begin.precede(a);
  a.precede(b);
  b.precede(a);
  CHECK_THROWS_WITH(ex.run(g), Catch::Contains("relax") && Catch::Contains("cycle"));
  graph nowhere;
  auto c = nowhere.add([] {});
  c.precede(c);
  CHECK_THROWS_AS(ex.run(nowhere), std::invalid_argument);
  graph jumps;
  auto d = jumps.add_condition([] { return 0; });
  d.precede(d);
  CHECK_THROWS_WITH(ex.run(jumps), Catch::Contains("no node can start"));
}

TEST_CASE("a graph runs in the place of a node") {
  FOR_ALL_EXECUTORS();
  std::vector<int> order;
  graph inner;
  auto i1 = inner.add([&] { order.push_back(2); });
  auto i2 = inner.add([&] { order.push_back(3); });
  i1.precede(i2);
  graph outer;
  auto first = outer.add([&] { order.push_back(1); });
  auto middle = outer.add(inner).name("inner");
  auto last = outer.add([&] { order.push_back(4); });
  first.precede(middle);
  middle.precede(last);
  for(int i = 0; i != 3; ++i) {
    order.clear();
    ex.run(outer);
    CHECK(order == std::vector<int>{1, 2, 3, 4});
  }
}

TEST_CASE("a node that waits for its executor is told that it would wait for itself") {
  FOR_ALL_EXECUTORS();
  const bool is_chain = GENERATE(false, true);
  graph g;
  auto first = g.add([&] { ex.wait(); });
  if(is_chain)
    first.precede(g.add([] {}));
  else
    g.add([] {});
  for(int i = 0; i != 3; ++i)
    CHECK_THROWS_AS(ex.run(g), std::logic_error);
  auto run = ex.start(g);
  CHECK_THROWS_WITH(run.wait(), Catch::Contains("a node of a graph"));
}

TEST_CASE("changing or running a graph that is running is an error") {
  executor ex(with(2, true));
  std::atomic<bool> go{false};
  graph g;
  auto a = g.add([&] {
    while(!go)
      std::this_thread::yield();
  });
  auto run = ex.start(g);
  CHECK_THROWS_AS(ex.run(g), std::logic_error);
  CHECK_THROWS_AS(g.add([] {}), std::logic_error);
  CHECK_THROWS_AS(a.precede(a), std::logic_error);
  CHECK_THROWS_AS(g.clear(), std::logic_error);
  go = true;
  run.wait();
  auto b = g.add([] {});
  a.precede(b);
  ex.run(g);
}

TEST_CASE("different graphs run at the same time") {
  FOR_ALL_EXECUTORS();
  constexpr int graphs = 6;
  std::array<std::atomic<int>, graphs> counts{};
  std::array<graph, graphs> gs;
  for(std::size_t k = 0; k != graphs; ++k)
    for(int i = 0; i != 300; ++i)
      gs[k].add([&, k] { ++counts[k]; });
  for(int round = 0; round != 10; ++round) {
    std::vector<graph_run> runs;
    for(auto& g : gs)
      runs.push_back(ex.start(g));
    for(auto& r : runs)
      r.wait();
  }
  for(const auto& c : counts)
    CHECK(c == 3000);
}

TEST_CASE("graphs run inside tasks, and forks inside nodes") {
  FOR_ALL_EXECUTORS();
  std::atomic<int> count{0};
  scope s(ex);
  for(int t = 0; t != 20; ++t)
    s.spawn([&] {
      graph g;
      auto a = g.add([&] { join_n(10, [&](std::size_t) { ++count; }); });
      auto b = g.add([&] { join_n(10, [&](std::size_t) { ++count; }); });
      a.precede(b);
      this_worker()->home().run(g);
    });
  s.wait();
  CHECK(count == 400);
}

TEST_CASE("a graph moves between executors of different size") {
  std::atomic<int> count{0};
  graph g;
  for(int i = 0; i != 1000; ++i)
    g.add([&] { ++count; });
  for(const unsigned workers : {1U, 4U, 2U, 1U}) {
    executor ex(workers);
    ex.run_n(g, 8);
  }
  CHECK(count == 32000);
}

TEST_CASE("observers see every node with its name") {
  struct names : observer {
    std::mutex mutex;
    std::vector<std::string> seen;
    void task_begin(unsigned, const task_info& info) noexcept override {
      const std::lock_guard lock(mutex);
      if(info.kind == task_info::kind_type::node)
        seen.emplace_back(info.name);
    }
  } watcher;
  executor ex(2);
  graph g;
  auto a = g.add([] {}).name("first");
  a.precede(g.add([] {}).name("second"));
  ex.attach(watcher);
  ex.run_n(g, 10);
  ex.detach(watcher);
  ex.run(g);
  REQUIRE(watcher.seen.size() == 20);
  for(std::size_t i = 0; i != 20; ++i)
    CHECK(watcher.seen[i] == (i % 2 == 0 ? "first" : "second"));
}

TEST_CASE("a graph prints itself as DOT") {
  graph inner;
  inner.add([] {});
  graph g;
  auto a = g.add([] {}).name("say \"a\"");
  auto c = g.add_condition([] { return 0; });
  auto s = g.add(inner);
  a.precede(c);
  c.precede(s, a);
  CHECK(g.dot() == "digraph rondo {\n"
                   "  n0 [label=\"say \\\"a\\\"\"];\n"
                   "  n1 [label=\"1\", shape=diamond];\n"
                   "  n2 [label=\"2\", shape=box3d];\n"
                   "  n0 -> n1;\n"
                   "  n1 -> n2 [style=dashed, label=\"0\"];\n"
                   "  n1 -> n0 [style=dashed, label=\"1\"];\n"
                   "}\n");
}

TEST_CASE("a body that keeps state between calls keeps it whichever way the graph is run") {
  FOR_ALL_EXECUTORS();
  std::atomic<long> sum{0};
  graph g;
  std::vector<graph_node> before;
  for(int i = 0; i != 2000; ++i) {
    before.push_back(g.add([&sum, calls = 0L]() mutable { sum += ++calls; }));
    if(i >= 100)
      before[static_cast<std::size_t>(i) - 100].precede(before.back());
  }
  for(long run = 1; run != 12; ++run) {
    sum = 0;
    ex.run(g);
    CHECK(sum == 2000 * run);
  }
}

namespace {
template<std::size_t Bytes>
struct throws_when_copied {
  std::array<std::byte, Bytes> more{};
  std::shared_ptr<int> held = std::make_shared<int>(0);
  throws_when_copied() = default;
  throws_when_copied(const throws_when_copied&) { throw std::runtime_error("no copy"); }
  void operator()() const {}
};
} // namespace

TEST_CASE("a graph is as it was when the copy of a body throws") {
  executor ex(2);
  graph g;
  int ran = 0;
  auto first = g.add([&] { ++ran; });
  const throws_when_copied<1> small;
  const throws_when_copied<500> large;
  CHECK_THROWS_WITH(g.add(small), "no copy");
  CHECK_THROWS_WITH(g.add(large), "no copy");
  CHECK(g.size() == 1);
  first.precede(g.add([&] { ++ran; }));
  CHECK_THROWS_WITH(g.add(small), "no copy");
  ex.run(g);
  CHECK(ran == 2);
}
