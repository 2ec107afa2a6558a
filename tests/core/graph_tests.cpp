#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <rondo/core.hpp>

using namespace rondo;
using namespace std::chrono_literals;

namespace {

executor_options with(unsigned workers, bool background = false) {
  executor_options o;
  o.workers = workers;
  o.background = background;
  return o;
}

} // namespace

#define FOR_ALL_EXECUTORS()                                                                        \
  const auto workers = GENERATE(1U, 2U, 3U, 8U);                                                   \
  const auto background = GENERATE(false, true);                                                   \
  CAPTURE(workers, background);                                                                    \
  executor ex(with(workers, background))

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

TEST_CASE("an exception of a node stops the graph, is rethrown, and leaves it usable") {
  FOR_ALL_EXECUTORS();
  const bool long_before = GENERATE(false, true);
  bool fails = !long_before;
  std::atomic<int> after{0};
  graph g;
  auto last = g.add([&] {
    if(fails)
      throw std::runtime_error("no convergence");
  });
  for(int i = 0; i != 100; ++i) {
    auto next = g.add([&] { ++after; });
    last.precede(next);
    last = next;
  }
  if(long_before) // in the way that was found to be the best
    ex.run_n(g, 10);
  fails = true;
  after = 0;
  CHECK_THROWS_WITH(ex.run(g), "no convergence");
  CHECK(after == 0);
  fails = false;
  ex.run(g);
  CHECK(after == 100);
}

TEST_CASE("a wide graph that fails again and again stays consistent") {
  FOR_ALL_EXECUTORS();
  std::atomic<int> count{0};
  unsigned pass = 0;
  graph g;
  std::vector<graph_node> layer;
  for(int l = 0; l != 20; ++l) {
    std::vector<graph_node> next;
    for(unsigned i = 0; i != 50; ++i) {
      next.push_back(g.add([&, l, i] {
        if(l == 10 && i == pass % 100)
          throw std::out_of_range("node");
        ++count;
      }));
      if(!layer.empty())
        next.back().succeed(layer[i], layer[(i + 7) % 50]);
    }
    layer = next;
  }
  for(pass = 0; pass != 200; ++pass) {
    count = 0;
    if(pass % 100 < 50)
      CHECK_THROWS_AS(ex.run(g), std::out_of_range);
    else {
      ex.run(g);
      CHECK(count == 1000);
    }
  }
}

TEST_CASE("a cancelled run goes on where it was when it is resumed") {
  FOR_ALL_EXECUTORS();
  const int warm = GENERATE(0, 10);
  constexpr int length = 2000;
  std::atomic<int> count{0};
  std::atomic<int> stop_at{-1};
  std::vector<int> times(length);
  graph g;
  graph_run* current = nullptr;
  std::atomic<bool> known{false};
  std::vector<graph_node> nodes;
  for(int i = 0; i != length; ++i) {
    nodes.push_back(g.add([&, i] {
      ++times[static_cast<std::size_t>(i)];
      if(++count == stop_at) {
        while(!known)
          std::this_thread::yield();
        current->cancel();
      }
    }));
    if(i >= 20)
      nodes[static_cast<std::size_t>(i) - 20].precede(nodes.back());
  }
  for(int i = 0; i != warm; ++i)
    ex.run(g);
  std::fill(times.begin(), times.end(), 0);
  count = 0;
  stop_at = 700;
  if(workers == 1 && !background) { // nobody runs it before we wait
    auto run = ex.start(g);
    current = &run;
    known = true;
    run.wait();
    CHECK_FALSE(run.done());
    CHECK(count == 700);
    run.resume();
    run.wait();
    CHECK(run.done());
  }
  else {
    auto run = ex.start(g);
    current = &run;
    known = true;
    run.wait();
    CHECK(count >= 700);
    CHECK(count < length);
    CHECK_FALSE(run.done());
    run.resume();
    run.wait();
    CHECK(run.done());
  }
  CHECK(std::all_of(times.begin(), times.end(), [](int t) { return t == 1; }));
  stop_at = -1;
  ex.run(g);
  CHECK(count == 2 * length);
}

TEST_CASE("a run that is given up leaves a graph that can be run") {
  FOR_ALL_EXECUTORS();
  std::atomic<int> count{0};
  graph g;
  auto last = g.add([&] { ++count; });
  for(int i = 1; i != 500; ++i) {
    auto next = g.add([&] { ++count; });
    last.precede(next);
    last = next;
  }
  for(int i = 0; i != 20; ++i)
    (void)ex.start(g); // the handle's destructor gives up
  count = 0;
  ex.run(g);
  CHECK(count == 500);
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
