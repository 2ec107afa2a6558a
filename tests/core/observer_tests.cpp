#include <array>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/core/executor.hpp>
#include <rondo/core/fork_join.hpp>
#include <rondo/core/scope.hpp>

#include "configurations.hpp"

using namespace std::chrono_literals;
using rondo::executor;

namespace {

struct counting final : rondo::observer {
  std::atomic<int> tasks_begun{0}, tasks_ended{0}, forks_begun{0}, forks_ended{0};
  std::atomic<int> named{0}, steals{0}, parked{0}, woken{0}, calls{0};
  std::atomic<bool> strange{false};

  void task_begin(unsigned, const rondo::task_info& info) noexcept override {
    ++calls;
    ++(info.kind == rondo::task_info::kind_type::fork ? forks_begun : tasks_begun);
    if(std::string(info.name) == "named")
      ++named;
  }
  void task_end(unsigned, const rondo::task_info& info) noexcept override {
    ++calls;
    ++(info.kind == rondo::task_info::kind_type::fork ? forks_ended : tasks_ended);
  }
  void steal(unsigned thief, unsigned victim) noexcept override {
    ++calls;
    ++steals;
    if(thief == victim)
      strange = true;
  }
  void park(unsigned) noexcept override {
    ++calls;
    ++parked;
  }
  void wake(unsigned) noexcept override {
    ++calls;
    ++woken;
  }
};

} // namespace

TEST_CASE("an observer sees every task begin and end, also those that throw") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  counting seen;
  ex.attach(seen);
  for(int i = 0; i != 50; ++i) {
    ex.submit([] {});
    ex.submit({.name = "named"}, [] {});
  }
  ex.submit([] { throw std::runtime_error("oh"); });
  CHECK_THROWS(ex.wait());
  ex.detach(seen);
  CHECK(seen.tasks_begun.load() == 101);
  CHECK(seen.tasks_ended.load() == 101);
  CHECK(seen.named.load() == 50);
}

TEST_CASE("an observer sees stolen forks and who took them from whom") {
  executor ex({.workers = 2, .background = true});
  counting seen;
  ex.attach(seen);
  ex.run([] {
    std::atomic<bool> stolen{false};
    rondo::join(
      [&] {
        while(!stolen.load())
          std::this_thread::yield();
      },
      [&] { stolen.store(true); });
  });
  ex.detach(seen);
  CHECK(seen.forks_begun.load() == 1);
  CHECK(seen.forks_ended.load() == 1);
  CHECK(seen.steals.load() >= 1);
  CHECK_FALSE(seen.strange.load());
}

TEST_CASE("an observer sees workers fall asleep and wake up") {
  executor ex({.workers = 2, .background = true, .spin = 0us});
  counting seen;
  ex.attach(seen);
  ex.run([] {}); // there is a new sleep after this, also of a worker that slept before
  while(seen.parked.load() == 0)
    std::this_thread::yield();
  // One that has been about to sleep for long may yet find the next body: then nobody is woken.
  while(seen.woken.load() == 0) {
    std::this_thread::sleep_for(5ms);
    ex.run([] {});
  }
  ex.detach(seen);
  SUCCEED();
}

TEST_CASE("after detach the observer is not called any more and may die") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  std::atomic<bool> stop{false};
  std::thread load([&] {
    while(!stop.load())
      ex.run([&] {
        for(int i = 0; i != 10; ++i)
          ex.submit([] {});
        rondo::join_n(20, [](std::size_t) {});
        ex.wait();
      });
  });
  for(int i = 0; i != 30; ++i) {
    auto seen = std::make_unique<counting>();
    ex.attach(*seen);
    std::this_thread::sleep_for(100us);
    ex.detach(*seen);
    const int then = seen->calls.load();
    std::this_thread::sleep_for(100us);
    CHECK(seen->calls.load() == then);
  }
  stop.store(true);
  load.join();
}

TEST_CASE("several observers at a time are all told, and too many are refused") {
  executor ex(1);
  std::array<counting, 9> seen;
  for(int i = 0; i != 8; ++i)
    ex.attach(seen[i]);
  CHECK_THROWS_AS(ex.attach(seen[8]), std::length_error);
  ex.detach(seen[0]);
  ex.attach(seen[8]);
  ex.submit([] {});
  ex.wait();
  CHECK(seen[0].tasks_begun.load() == 0);
  for(int i = 1; i != 9; ++i)
    CHECK(seen[i].tasks_begun.load() == 1);
  for(int i = 1; i != 9; ++i)
    ex.detach(seen[i]);
}

TEST_CASE("a worker made while somebody observes is observed too") {
  executor ex({.workers = 1, .background = true});
  counting seen;
  ex.attach(seen);
  ex.resize(2);
  std::atomic<int> inside{0};
  for(int i = 0; i != 2; ++i) // each on its own worker
    ex.submit([&] {
      inside.fetch_add(1);
      while(inside.load() < 2)
        std::this_thread::yield();
    });
  ex.wait();
  ex.detach(seen);
  CHECK(seen.tasks_begun.load() == 2);
}

TEST_CASE("a task may attach and detach while the executor is made smaller and waits for it") {
  executor ex({.workers = 2, .background = true});
  counting seen;
  std::atomic<int> inside{0};
  std::atomic<bool> go{false};
  for(int i = 0; i != 2; ++i) // one of them on the worker that goes
    ex.submit([&] {
      inside.fetch_add(1);
      while(!go.load())
        std::this_thread::yield();
      if(rondo::this_worker()->index() == 1) {
        ex.attach(seen);
        ex.detach(seen);
      }
    });
  while(inside.load() != 2)
    std::this_thread::yield();
  std::thread smaller([&] { ex.resize(1); });
  while(ex.workers() != 1) // from here on it waits for the task
    std::this_thread::yield();
  go.store(true);
  smaller.join();
  ex.wait();
  CHECK(ex.workers() == 1);
}

namespace {

struct straight final : rondo::observer {
  int at_once = 0;
  int others = 0;
  void task_begin(unsigned, const rondo::task_info& info) noexcept override {
    ++(info.comes_at_once ? at_once : others);
  }
};

} // namespace

TEST_CASE("tasks in a row come at once, and none does after code of the program") {
  executor ex({.workers = 1, .background = false});
  straight seen;
  ex.attach(seen);
  SECTION("one after the other") {
    ex.run([&ex] {
      for(int i = 0; i != 200; ++i)
        ex.submit([] {});
    });
    ex.wait();
    CHECK(seen.at_once >= 150); // some come after a look elsewhere
    CHECK(seen.others >= 1);
    CHECK(seen.at_once + seen.others == 200);
  }
  SECTION("with the main thread in between, which leaves and comes back") {
    for(int i = 0; i != 200; ++i) {
      ex.submit([] {});
      ex.wait();
    }
    CHECK(seen.at_once == 0);
    CHECK(seen.others == 200);
  }
  SECTION("with a body of the main thread in between") {
    ex.run([&ex] {
      for(int i = 0; i != 200; ++i) {
        rondo::scope tasks(ex);
        tasks.spawn([] {});
        tasks.wait();
      }
    });
    CHECK(seen.at_once == 0);
    CHECK(seen.others == 200);
  }
  ex.detach(seen);
}
