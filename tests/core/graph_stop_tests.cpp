// Runs that stop before their end: nodes that fail, cancel and resume.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/core.hpp>

#include "core/all_executors.hpp"

using namespace rondo;
using namespace std::chrono_literals;

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
  constexpr int chains = 20;
  constexpr int length = 2000 + 1;
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
    if(i >= chains && i != length - 1)
      nodes[static_cast<std::size_t>(i - chains)].precede(nodes.back());
  }
  // The last node comes after all chains, hence after the node that cancels, wherever that one
  // lies: however late its worker comes to cancel, something is left to run.
  for(int i = 0; i != chains; ++i)
    nodes[static_cast<std::size_t>(length - 2 - i)].precede(nodes.back());
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

TEST_CASE("a stop that is taken back before the run has ended loses no node") {
  // A node that ends between the two puts its successor aside; another one still runs.
  executor ex(with(2, true));
  std::atomic<bool> is_inside{false};
  std::atomic<bool> is_stopped{false};
  std::atomic<bool> is_taken_back{false};
  std::atomic<int> short_runs{0};
  std::atomic<int> long_runs{0};
  graph g;
  auto first_long = g.add([&] {
    while(!is_taken_back)
      std::this_thread::yield();
  });
  first_long.precede(g.add([&] { ++long_runs; }));
  auto first_short = g.add([&] {
    is_inside = true;
    while(!is_stopped)
      std::this_thread::yield();
  });
  auto next = g.add([&] { ++short_runs; });
  first_short.precede(next);
  next.precede(g.add([&] { ++short_runs; }));
  auto run = ex.start(g);
  while(!is_inside)
    std::this_thread::yield();
  run.cancel();
  is_stopped = true;
  std::this_thread::sleep_for(5ms); // so that the successor is put aside, mostly
  run.resume();
  is_taken_back = true;
  run.wait();
  CHECK(run.done());
  CHECK(short_runs == 2);
  CHECK(long_runs == 1);
}

TEST_CASE("stops that are taken back at once, again and again, lose no node and run none twice") {
  const auto workers = GENERATE(1U, 2U, 3U);
  const int warm = GENERATE(0, 10);
  CAPTURE(workers, warm);
  executor ex(with(workers, true));
  constexpr std::size_t length = 300;
  std::vector<int> times(length);
  graph g;
  std::vector<graph_node> nodes;
  for(std::size_t i = 0; i != length; ++i) {
    nodes.push_back(g.add([&times, i] { ++times[i]; }));
    if(i >= 7)
      nodes[i - 7].precede(nodes.back());
  }
  for(int i = 0; i != warm; ++i)
    ex.run(g);
  for(int pass = 0; pass != 200; ++pass) {
    std::fill(times.begin(), times.end(), 0);
    auto run = ex.start(g);
    for(int i = 0; i != pass % 20; ++i) {
      run.cancel();
      run.resume();
    }
    run.wait();
    REQUIRE(run.done());
    REQUIRE(std::all_of(times.begin(), times.end(), [](int t) { return t == 1; }));
  }
}

TEST_CASE("a failure is not taken back with a stop") {
  executor ex(with(1, true));
  std::atomic<bool> go{false};
  bool came_further = false;
  graph g;
  auto failing = g.add([&] {
    while(!go)
      std::this_thread::yield();
    throw std::out_of_range("no further");
  });
  failing.precede(g.add([&] { came_further = true; }));
  auto run = ex.start(g);
  run.cancel();
  go = true;
  run.resume();
  CHECK_THROWS_AS(run.wait(), std::out_of_range);
  run.resume();
  CHECK_FALSE(came_further);
  CHECK(run.done());
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
