#include <atomic>
#include <thread>

#include <catch2/catch.hpp>
#include <rondo/core/executor.hpp>

using rondo::executor;
using rondo::detail::engine_of;
using rondo::detail::wait_phase;

namespace {

/// Jobs that a worker always has, one after the other, until `stop`: at most so many.
struct busy {
  executor& ex;
  std::atomic<bool>& stop;
  std::atomic<bool>& ended;
  int left;

  void operator()() const {
    if(stop || left == 0)
      ended = true;
    else
      ex.submit(busy{ex, stop, ended, left - 1});
  }
};

constexpr int enough = 20'000;

} // namespace

TEST_CASE("a worker that always has work comes to every wait in the end, also to old ones") {
  executor ex(1);
  constexpr int others = 20;
  std::atomic<bool> may_go{false};
  std::atomic<bool> went{false};
  std::atomic<bool> ended{false};
  bool went_in_time = false;
  int waiting = 0;
  for(int i = 0; i != others + 1; ++i)
    ex.submit([&] {
      // The first one to wait is the one that may go on; all others wait for the end.
      std::atomic<bool>& flag = waiting++ == 0 ? may_go : ended;
      const auto is_set = [&flag](wait_phase) { return flag.load(); };
      engine_of(ex).wait_on(*rondo::this_worker(), is_set);
      if(&flag == &may_go) {
        went_in_time = !ended;
        went = true;
      }
    });
  ex.submit([&] {
    const auto all_wait = [&](wait_phase) { return waiting == others + 1; };
    engine_of(ex).wait_on(*rondo::this_worker(), all_wait);
    may_go = true;
    ex.submit(busy{ex, went, ended, enough});
  });
  ex.wait();
  CHECK(went);
  CHECK(went_in_time);
}

TEST_CASE("waits that a thread leaves behind are found by a worker that always has work") {
  executor ex(2);
  std::atomic<bool> busy_began{false};
  std::atomic<bool> seat_left{false};
  std::atomic<bool> may_go{false};
  std::atomic<bool> went{false};
  std::atomic<bool> went_in_time{false};
  std::atomic<bool> ended{false};
  std::atomic<bool> waits{false};
  // The other worker is in one long task, and has always another one after that.
  ex.submit([&] {
    busy_began = true;
    while(!seat_left)
      std::this_thread::yield();
    ex.submit(busy{ex, went, ended, enough});
  });
  while(!busy_began)
    std::this_thread::yield();
  ex.submit([&] {
    waits = true;
    const auto is_set = [&](wait_phase) { return may_go.load(); };
    engine_of(ex).wait_on(*rondo::this_worker(), is_set);
    went_in_time = !ended;
    went = true;
  });
  ex.wait_until([&] { return waits.load(); }); // this thread begins that task, and leaves
  may_go = true;
  seat_left = true;
  while(!ended)
    std::this_thread::yield();
  ex.wait();
  CHECK(went);
  CHECK(went_in_time);
}
