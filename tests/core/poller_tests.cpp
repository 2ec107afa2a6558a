// What is outside of the executor goes on because its workers look at it.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/core.hpp>

using namespace rondo;
using namespace std::chrono_literals;

using rondo::detail::engine_of;
using rondo::detail::wait_phase;

namespace {

/// An event comes after so many looks.
class slow_bell : public poller {
public:
  explicit slow_bell(executor& ex) : ex_(ex) { ex.attach(*this); }
  ~slow_bell() override { ex_.detach(*this); }

  void order(unsigned looks) {
    looks_.store(looks);
    want(ex_);
  }
  void poll() noexcept override {
    inside_ += 1;
    if(inside_.load() != 1)
      was_called_twice = true;
    if(engine_of(ex_).poller_is_wanted() && looks_.fetch_sub(1) == 1) {
      rung.fetch_add(1);
      stop_wanting(ex_);
      engine_of(ex_).wake_waiters();
    }
    inside_ -= 1;
  }
  [[nodiscard]] unsigned looks() const { return looks_.load(); }
  std::atomic<unsigned> rung{0};
  std::atomic<bool> was_called_twice{false};

private:
  executor& ex_;
  std::atomic<unsigned> looks_{0};
  std::atomic<unsigned> inside_{0};
};

/// What comes wakes the thread that rests.
class waking_bell : public poller {
public:
  explicit waking_bell(executor& ex) : ex_(ex) { ex.attach(*this); }
  ~waking_bell() override { detach(); }
  void detach() { ex_.detach(*this); }

  void ring() { comes_.store(true); }
  void poll() noexcept override {
    if(comes_.exchange(false)) {
      rung.fetch_add(1);
      stop_wanting(ex_);
      engine_of(ex_).wake_waiters();
    }
  }
  [[nodiscard]] bool wakes() const noexcept override { return true; }
  void rest(std::chrono::nanoseconds most) noexcept override {
    if(rests.fetch_add(1) != 0)
      was_called_twice = true;
    has_rested = true;
    const auto end = std::chrono::steady_clock::now() + most;
    while(!comes_.load() && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(1us);
    rests.fetch_sub(1);
  }
  std::atomic<unsigned> rung{0};
  std::atomic<unsigned> rests{0};
  std::atomic<bool> has_rested{false};
  std::atomic<bool> was_called_twice{false};

private:
  executor& ex_;
  std::atomic<bool> comes_{false};
};

} // namespace

TEST_CASE("who shares a core rests until something comes") {
  executor ex({.workers = 1, .shares_cores = true});
  waking_bell bell(ex);
  for(unsigned i = 0; i != 100; ++i) {
    bell.want(ex);
    std::thread other([&, i] {
      std::this_thread::sleep_for(200us);
      while(i == 0 && !bell.has_rested) // however long it takes this time
        std::this_thread::yield();
      bell.ring();
    });
    engine_of(ex).help_until([&](wait_phase) { return bell.rung.load() == i + 1; });
    other.join();
  }
  CHECK(bell.has_rested);
  CHECK_FALSE(bell.was_called_twice);
}

TEST_CASE("a poller may go while somebody rests in it") {
  executor ex({.workers = 1, .background = true, .shares_cores = true});
  for(unsigned i = 0; i != 50; ++i) {
    waking_bell bell(ex);
    bell.want(ex);
    while(bell.rests.load() == 0)
      std::this_thread::yield();
    bell.detach();
    CHECK(bell.rests == 0);
  }
}

TEST_CASE("who waits for something outside polls, with any number of workers") {
  for(const unsigned workers : {1U, 2U, 4U}) {
    executor ex(workers);
    slow_bell bell(ex);
    for(unsigned i = 0; i != 200; ++i) {
      bell.order(1 + i % 7);
      engine_of(ex).help_until([&](wait_phase) { return bell.rung.load() == i + 1; });
    }
    CHECK(bell.rung == 200);
    CHECK_FALSE(bell.was_called_twice);
  }
}

TEST_CASE("a worker that sleeps is woken for what is wanted, and nobody else needs to wait") {
  executor ex({.workers = 2, .background = true, .spin = 0us});
  slow_bell bell(ex);
  for(unsigned i = 0; i != 50; ++i) {
    std::this_thread::sleep_for(1ms); // let them sleep
    bell.order(3);
    while(bell.rung.load() != i + 1)
      std::this_thread::yield();
  }
  CHECK(bell.rung == 50);
}

TEST_CASE("workers that always have something to do poll now and then") {
  executor ex(2);
  slow_bell bell(ex);
  std::atomic<bool> stop{false};
  struct chain {
    static void link(executor& on, std::atomic<bool>& until) {
      if(!until.load())
        on.submit([&] { link(on, until); });
    }
  };
  bell.order(20);
  for(int i = 0; i != 4; ++i)
    chain::link(ex, stop);
  ex.wait_until([&] { return bell.rung.load() == 1; });
  stop = true;
  ex.wait();
  CHECK(bell.rung == 1);
}

TEST_CASE("who waits for what a poller brings may be looked after patiently") {
  struct : poller {
    void poll() noexcept override { ++looks; }
    void poll_patiently() noexcept override { looks += 10; }
    int looks = 0;
  } patient;
  struct : poller {
    void poll() noexcept override { ++looks; }
    int looks = 0;
  } hasty;
  executor ex(1);
  ex.attach(patient);
  engine_of(ex).poll();
  engine_of(ex).poll_patiently();
  ex.detach(patient);
  CHECK(patient.looks == 11);
  ex.attach(hasty);
  engine_of(ex).poll_patiently();
  ex.detach(hasty);
  CHECK(hasty.looks == 1);
}

TEST_CASE("an executor has one poller at a time") {
  executor ex(1);
  {
    const slow_bell bell(ex);
    CHECK_THROWS_AS(slow_bell(ex), std::logic_error);
  }
  slow_bell another(ex);
  another.order(1);
  engine_of(ex).help_until([&](wait_phase) { return another.rung.load() == 1; });
  CHECK(another.rung == 1);
}

TEST_CASE("a poller may go as soon as it is detached, whatever is still wanted") {
  executor ex({.workers = 3, .background = true, .spin = 0us});
  for(unsigned i = 0; i != 300; ++i) {
    slow_bell bell(ex);
    bell.order(i % 2 == 0 ? 3 : 1'000'000'000);
    while(i % 2 == 0 && bell.rung.load() == 0)
      std::this_thread::yield();
  }
  CHECK_FALSE(engine_of(ex).poller_is_wanted());
}

TEST_CASE("executors that share cores do the same work") {
  executor ex({.workers = 3, .shares_cores = true});
  slow_bell bell(ex);
  std::atomic<int> n{0};
  for(int i = 0; i != 1000; ++i)
    ex.submit([&] { ++n; });
  bell.order(100);
  engine_of(ex).help_until([&](wait_phase) { return bell.rung.load() == 1; });
  ex.wait();
  CHECK(n == 1000);
}

TEST_CASE("who leaves the poller for a long task sends another one that sleeps") {
  executor ex({.workers = 3, .background = true, .spin = 0us});
  slow_bell bell(ex);
  std::this_thread::sleep_for(5ms); // all sleep
  bell.order(1'000'000'000);        // one is awake for it
  std::this_thread::sleep_for(5ms);
  std::atomic<bool> stop{false};
  ex.submit([&] {
    while(!stop)
      std::this_thread::sleep_for(1ms);
  });
  std::this_thread::sleep_for(5ms);
  const unsigned before = bell.looks();
  while(bell.looks() == before) // ends if there is somebody
    std::this_thread::sleep_for(1ms);
  stop = true;
  ex.wait();
  poller::stop_wanting(ex);
}

TEST_CASE(
  "a worker with long tasks polls between any two of them, and not after a number of them") {
  executor ex(1);
  slow_bell bell(ex);
  constexpr unsigned looks = 3;
  constexpr unsigned tasks = 12;
  unsigned ran = 0;
  unsigned ran_when_rung = tasks;
  for(unsigned i = 0; i != tasks; ++i)
    ex.submit([&] {
      if(bell.rung.load() != 0)
        ran_when_rung = std::min(ran_when_rung, ran);
      ++ran;
      const auto began = detail::ticks();
      while(detail::ticks() - began < 2 * detail::poll_pace::interval) {
      }
    });
  bell.order(looks);
  ex.wait();
  CHECK(bell.rung == 1);
  CHECK(ran == tasks);
  CHECK(ran_when_rung <= looks);
}

TEST_CASE("the pace of looks follows the length of jobs") {
  detail::poll_pace pace;
  constexpr auto interval = detail::poll_pace::interval;
  std::uint64_t now = 10 * interval;
  CHECK(pace.look_at(now)); // it has never looked
  SECTION("long ones are followed by a look each") {
    for(int i = 0; i != 10; ++i) {
      now += 3 * interval;
      CHECK(pace.look_at(now));
      CHECK(pace.last_job() == 3 * interval);
    }
  }
  SECTION("of short ones many fit between two looks, and they are not timed one by one") {
    unsigned looks = 0;
    for(int i = 0; i != 1000; ++i) {
      now += interval / 100;
      looks += pace.look_at(now) ? 1 : 0;
    }
    CHECK(looks == 10);
    CHECK(pace.last_job() == 0);
  }
  SECTION("after a long one short ones are timed one by one, so that the next long one is known") {
    now += detail::poll_pace::long_job;
    CHECK(pace.look_at(now));
    for(int i = 0; i != 100; ++i) {
      now += interval / 100;
      CHECK(pace.look_at(now) == (i == 99));
      CHECK(pace.last_job() == interval / 100);
    }
  }
}

TEST_CASE("a thread for the poller rings while all workers are in a task") {
  executor ex({.workers = 1, .progress_thread = true});
  slow_bell bell(ex);
  for(unsigned i = 0; i != 50; ++i) {
    ex.submit([&, i] {
      bell.order(1 + i % 5);
      while(bell.rung.load() != i + 1) // nobody else can
        std::this_thread::yield();
    });
    ex.wait();
  }
  CHECK(bell.rung == 50);
  CHECK_FALSE(bell.was_called_twice);
}

TEST_CASE("a thread for the poller sleeps while it is not wanted, and goes with the poller") {
  executor ex({.workers = 2, .background = true, .progress_thread = true, .spin = 0us});
  for(unsigned i = 0; i != 100; ++i) {
    slow_bell bell(ex);
    if(i % 3 == 0)
      continue;
    bell.order(i % 3 == 1 ? 3 : 1'000'000'000);
    while(i % 3 == 1 && bell.rung.load() == 0)
      std::this_thread::yield();
  }
  CHECK_FALSE(engine_of(ex).poller_is_wanted());
}
