// Values that are made by tasks of another executor, which has nobody but those who wait.

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include <catch2/catch.hpp>
#include <rondo/core/executor.hpp>
#include <rondo/futures.hpp>

using rondo::executor;

TEST_CASE("a task that waits for a value of an executor without threads helps there") {
  const bool background = GENERATE(false, true);
  const unsigned n = GENERATE(1U, 2U);
  executor a({.workers = n, .background = background});
  executor b(1);
  int value = 0;
  a.submit([&] { value = rondo::async(b, [] { return 5; }).get(); });
  a.wait(); // nobody waits for b
  CHECK(value == 5);
}

TEST_CASE("tasks that wait for values of executors without threads help along a chain of them") {
  executor a(1);
  executor b(1);
  executor c(1);
  int value = 0;
  a.submit([&] {
    value = rondo::async(b, [&] {
      return rondo::async(c, [&] { return rondo::async(a, [] { return 5; }).get(); }).get();
    }).get();
  });
  a.wait();
  CHECK(value == 5);
}

TEST_CASE("a thread that waits for a value helps an executor that is made meanwhile") {
  executor a(2);
  rondo::promise<int> made;
  auto value = made.get_future();
  std::unique_ptr<executor> later;
  std::atomic<bool> waits{false};
  a.submit([&] {
    while(!waits.load())
      std::this_thread::yield();
    // Mostly the thread sleeps by now.
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    later = std::make_unique<executor>(1);
    later->submit([&] { made.set_value(5); });
  });
  waits.store(true);
  CHECK(value.get() == 5);
  a.wait();
}

TEST_CASE("a thread that helps another executor, which never runs out of work, comes back") {
  struct again {
    executor& ex;
    std::atomic<bool>& stop;
    void operator()() const {
      if(!stop.load())
        ex.submit(again{ex, stop});
    }
  };
  executor a(1);
  executor b(1);
  std::atomic<bool> stop{false};
  rondo::promise<int> made;
  auto value = made.get_future();
  b.submit([&] { a.submit([&] { made.set_value(5); }); });
  b.submit(again{b, stop});
  const int got = a.run([&] { return value.get(); });
  stop.store(true);
  b.wait();
  a.wait();
  CHECK(got == 5);
}
