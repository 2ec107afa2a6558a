// Worker 0's seat, and waits without a worker: of those who could take them one is woken. docs/protocols/notifier.md

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/core/executor.hpp>

using namespace std::chrono_literals;
using rondo::executor;
using rondo::detail::engine_of;
using rondo::detail::wait_phase;

namespace {

/// Time for others to fall asleep. Nothing depends on whether they do, but what is tested.
void let_sleep() { std::this_thread::sleep_for(30ms); }

} // namespace

TEST_CASE("a thread that sleeps for the seat is woken when another one leaves it") {
  executor ex({.workers = 1, .spin = 0us});
  bool ran = false;
  std::thread sleeper;
  ex.run([&] {
    sleeper = std::thread([&] { ex.run([&] { ran = true; }); });
    while(!engine_of(ex).is_anything_injected())
      std::this_thread::yield();
    let_sleep();
  });
  sleeper.join();
  CHECK(ran);
}

TEST_CASE("a thread that was woken for the seat and needs none any more wakes the next one") {
  executor ex({.workers = 1, .spin = 0us});
  std::atomic<bool> has_come{false};
  bool ran = false;
  std::thread first;
  std::thread second;
  ex.run([&] {
    first = std::thread([&] {
      const auto look = [&](wait_phase) { return has_come.load(); };
      engine_of(ex).help_until(look);
    });
    let_sleep();
    second = std::thread([&] { ex.run([&] { ran = true; }); });
    while(!engine_of(ex).is_anything_injected())
      std::this_thread::yield();
    let_sleep();
    has_come = true; // the first thread is told of it by the seat alone
  });
  second.join();
  CHECK(ran);
  engine_of(ex).wake_waiters();
  first.join();
}

TEST_CASE("threads that sleep for the seat get it, though each that leaves it wakes only one") {
  executor ex({.workers = 1, .spin = 0us});
  constexpr int threads = 6;
  constexpr int calls = 150;
  int runs = 0; // by one worker
  std::vector<std::thread> all;
  for(int i = 0; i != threads; ++i)
    all.emplace_back([&] {
      for(int j = 0; j != calls; ++j)
        ex.run([&] {
          ++runs;
          if(runs % 16 == 0)
            std::this_thread::yield(); // the others fall asleep
        });
    });
  for(auto& t : all)
    t.join();
  CHECK(runs == threads * calls);
}

TEST_CASE("threads that wait for the seat, and threads that wait for other things, all go on") {
  executor ex({.workers = 1, .spin = 0us});
  constexpr int rounds = 150;
  std::atomic<int> runs{0};
  std::vector<std::thread> all;
  // These wait for other things than the seat, and leave as soon as that is so.
  for(int i = 0; i != 2; ++i)
    all.emplace_back([&] {
      for(int j = 0; j != rounds; ++j) {
        ex.submit([&] { runs.fetch_add(1); });
        ex.wait();
      }
    });
  for(int i = 0; i != 2; ++i)
    all.emplace_back([&] {
      for(int j = 0; j != rounds; ++j) {
        std::atomic<bool> over{false};
        ex.submit([&] {
          runs.fetch_add(1);
          engine_of(ex).raise_and_wake(over);
        });
        const auto is_over = [&](wait_phase) { return over.load(); };
        engine_of(ex).help_until(is_over);
      }
    });
  // And these for the seat.
  for(int i = 0; i != 2; ++i)
    all.emplace_back([&] {
      for(int j = 0; j != rounds; ++j)
        ex.run([&] { runs.fetch_add(1); });
    });
  for(auto& t : all)
    t.join();
  CHECK(runs == 6 * rounds);
}

TEST_CASE("waits that retiring workers leave go on, though one worker is woken for them") {
  executor ex({.workers = 4, .background = true, .spin = 0us});
  constexpr int tasks = 12;
  for(int round = 0; round != 30; ++round) {
    std::atomic<int> resting{0};
    std::atomic<int> gone{0};
    std::atomic<bool> may_go{false};
    for(int i = 0; i != tasks; ++i)
      ex.submit({.worker = i % 4}, [&] {
        resting.fetch_add(1);
        const auto is_set = [&](wait_phase) { return may_go.load(); };
        engine_of(ex).wait_on(*rondo::this_worker(), is_set);
        gone.fetch_add(1);
      });
    while(resting != tasks)
      std::this_thread::yield();
    std::thread lets_go([&] { engine_of(ex).raise_and_wake(may_go); });
    ex.resize(1 + static_cast<unsigned>(round) % 3);
    lets_go.join();
    ex.wait();
    CHECK(gone == tasks);
    ex.resize(4);
  }
}
