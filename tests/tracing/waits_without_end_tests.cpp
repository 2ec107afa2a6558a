// Waits for launches that wait for what nobody will ever make: docs/protocols/flow.md, "Waits that can't end".

#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include <catch2/catch.hpp>
#include <rondo/flow.hpp>
#include <rondo/futures.hpp>

#include "futures/deadlock.hpp"
#include "futures/support.hpp"
#include "process_that.hpp"

using namespace rondo;

namespace {

/// A flow, and a promise that is kept after it, or never.
struct forgotten {
  explicit forgotten(unsigned workers, bool background = false) : ex(with(workers, background)) {}

  executor ex;
  promise<int> p{ex};
  flow f{ex, {.window = 64}};
  std::array<int, 2> values{};
  region<int> a{f, values[0], "a"};
  region<int> b{f, values[1], "b"};
  future<int> never = p.get_future();
};

const auto take = named("take", [](int& v, int from) { v = from; });
const auto next = named("next", [](const int& from, int& to) { to = from; });

bool says(const std::string& report, const char* what) {
  return report.find(what) != std::string::npos;
}

} // namespace

TEST_CASE("a wait for launches that can't end says what they wait for, and those fail") {
  if(!is_alone())
    return;
  const unsigned workers = GENERATE(1U, 2U);
  const bool background = GENERATE(false, true);
  CAPTURE(workers, background);
  forgotten t(workers, background);
  t.f.submit(take, write(t.a), t.never);
  t.f.submit(next, read(t.a), write(t.b));
  SECTION("for all") {
    const std::string report = report_of([&] { t.f.wait(); });
    CAPTURE(report);
    CHECK(says(
      report, " waits for the launches of rondo::flow; the oldest is task 'take', launched at "));
    CHECK(says(report, ", which waits for the value promised at "));
  }
  SECTION("for a region") {
    const std::string report = report_of([&] { t.f.wait(t.b); });
    CAPTURE(report);
    CHECK(
      says(report, " waits for the last launch that uses region 'b'; the oldest is task 'take'"));
  }
  // The flow goes on, and so does the promise.
  CHECK(t.values == std::array{0, 0});
  t.p.set_value(3);
  t.f.submit(take, write(t.a), t.never);
  t.f.submit(next, read(t.a), write(t.b));
  t.f.wait();
  CHECK(t.values == std::array{3, 3});
}

TEST_CASE("the result of a launch that was given up says why") {
  if(!is_alone())
    return;
  forgotten t(GENERATE(1U, 2U));
  const future<int> result =
    t.f.submit([](int& v, int from) { return v = from; }, write(t.a), t.never);
  const future<int> behind = t.f.submit([](const int& v) { return v; }, read(t.a));
  CHECK_THROWS_AS(t.f.wait(), deadlock_error);
  CHECK_THROWS_AS(result.get(), deadlock_error);
  CHECK_THROWS_AS(behind.get(), cancelled);
}

TEST_CASE("a launch that waits for several futures, and hints, are given up as well") {
  if(!is_alone())
    return;
  forgotten t(GENERATE(1U, 2U));
  const promise<int> q(t.ex);
  t.f.submit(
    hinted({.priority = priority::high}, named("hurried", [](int& v, int x, int y) { v = x + y; })),
    write(t.a), t.never, q.get_future());
  t.f.submit([](int& v, int x, int y) { v = x * y; }, write(t.b), t.never, q.get_future());
  const std::string report = report_of([&] { t.f.wait(); });
  CAPTURE(report);
  CHECK(says(report, "the oldest is task 'hurried'"));
  CHECK(t.values == std::array{0, 0});
}

TEST_CASE("launches of loops and conditions are given up as well") {
  if(!is_alone())
    return;
  const unsigned workers = GENERATE(1U, 2U);
  CAPTURE(workers);
  forgotten t(workers);
  const auto both = [&] {
    t.f.submit(take, write(t.a), t.never);
    t.f.submit(next, read(t.a), write(t.b));
  };
  SECTION("in a kept loop") {
    const std::string report = report_of([&] {
      t.f.repeat(10, both);
      t.f.wait();
    });
    CAPTURE(report);
    CHECK(says(report, "the oldest is task 'take'"));
  }
  SECTION("in a plain one") {
    const std::string report = report_of([&] {
      for(int i = 0; i != 50; ++i)
        both();
      t.f.wait();
    });
    CHECK(says(report, "the oldest is task 'take'"));
  }
  SECTION("in one that is told when to end") {
    const std::string report = report_of([&] {
      t.f.iterate(
        [&] {
          t.f.submit([](int& v) { ++v; }, write(t.a));
          return t.never.then([](int x) { return x > 1; });
        },
        {.max = 1000});
      t.f.wait();
    });
    CHECK(says(report, "waits for the function given to then at "));
    CHECK(t.values[0] == 1); // passes ahead of the answer don't run
  }
  SECTION("in one that fills the window") {
    std::string report;
    const std::string told = stderr_of([&] {
      report = report_of([&] {
        t.f.iterate(
          [&] {
            both();
            return make_ready(false);
          },
          {.max = 1000});
        t.f.wait();
      });
    });
    CHECK(says(told, "launches wait"));
    CHECK(says(report, "the oldest is task 'take'"));
  }
  SECTION("behind a condition") {
    const std::string report = report_of([&] {
      t.f.when(t.never.then([](int x) { return x > 1; }), both);
      t.f.wait();
    });
    CHECK(says(report, "waits for the function given to then at "));
  }
  CHECK(t.values[1] == 0);
}

TEST_CASE("a task that waits for launches of its own") {
  if(!is_alone())
    return;
  const unsigned workers = GENERATE(1U, 2U);
  CAPTURE(workers);
  forgotten t(workers);
  t.f.submit(named("outer",
               [&t](int& v) {
                 flow inner(t.ex);
                 region r(inner, v);
                 inner.submit(
                   named("inner", [](int& w, int from) { w = from; }), write(r), t.never);
                 inner.wait();
               }),
    write(t.a));
  const std::string report = report_of([&] { t.f.wait(); });
  CAPTURE(report);
  CHECK(says(
    report, " waits for the launches of rondo::flow; the oldest is task 'inner', launched at "));
  CHECK(says(t.f.failed_launch(), "'inner'"));
}

TEST_CASE("the end of a flow that can't end gives its launches up as well") {
  if(!is_alone() || thread_sanitized) // a child has two threads of that
    return;
  const death how = process_that([] {
    forgotten t(2);
    t.f.submit(take, write(t.a), t.never);
  });
  CHECK(how.code == 0);
  CAPTURE(how.text);
  CHECK(says(how.text, "a launch failed and nobody waited for it: task 'take'"));
  CHECK(says(how.text, "waits for the value promised at "));
}

TEST_CASE("a promise that another thread keeps late is told of, and the wait goes on") {
  const unsigned workers = GENERATE(1U, 2U);
  const bool background = GENERATE(false, true);
  CAPTURE(workers, background);
  forgotten t(workers, background);
  const captured_stderr out;
  t.f.submit(take, write(t.a), t.never);
  t.f.submit(next, read(t.a), write(t.b));
  std::thread keeper([&] {
    for(int i = 0; i != 6000 && count(out.text(), "rondo: deadlock") == 0; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    t.p.set_value(7);
  });
  t.f.wait();
  keeper.join();
  CHECK(t.values == std::array{7, 7});
  const std::string text = out.text();
  CAPTURE(text);
  CHECK(count(text, "rondo: deadlock") == 1);
  CHECK(says(text, "the oldest is task 'take', launched at "));
  CHECK(says(text, ", which waits for a future that it was launched with\n"));
  CHECK(says(text, "goes on only if another thread"));
}
