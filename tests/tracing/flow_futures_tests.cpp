// Launches and futures: as results, as arguments, awaited in tasks.

#include <rondo/flow.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <ctime>
#include <thread>

#include <pthread.h>

#include <catch2/catch.hpp>
#include <rondo/futures.hpp>

#include "core/configurations.hpp"
#include "futures/support.hpp"

using namespace rondo;

TEST_CASE("results are futures, and futures are arguments") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  flow f(ex);
  int value = 0;
  region r(f, value);
  promise<int> p(ex);
  f.submit([](int& v, int by) { v += by; }, write(r), p.get_future());
  future<int> now = f.submit([](const int& v) { return v; }, read(r));
  future<int> doubled = f.submit([](future<int> x) { return 2 * x.get(); }, now);
  f.submit([](int& v, int d) { v += d; }, write(r), doubled);
  CHECK_FALSE(now.ready());
  p.set_value(5);
  CHECK(doubled.get() == 10);
  f.wait();
  CHECK(value == 15);
}

TEST_CASE("a task of a flow may wait for a future, and others run meanwhile") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  flow f(ex);
  promise<int> p(ex);
  const auto later = p.get_future();
  std::atomic<int> sum{0};
  for(int i = 0; i != 100; ++i)
    f.submit([&sum, later] { sum += later.get(); });
  f.submit([&p] { p.set_value(3); });
  f.wait();
  CHECK(sum == 300);
}

TEST_CASE("launches of several flows that one promise lets go on") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  for(int round = 0; round != 50; ++round) {
    promise<int> p(ex);
    std::atomic<int> sum{0};
    flow outer(ex);
    for(int i = 0; i != 4; ++i)
      outer.submit([&ex, &sum, later = p.get_future()] {
        flow inner(ex);
        for(int k = 0; k != 5; ++k)
          inner.submit([&sum](int v) { sum += v; }, later);
        inner.wait();
      });
    outer.submit([&p] { p.set_value(2); });
    outer.wait();
    CHECK(sum == 40);
  }
}

TEST_CASE("a launch may wait for several futures") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  for(int round = 0; round != 50; ++round) {
    flow f(ex);
    promise<int> p(ex);
    promise<int> q(ex);
    std::atomic<int> sum{0};
    for(int i = 0; i != 5; ++i)
      f.submit([&sum](int a, int b) { sum += a * b; }, p.get_future(), q.get_future());
    const auto a = async(ex, [&p] { p.set_value(6); });
    const auto b = async(ex, [&q] { q.set_value(7); });
    f.wait();
    a.get();
    b.get();
    CHECK(sum == 210);
  }
}

TEST_CASE("folds and destructors may wait for later launches") {
  executor ex(1);
  flow f(ex);
  promise<void> p(ex);
  struct waits {
    future<void> for_what;
    explicit waits(future<void> w) : for_what(std::move(w)) {}
    waits(waits&&) = default;
    ~waits() {
      if(for_what.valid())
        for_what.get();
    }
  };
  struct op {
    future<void> for_what;
    int identity(const int&) const { return 0; }
    void operator()(int& into, int part) const {
      for_what.get();
      into += part;
    }
  };
  int value = 0;
  region r(f, value);
  f.submit([](const waits&) {}, waits(p.get_future()));
  f.submit([](int& part) { part = 1; }, reduce(r, op{p.get_future()}));
  f.submit([&p] { p.set_value(); });
  f.wait();
  CHECK(value == 1);
}

TEST_CASE("the code that launches may keep a promise after more launches than the window has") {
  FOR_EACH_CONFIGURATION(options);
  auto hurried = options;
  hurried.deadlock_after = std::chrono::milliseconds(20); // other tests' threads may be there
  executor ex(hurried);
  flow f(ex, {.window = 32});
  promise<int> p(ex);
  int value = 0;
  region r(f, value);
  std::atomic<int> others{0};
  f.submit([](int& v, int from) { v = from; }, write(r), p.get_future());
  for(int i = 0; i != 500; ++i) {
    f.submit([](int& v) { ++v; }, write(r));
    if(i % 10 == 0)
      f.submit([&others] { ++others; }); // some can run
  }
  p.set_value(1000);
  f.wait();
  CHECK(value == 1500);
  CHECK(others == 50);
  // And then the window is as it was.
  for(int i = 0; i != 500; ++i)
    f.submit([](int& v) { ++v; }, write(r));
  f.wait();
  CHECK(value == 2000);
}

TEST_CASE(
  "the message of a full window names the oldest launch that waits, and what it waits for") {
  FOR_EACH_CONFIGURATION(options);
  auto hurried = options;
  hurried.deadlock_after = std::chrono::milliseconds(20); // other tests' threads may be there
  executor ex(hurried);
  const auto told = [&](bool has_hints) {
    return stderr_of([&] {
      flow f(ex, {.window = 32});
      promise<int> p(ex);
      int value = 0;
      int other = 0;
      region r(f, value);
      region s(f, other);
      f.submit(named("ended", [](int& v) { v = 1; }), write(s)); // in the same batch
      if(has_hints)
        f.submit(hinted({.priority = priority::high}, [](int&) {}), write(s));
      f.submit(named("first", [](int& v, int from) { v = from; }), write(r), p.get_future());
      for(int i = 0; i != 100; ++i)
        f.submit(named("next", [](int& v) { ++v; }), write(r));
      p.set_value(1);
      f.wait();
      CHECK(value == 101);
    });
  };
  const std::string text = told(false);
  CAPTURE(text);
  CHECK(count(text, "launches wait") == 1);
  CHECK(
    count(text, "for values that no task makes; the oldest is task 'first', launched at ") == 1);
  CHECK(count(text, "flow_futures_tests.cpp:") == 1);
  CHECK(
    count(text, ", which waits for a future that it was launched with. The window grows.") == 1);
  CHECK(count(told(true), "the oldest is task 'first', ") == 1);
}

TEST_CASE("the message names launches with hints as well") {
  executor ex({.workers = 2, .background = true, .deadlock_after = std::chrono::milliseconds(20)});
  const std::string text = stderr_of([&] {
    flow f(ex, {.window = 32});
    promise<int> p(ex);
    int value = 0;
    region r(f, value, "total");
    f.submit(
      hinted({.priority = priority::high}, named("take", [](int& v, int from) { v = from; })),
      write(r), p.get_future());
    for(int i = 0; i != 100; ++i)
      f.submit(named("next", [](int& v) { ++v; }), write(r));
    p.set_value(1);
    f.wait();
  });
  CAPTURE(text);
  CHECK(count(text, "the oldest is task 'take', launched at ") == 1);
  CHECK(
    count(text, ", which waits for a future that it was launched with. The window grows.") == 1);
}

TEST_CASE("of a launch that waits for others the message says which region") {
  executor ex({.workers = 2, .background = true, .deadlock_after = std::chrono::milliseconds(20)});
  const std::string text = stderr_of([&] {
    flow f(ex, {.window = 32});
    promise<int> p(ex);
    int value = 0;
    region r(f, value, "total");
    f.submit([&p] { CHECK(p.get_future().get() == 1); }); // in its body: no launch that waits
    f.submit(named("first", [&p](int& v) { v = p.get_future().get(); }), write(r));
    for(int i = 0; i != 100; ++i)
      f.submit(named("next", [](int& v) { ++v; }), write(r));
    p.set_value(1);
    f.wait();
  });
  CAPTURE(text);
  CHECK(count(text, "the oldest is task 'next', launched at ") == 1);
  CHECK(count(text, ", which waits for region 'total'. The window grows.") == 1);
}

// The thread that waits gets no core for long: it stands in the handler of a signal.
TEST_CASE("a full window is no deadlock, however late the thread that waits for it looks") {
  const auto after = std::chrono::milliseconds(20);
  executor ex({.workers = 2, .background = true, .deadlock_after = after});
  struct sigaction stands_still {};
  stands_still.sa_handler = [](int) {
    const timespec t{.tv_sec = 0, .tv_nsec = 200'000'000};
    nanosleep(&t, nullptr);
  };
  struct sigaction before {};
  REQUIRE(sigaction(SIGUSR2, &stands_still, &before) == 0);
  std::atomic<int> launched{0};
  const std::string text = stderr_of([&] {
    const pthread_t waits = pthread_self();
    const std::jthread stops_it([&] {
      while(launched != 20)
        std::this_thread::yield();
      std::this_thread::sleep_for(after / 4);
      pthread_kill(waits, SIGUSR2);
    });
    {
      flow f(ex, {.window = 32});
      promise<int> p(ex);
      int value = 0;
      region r(f, value);
      f.submit([&p](int& v) { v = p.get_future().get(); }, write(r));
      for(int i = 0; i != 100; ++i) {
        f.submit([](int& v) { ++v; }, write(r));
        if(i < 20)
          ++launched;
      }
      p.set_value(1);
      f.wait();
      CHECK(value == 101);
    }
  });
  REQUIRE(sigaction(SIGUSR2, &before, nullptr) == 0);
  CAPTURE(text);
  CHECK(count(text, "The window grows.") == 1);
  CHECK(count(text, "deadlock") == 0);
}

TEST_CASE("a full window is no deadlock where the thread acts for another executor on top") {
  for(const unsigned workers : {1U, 2U}) {
    const executor_options options{
      .workers = workers, .deadlock_after = std::chrono::milliseconds(20)};
    executor below(options);
    executor above(options);
    int value = 0;
    const auto launches = [&] {
      flow f(below, {.window = 32});
      promise<int> p(below);
      region r(f, value);
      f.submit([&p](int& v) { v = p.get_future().get(); }, write(r));
      for(int i = 0; i != 100; ++i)
        f.submit([](int& v) { ++v; }, write(r));
      p.set_value(1);
      f.wait();
    };
    const std::string text = stderr_of([&] { below.run([&] { above.run(launches); }); });
    CAPTURE(text);
    CHECK(value == 101);
    CHECK(count(text, "The window grows.") == 1);
  }
}

TEST_CASE("a task that launches may do so, too, and with a trace of lanes") {
  executor ex({.workers = 2,
    .background = true,
    .deadlock_after = std::chrono::milliseconds(20),
    .shares_cores = false});
  std::array<int, 2> values{};
  ex.run([&] {
    flow f(ex, {.window = 64});
    region a(f, values[0]);
    region b(f, values[1]);
    const auto pass = [&] {
      for(int i = 0; i != 4; ++i) {
        f.submit([](int& v) { v = int(unsigned(v) * 3U + 1U); }, write(a));
        f.submit([](int& v) { v = int(unsigned(v) * 5U + 1U); }, write(b));
      }
    };
    for(int i = 0; i != 50; ++i)
      pass();
    promise<int> p(ex);
    f.submit([](int& v, int by) { v = int(unsigned(v) + unsigned(by)); }, write(a), p.get_future());
    f.submit([](int& v, int by) { v = int(unsigned(v) + unsigned(by)); }, write(b), p.get_future());
    for(int i = 0; i != 50; ++i)
      pass();
    p.set_value(7);
    f.wait();
  });
  std::array<unsigned, 2> expected{};
  for(int i = 0; i != 400; ++i) {
    if(i == 200) {
      expected[0] += 7;
      expected[1] += 7;
    }
    expected[0] = expected[0] * 3 + 1;
    expected[1] = expected[1] * 5 + 1;
  }
  CHECK(static_cast<unsigned>(values[0]) == expected[0]);
  CHECK(static_cast<unsigned>(values[1]) == expected[1]);
}
