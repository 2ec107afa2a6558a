#include <cstdint>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/flow.hpp>
#include <rondo/futures.hpp>

#include "core/configurations.hpp"

using namespace rondo;
using Catch::Matchers::Contains;

TEST_CASE("a loop whose passes are replayed ends where the loop that waits does") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  const auto halve = [](double& x, double by) { x /= by; };
  for(const std::uint64_t lag : {0, 2}) {
    flow f(ex);
    double value = 1024;
    int passes = 0;
    region v(f, value);
    region n(f, passes);
    trace t(f);
    const auto ran = f.iterate(
      [&](std::uint64_t pass) {
        const auto guard = t.make_guard();
        f.submit(halve, write(v), pass % 2 == 0 ? 2.0 : 4.0);
        f.submit([](int& x) { ++x; }, write(n));
        return f.submit([](const double& x) { return x < 1; }, read(v));
      },
      {.lag = lag});
    f.submit([](double& x) { x += 1; }, write(v));
    f.wait();

    double expected = 1024;
    int expected_passes = 0;
    std::vector<bool> answers;
    do {
      halve(expected, expected_passes % 2 == 0 ? 2.0 : 4.0);
      ++expected_passes;
      answers.push_back(expected < 1);
    } while(answers.size() <= lag || !answers[answers.size() - 1 - lag]);
    CHECK(value == expected + 1);
    CHECK(passes == expected_passes);
    CHECK(ran.get() == static_cast<std::uint64_t>(expected_passes));
    CHECK(t.statistics().recorded == 1);
    CHECK(t.statistics().replayed + 1 == t.statistics().passes);
    CHECK(t.statistics().passes >= ran.get());
  }
}

TEST_CASE("one trace serves many loops, and what is launched between them") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  flow f(ex);
  long value = 0;
  region v(f, value);
  trace t(f);
  long expected = 0;
  for(long round = 1; round != 10; ++round) {
    (void)f.iterate([&] {
      const auto guard = t.make_guard();
      f.submit([](long& x) { ++x; }, write(v));
      return f.submit([until = expected + round](const long& x) { return x >= until; }, read(v));
    });
    expected += round;
    f.submit([](long& x) { x += 5; }, write(v));
    expected += 5;
  }
  f.wait();
  CHECK(value == expected);
  CHECK(t.statistics().recorded == 1);
}

TEST_CASE("a loop in a pass has the results of the loop that waits") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  flow f(ex);
  long value = 0;
  region v(f, value);
  trace t(f);
  for(long pass = 1; pass != 12; ++pass) { // how many launches a pass has is up to chance
    const auto guard = t.make_guard();
    f.submit([](long& x) { x = 0; }, write(v));
    (void)f.iterate([&] { return f.submit([pass](long& x) { return ++x >= pass; }, write(v)); });
    f.submit([pass](long& x) { x = x == pass ? 0 : -1000; }, write(v));
  }
  f.wait();
  CHECK(value == 0);
}

// The loop is gone when the flow has been waited for: the address sanitizer tells of a use after
// free.
TEST_CASE("a wait for the flow in the body of a loop leaves the loop as it was") {
  executor ex(2);
  flow f(ex);
  int value = 0;
  region r(f, value);
  const auto passes = f.iterate([&] {
    auto stop = f.submit([](int& x) { return ++x == 5; }, write(r));
    f.wait();
    return stop;
  });
  CHECK(passes.get() == 5);
  f.wait();
  CHECK(value == 5);
}

// The same by way of the region's end, since a template names it.
TEST_CASE("a region of a template may end in the body of a loop") {
  executor ex(2);
  flow f(ex);
  int value = 0;
  region r(f, value);
  trace t(f);
  const auto passes = f.iterate([&] {
    int local = 0;
    region mine(f, local);
    future<bool> stop;
    for(int i = 0; i != 2; ++i) {
      const auto guard = t.make_guard();
      f.submit([](int& x) { ++x; }, write(mine));
      stop = f.submit([](int& x, const int& y) { return (x += y) >= 9; }, write(r), read(mine));
    }
    f.wait(mine);
    f.wait(r);
    return stop;
  });
  CHECK(passes.get() == 3);
  f.wait();
  CHECK(value == 9);
}

// ---- get() in a pass ---------------------------------------------------------------------------

TEST_CASE("a wait in a pass is counted and its place named, and the passes are replayed") {
  executor ex(1); // nothing runs before somebody waits
  flow f(ex);
  int value = 0;
  region r(f, value);
  trace t(f, "waits");
  unsigned line = 0;
  int sum = 0;
  for(int pass = 0; pass != 10; ++pass) {
    const auto guard = t.make_guard();
    f.submit([](int& x) { ++x; }, write(r));
    const auto now = f.submit([](const int& x) { return x; }, read(r));
    line = __LINE__ + 1;
    sum += now.get();
  }
  f.wait();
  CHECK(sum == 55);
  CHECK(t.statistics().replayed == 9);
  CHECK(t.statistics().diverged == 0);
  CHECK(t.statistics().blocked == 10);
  CHECK_THAT(
    t.text(), Contains("10 times") && Contains("trace_loop_tests.cpp:" + std::to_string(line)));
}

TEST_CASE("waits between passes are not counted") {
  executor ex(1);
  flow f(ex);
  trace t(f);
  for(int pass = 0; pass != 3; ++pass) {
    future<int> x;
    {
      const auto guard = t.make_guard();
      x = f.submit([pass] { return pass; });
    }
    CHECK(x.get() == pass);
  }
  CHECK(t.statistics().blocked == 0);
  CHECK(t.statistics().replayed == 2);
}

TEST_CASE("waiting for a region or the flow in a pass is no harm") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  flow f(ex);
  int value = 0;
  region r(f, value);
  trace t(f);
  int wrong = 0;
  for(int pass = 0; pass != 30; ++pass) {
    const auto guard = t.make_guard();
    f.submit([](int& x) { ++x; }, write(r));
    f.wait(r);
    wrong += value == 2 * pass + 1 ? 0 : 1;
    f.submit([](int& x) { ++x; }, write(r));
    f.wait();
    wrong += value == 2 * pass + 2 ? 0 : 1;
  }
  CHECK(wrong == 0);
  CHECK(t.statistics().replayed == 29);
}
