#include <algorithm>
#include <chrono>
#include <cstdint>
#include <new>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/core/fork_join.hpp>
#include <rondo/futures.hpp>

#include "allocations.hpp"

using rondo::async;
using rondo::executor;
using rondo::future;

namespace {

constexpr int many = 2000;

} // namespace

TEST_CASE("async and get() allocate nothing once their memory is there") {
  const auto workers = GENERATE(1U, 2U, 4U);
  executor ex(workers);
  const auto round = [&] {
    for(int i = 0; i != many; ++i)
      (void)async(ex, [i] { return i; }).get();
  };
  CHECK(allocations_of(round) == 0);
  CHECK(allocations_of([&] { ex.run(round); }) == 0);
  CHECK(allocations_of([&] { async(ex, round).get(); }) == 0);
}

TEST_CASE("chains of then and future arguments allocate nothing once their memory is there") {
  const auto workers = GENERATE(1U, 2U, 4U);
  executor ex(workers);
  CHECK(allocations_of([&] {
    future<int> f = async(ex, [] { return 1; });
    for(int i = 0; i != many; ++i)
      f = f.then([](int x) { return x + 1; });
    (void)f.get();
    for(int i = 0; i != many; ++i)
      f = async(
        ex, [](int x, int y) { return x + y; }, f, 1);
    (void)f.get();
  }) == 0);
}

TEST_CASE("promises and tasks at rest allocate nothing once their memory is there") {
  const auto workers = GENERATE(1U, 2U, 4U);
  executor ex(workers);
  std::vector<future<int>> all(100);
  CHECK(allocations_of([&] {
    rondo::promise<int> p(ex);
    const future<int> f = p.get_future();
    for(auto& g : all)
      g = async(ex, [f] { return f.get(); });
    p.set_value(1);
    for(const auto& g : all)
      (void)g.get();
  }) == 0);
}

TEST_CASE("coroutines allocate nothing once their memory is there") {
  const auto workers = GENERATE(1U, 2U, 4U);
  executor ex(workers);
  const auto body = [](future<int> f) -> rondo::coroutine<int> { co_return co_await f; };
  CHECK(allocations_of([&] {
    future<int> f = async(ex, [] { return 1; });
    for(int i = 0; i != many; ++i)
      f = async(ex, body, f);
    (void)f.get();
  }) == 0);
}

TEST_CASE("a thread that waits in get() needs no memory for that") {
  const bool background = GENERATE(false, true);
  executor ex({.workers = 2, .background = background});
  rondo::promise<int> p(ex);
  const future<int> f = p.get_future();
  std::thread keeper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50)); // later than the wait, mostly
    p.set_value(1);
  });
  int got = 0;
  CHECK_NOTHROW([&] {
    const no_memory here;
    got = f.get();
  }());
  keeper.join();
  CHECK(got == 1);
}

TEST_CASE("a get() for which there is no memory throws, and leaves everything as it was") {
  executor ex(1);
  rondo::promise<int> p(ex);
  const future<int> f = p.get_future();
  int refused = 0;
  int other = 0;
  unsigned open_tasks = 0;
  const future<void> outer = async(ex, [&] {
    rondo::join(
      [&] { // while the other part is on offer: the stack needs a new deque
        try {
          const no_memory here;
          (void)f.get();
        }
        catch(const std::bad_alloc&) {
          ++refused;
        }
        open_tasks = rondo::this_worker()->open_tasks;
      },
      [&] { ++other; });
  });
  ex.wait(); // on a stack that can be left; get() would run the task on top of this one
  outer.get();
  CHECK(refused == 1);
  CHECK(other == 1);
  CHECK(open_tasks == 1);
  p.set_value(3);
  CHECK(f.get() == 3);
}

TEST_CASE(
  "a loop of when_any with a future that is not ready takes no more memory with each pass") {
  executor ex(1);
  rondo::promise<void> p(ex);
  const future<void> stop = p.get_future();
  const auto round = [&] {
    for(int i = 0; i != many; ++i)
      (void)rondo::when_any(stop, rondo::make_ready<int>(i)).get();
  };
  round();
  const auto before = live_bytes();
  for(int i = 0; i != 20; ++i)
    round();
  CHECK(live_bytes() - before < many * 100); // of twenty times as many
  p.set_value();
}
