#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/core/executor.hpp>
#include <rondo/core/fork_join.hpp>
#include <rondo/core/scope.hpp>

#include "configurations.hpp"

using namespace std::chrono_literals;
using rondo::executor;

TEST_CASE("several executors work side by side") {
  FOR_EACH_CONFIGURATION(options);
  executor a(options);
  executor b(options);
  std::atomic<int> runs{0};
  for(int i = 0; i != 100; ++i) {
    a.submit([&] { b.submit([&] { runs.fetch_add(1); }); });
    b.submit([&] { runs.fetch_add(1); });
  }
  a.wait();
  b.wait();
  CHECK(runs.load() == 200);
}

TEST_CASE("a worker of one executor runs a body on another one") {
  FOR_EACH_CONFIGURATION(options);
  executor a(options);
  executor b({.workers = 2});
  std::atomic<long> sum{0};
  std::atomic<int> astray{0};
  const auto expect_to_be_on = [&astray](const executor& ex) {
    if(&rondo::this_worker()->home() != &ex)
      astray.fetch_add(1);
  };
  for(long i = 0; i != 50; ++i)
    a.submit([&, i] {
      sum += b.run([&, i] {
        expect_to_be_on(b);
        return i;
      });
      expect_to_be_on(a);
    });
  a.wait();
  CHECK(astray.load() == 0);
  CHECK(sum.load() == 1225);
}

TEST_CASE("a worker waits for a body on an executor whose only seat is taken, and then takes it") {
  executor a({.workers = 2, .background = true});
  executor b(1);
  std::atomic<bool> seated{false};
  std::atomic<bool> asked{false};
  std::thread holder([&] {
    b.run([&] {
      seated.store(true);
      while(!asked.load())
        std::this_thread::yield();
      std::this_thread::sleep_for(5ms);
    });
  });
  while(!seated.load())
    std::this_thread::yield();
  std::atomic<int> result{0};
  a.submit([&] {
    asked.store(true);
    result.store(b.run([] { return 5; }));
  });
  a.wait();
  holder.join();
  CHECK(result.load() == 5);
}

TEST_CASE("threads that find the only seat taken run their bodies when it is free") {
  executor ex(1);
  std::atomic<int> sum{0};
  std::vector<std::thread> threads;
  for(int t = 0; t != 4; ++t)
    threads.emplace_back([&] {
      for(int i = 0; i != 100; ++i)
        sum += ex.run([] { return 1; });
    });
  for(auto& t : threads)
    t.join();
  CHECK(sum.load() == 400);
}

TEST_CASE("a body may come back to the executor that it was called from") {
  FOR_EACH_CONFIGURATION(options);
  executor a(options);
  executor b(options);
  const int depth = a.run([&] {
    return b.run([&] {
      return a.run([&] {
        CHECK(&rondo::this_worker()->home() == &a);
        return b.run([&] { return 4; });
      });
    });
  });
  CHECK(depth == 4);
}

TEST_CASE("a scope of the outer executor can be waited for from within the inner one") {
  FOR_EACH_CONFIGURATION(options);
  executor a(options);
  executor b(options);
  std::atomic<int> runs{0};
  a.run([&] {
    rondo::scope s(a);
    for(int i = 0; i != 20; ++i)
      s.spawn([&] { runs.fetch_add(1); });
    b.run([&] {
      for(int i = 0; i != 20; ++i)
        s.spawn([&] { runs.fetch_add(1); });
      s.wait();
    });
  });
  CHECK(runs.load() == 40);
}

TEST_CASE("two executors whose workers call each other don't block each other") {
  FOR_EACH_CONFIGURATION(options);
  executor a(options);
  executor b(options);
  std::atomic<int> sum{0};
  for(int i = 0; i != 20; ++i) {
    a.submit([&] { sum += b.run([] { return 1; }); });
    b.submit([&] { sum += a.run([] { return 1; }); });
  }
  std::thread other([&] { a.wait(); });
  b.wait();
  other.join();
  CHECK(sum.load() == 40);
}
