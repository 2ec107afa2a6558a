#include <atomic>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/flow.hpp>
#include <rondo/futures.hpp>

#include "core/configurations.hpp"

using namespace rondo;
using Catch::Matchers::Contains;

namespace {

/// Halves a number until it is small; returns how the blocking loop ends.
struct halving {
  double value = 1024;
  int passes = 0;
};

halving halve_blocking(double until, std::uint64_t lag) {
  halving h;
  std::vector<bool> answers;
  for(std::uint64_t pass = 0;; ++pass) {
    h.value /= 2;
    ++h.passes;
    answers.push_back(h.value < until);
    if(pass >= lag && answers[pass - lag])
      return h;
  }
}

} // namespace

TEST_CASE("iterate ends where the loop that waits does") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  for(const std::uint64_t lag : {0, 1, 3}) {
    flow f(ex);
    halving h;
    region r(f, h);
    future<std::uint64_t> passes = f.iterate(
      [&] {
        f.submit([](halving& x) { x.value /= 2; }, write(r));
        f.submit([](halving& x) { ++x.passes; }, write(r));
        return f.submit([](const halving& x) { return x.value < 1; }, read(r));
      },
      {.lag = lag});
    f.submit([](halving& x) { x.value += 1; }, write(r)); // after the loop
    f.wait();
    const halving expected = halve_blocking(1, lag);
    CHECK(h.value == expected.value + 1);
    CHECK(h.passes == expected.passes);
    CHECK(passes.get() == static_cast<std::uint64_t>(expected.passes));
  }
}

TEST_CASE("iterate ends at the most passes allowed") {
  executor ex(2);
  flow f(ex);
  int runs = 0;
  region r(f, runs);
  for(const std::uint64_t most : {0, 1, 7}) {
    runs = 0;
    const auto passes = f.iterate(
      [&](std::uint64_t pass) {
        return f.submit(
          [pass](int& n) {
            CHECK(static_cast<std::uint64_t>(n) == pass);
            ++n;
            return false;
          },
          write(r));
      },
      {.max = most});
    CHECK(passes.get() == most);
    f.wait();
    CHECK(static_cast<std::uint64_t>(runs) == most);
  }
}

TEST_CASE("iterate launches ahead of the answers") {
  executor ex(executor_options{.workers = 2, .background = true});
  flow f(ex);
  promise<bool> first(ex);
  std::atomic<int> launched{0};
  std::atomic<int> runs{0};
  // The answer of the first pass is given when the third one has been launched.
  const auto passes = f.iterate(
    [&](std::uint64_t pass) {
      f.submit([&runs] { ++runs; });
      if(++launched == 3)
        first.set_value(true);
      return pass == 0 ? first.get_future() : make_ready(false);
    },
    {.max = 1000});
  CHECK(passes.get() == 1);
  CHECK(runs == 1);
}

TEST_CASE("futures of passes after the end are cancelled") {
  executor ex(2);
  flow f(ex);
  promise<bool> stop(ex);
  std::vector<future<int>> values;
  const auto passes = f.iterate(
    [&](std::uint64_t pass) {
      values.push_back(f.submit([] { return 1; }));
      if(pass == 5)
        stop.set_value(true);
      return pass == 0 ? stop.get_future() : make_ready(false);
    },
    {.max = 6});
  f.wait();
  CHECK(passes.get() == 1);
  CHECK(values[0].get() == 1);
  for(std::size_t i = 1; i != values.size(); ++i)
    CHECK_THROWS_AS(values[i].get(), cancelled);
}

TEST_CASE("a failure ends the loop and is thrown by wait") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  flow f(ex);
  int value = 0;
  region r(f, value);
  f.iterate([&] {
     return f.submit(
       [](int& v) {
         if(++v == 10)
           throw std::runtime_error("pass 9");
         return false;
       },
       write(r));
   })
    .wait();
  CHECK_THROWS_WITH(f.wait(), "pass 9");
  CHECK(value == 10);
}

TEST_CASE("what the body throws leaves the flow as it was") {
  executor ex(2);
  flow f(ex);
  int value = 0;
  region r(f, value);
  const auto body = [&](std::uint64_t pass) {
    if(pass == 3)
      throw std::runtime_error("no more launches");
    return f.submit([](int& v) { return ++v < 0; }, write(r));
  };
  CHECK_THROWS_WITH(f.iterate(body), "no more launches");
  f.submit([](int& v) { v += 100; }, write(r));
  f.wait();
  CHECK(value == 103);
}

TEST_CASE("long loops need no more memory than short ones") {
  executor ex(2);
  flow f(ex, {.window = 64});
  long value = 0;
  region r(f, value);
  const auto passes =
    f.iterate([&] { return f.submit([](long& v) { return ++v == 50'000; }, write(r)); });
  CHECK(passes.get() == 50'000);
  f.wait();
  CHECK(value == 50'000);
}
