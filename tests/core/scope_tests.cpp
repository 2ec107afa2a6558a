#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/core/fork_join.hpp>
#include <rondo/core/scope.hpp>

#include "configurations.hpp"

using rondo::executor;
using rondo::scope;

TEST_CASE("a scope waits for its tasks and not for others") {
  executor ex({.workers = 2, .background = true});
  std::atomic<bool> release{false};
  std::atomic<bool> begun{false};
  ex.submit([&] {
    begun.store(true);
    while(!release.load())
      std::this_thread::yield();
  });
  while(!begun.load())
    std::this_thread::yield();
  std::atomic<int> runs{0};
  {
    scope s(ex);
    for(int i = 0; i != 50; ++i)
      s.spawn([&] { runs.fetch_add(1); });
    s.wait();
    CHECK(runs.load() == 50);
  }
  release.store(true);
  ex.wait();
}

TEST_CASE("a scope can be used again after a wait, from outside and from inside") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  std::atomic<int> runs{0};
  scope s(ex);
  const auto rounds = [&] {
    for(int round = 0; round != 50; ++round) {
      for(int i = 0; i != 1 + round % 5; ++i)
        s.spawn([&] { runs.fetch_add(1); });
      s.wait();
    }
  };
  rounds();
  CHECK(runs.load() == 150);
  ex.run(rounds);
  CHECK(runs.load() == 300);
}

TEST_CASE("tasks may spawn into the scope they run in") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  std::atomic<int> leaves{0};
  scope s(ex);
  const auto grow = [&](auto& self, int depth) -> void {
    if(depth == 0)
      leaves.fetch_add(1);
    else
      for(int i = 0; i != 3; ++i)
        s.spawn([&self, depth] { self(self, depth - 1); });
  };
  grow(grow, 6);
  s.wait();
  CHECK(leaves.load() == 729);
}

TEST_CASE("scopes nest: a task may open one of its own and wait for it") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  std::atomic<int> leaves{0};
  const auto tree = [&](auto& self, int depth) -> void {
    if(depth == 0) {
      leaves.fetch_add(1);
      return;
    }
    scope s(ex);
    for(int i = 0; i != 2; ++i)
      s.spawn([&self, depth] { self(self, depth - 1); });
    s.wait();
  };
  ex.run([&] { tree(tree, 8); });
  CHECK(leaves.load() == 256);
}

TEST_CASE("wait rethrows the first exception of the scope, once, when all tasks have ended") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  std::atomic<int> runs{0};
  scope s(ex);
  for(int i = 0; i != 20; ++i)
    s.spawn([&] {
      runs.fetch_add(1);
      throw std::runtime_error("from the scope");
    });
  CHECK_THROWS_WITH(s.wait(), "from the scope");
  CHECK(runs.load() == 20);
  CHECK_NOTHROW(s.wait());
  CHECK_NOTHROW(ex.wait()); // it is the scope's, not the executor's
}

TEST_CASE("the end of a scope waits for its tasks, and drops what they threw") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  std::atomic<int> runs{0};
  for(int round = 0; round != 50; ++round) {
    scope s(ex);
    s.spawn([&] {
      runs.fetch_add(1);
      throw std::runtime_error("nobody asks");
    });
  }
  CHECK(runs.load() == 50);
  CHECK_NOTHROW(ex.wait());
}

TEST_CASE("several threads may wait for one scope, while it is filled again") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  std::atomic<int> runs{0};
  std::atomic<bool> stop{false};
  {
    scope s(ex);
    std::vector<std::thread> waiters;
    for(int i = 0; i != 2; ++i)
      waiters.emplace_back([&] {
        while(!stop.load())
          s.wait();
      });
    for(int round = 0; round != 300; ++round) {
      s.spawn([&] { runs.fetch_add(1); });
      if(round % 3 == 0)
        s.wait();
    }
    stop.store(true);
    for(auto& w : waiters)
      w.join();
    s.wait();
    CHECK(runs.load() == 300);
  }
}

TEST_CASE("a body that is not spawned, because its copy throws, is not waited for") {
  struct fragile {
    fragile() = default;
    fragile(const fragile&) { throw std::runtime_error("no copies"); }
    void operator()() {}
  };
  executor ex(2);
  scope s(ex);
  const fragile body;
  CHECK_THROWS_WITH(s.spawn(body), "no copies");
  s.wait();
}

TEST_CASE("what a body captured is gone when the scope has ended") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  const auto shared = std::make_shared<int>(1);
  {
    scope s(ex);
    for(int i = 0; i != 20; ++i)
      s.spawn([shared] {});
    s.wait();
    CHECK(shared.use_count() == 1);
  }
}

TEST_CASE("a scope without an executor uses the one it is made on") {
  executor ex(2);
  ex.run([&] {
    scope s;
    s.spawn([&] {
      if(&rondo::this_worker()->home() != &ex)
        throw std::logic_error("elsewhere");
    });
    s.wait();
  });
  scope outside;
  outside.spawn([] {
    if(&rondo::this_worker()->home() != &rondo::default_executor())
      throw std::logic_error("elsewhere");
  });
  outside.wait();
}
