// Parts of an engine, which know nothing of it: who is in the seat, who sleeps for it, who may resize, and so on.

#include <catch2/catch.hpp>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include <rondo/core/first_failure.hpp>
#include <rondo/core/outside_sleepers.hpp>
#include <rondo/core/size_lock.hpp>
#include <rondo/core/visits.hpp>
#include <rondo/core/worker_seat.hpp>

using namespace rondo::detail;

namespace {
constexpr int threads = 4;
constexpr int often = 20'000;

template<class F>
void by_several(F&& f) {
  std::vector<std::jthread> all;
  for(int i = 0; i != threads; ++i)
    all.emplace_back([&f, i] { f(i); });
}
} // namespace

TEST_CASE("a seat says who is in it") {
  worker_seat seat;
  CHECK_FALSE(seat.is_taken());
  REQUIRE(seat.try_take(false));
  CHECK(seat.is_taken());
  CHECK(seat.has_a_thread());
  CHECK_FALSE(seat.try_take(true));
  CHECK(seat.has_a_thread());
  seat.leave();
  CHECK_FALSE(seat.has_a_thread());
  REQUIRE(seat.try_take(true));
  CHECK(seat.is_taken());
  CHECK_FALSE(seat.has_a_thread()); // a worker of another executor
}

TEST_CASE("one thread at a time is in a seat, and those that sleep for it get it") {
  worker_seat seat;
  outside_sleepers sleepers;
  int taken = 0; // by the one in the seat
  by_several([&](int) {
    for(int i = 0; i != often / threads; ++i) {
      for(;;) {
        const auto seen = sleepers.look();
        if(seat.try_take(false))
          break;
        sleepers.sleep(seen);
      }
      ++taken;
      seat.leave();
      sleepers.wake_one();
    }
  });
  CHECK(taken == often / threads * threads);
}

TEST_CASE("all that sleep are woken for what has come true") {
  outside_sleepers sleepers;
  for(int round = 0; round != 200; ++round) {
    std::atomic<bool> is_true{false};
    std::atomic<int> have_seen{0};
    by_several([&](int which) {
      if(which == 0) {
        is_true.store(true, std::memory_order_seq_cst);
        sleepers.wake_all();
        return;
      }
      for(;;) {
        const auto seen = sleepers.look();
        if(is_true.load(std::memory_order_seq_cst))
          break;
        sleepers.sleep(seen);
      }
      have_seen.fetch_add(1);
    });
    CHECK(have_seen == threads - 1);
  }
}

TEST_CASE("a size does not change while somebody relies on it") {
  size_lock lock;
  std::atomic<int> size{1};
  std::atomic<int> surprises{0};
  by_several([&](int which) {
    for(int i = 0; i != often / threads; ++i) {
      if(which % 2 == 0) {
        const size_lock::change here(lock);
        if(!lock.is_relied_on())
          size.store(size.load() == 1 ? 2 : 1);
      }
      else if(lock.rely_on_one([&] { return size.load() == 1; })) {
        for(int look = 0; look != 10; ++look)
          surprises.fetch_add(size.load() == 1 ? 0 : 1);
        lock.stop_relying();
      }
    }
  });
  CHECK(surprises == 0);
  CHECK_FALSE(lock.is_relied_on());
}

TEST_CASE("nobody relies on one where there are two") {
  size_lock lock;
  CHECK_FALSE(lock.rely_on_one([] { return false; }));
  CHECK_FALSE(lock.is_relied_on());
}

TEST_CASE("the end waits for visits, and sees what was done in them") {
  for(int round = 0; round != 200; ++round) {
    visits all;
    std::vector<int> done(threads, 0);
    std::atomic<int> inside{0};
    std::vector<std::jthread> visitors;
    for(int i = 0; i != threads; ++i)
      visitors.emplace_back([&, i] {
        const visits::one here(all);
        inside.fetch_add(1, std::memory_order_relaxed);
        done[static_cast<std::size_t>(i)] = 1;
      });
    while(inside.load(std::memory_order_relaxed) != threads)
      std::this_thread::yield();
    all.await_end();
    CHECK(done == std::vector<int>(threads, 1));
  }
}

TEST_CASE("the first failure is thrown once") {
  first_failure failure;
  CHECK_NOTHROW(failure.rethrow());
  const auto fail = [&failure](const char* what) {
    try {
      throw std::runtime_error(what);
    }
    catch(...) {
      failure.note_current();
    }
  };
  fail("the first");
  fail("the second");
  CHECK_THROWS_WITH(failure.rethrow(), "the first");
  CHECK_NOTHROW(failure.rethrow());
  fail("a later one");
  CHECK(failure.take() != nullptr);
  CHECK(failure.take() == nullptr);
}
