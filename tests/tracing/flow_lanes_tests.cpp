// Launches that are replayed go to lanes, if there is one for each of several workers. The result
// is that of the program, whatever happens to workers that run them, and whatever is launched in between.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/flow.hpp>
#include <rondo/futures.hpp>

#include "clerk.hpp"
#include "random_programs.hpp"
#include "ring.hpp"

using namespace rondo;
using namespace ring_program;

namespace {

void make(std::uint64_t own, std::uint64_t right, std::uint64_t left, std::uint64_t& result) {
  result = mixed(own, right, left);
}

} // namespace

TEST_CASE("a trace says how many lanes it has") {
  ring points(8);
  points.replay(4, make);
  CHECK_THAT(points.trace_text(), Catch::Contains("in 2 lanes"));
}

TEST_CASE(
  "where workers share cores, launches don't go to lanes, which would wait for each other") {
  executor ex(executor_options{.workers = 2, .shares_cores = true});
  flow f(ex);
  std::vector<long> values(4, 0);
  std::deque<region<long>> regions;
  for(long& v : values)
    regions.emplace_back(f, v);
  trace t("shared");
  for(int pass = 0; pass != 10; ++pass) {
    const auto guard = t.make_guard(f);
    for(auto& r : regions)
      f.submit([](long& x) { ++x; }, write(r));
  }
  f.wait();
  CHECK(values == std::vector<long>(4, 10));
  CHECK_THAT(t.text(), !Catch::Contains("lanes"));
}

TEST_CASE("replayed launches in lanes have the result of the program") {
  const unsigned workers = GENERATE(2U, 3U, 4U);
  const std::size_t width = GENERATE(2U, 5U, 16U);
  const bool is_traced = GENERATE(true, false);
  CAPTURE(workers, width, is_traced);
  constexpr std::uint64_t passes = 1500;
  ring points(width, workers);
  const auto task = sleeping(1024);
  const auto result = is_traced ? points.replay(passes, task) : points.launch(passes, task);
  CHECK(result == by_hand(width, passes));
  if(!is_traced && width == 16) // long enough to be found
    CHECK(points.flow().repeats().passes > 0);
}

TEST_CASE("a plain loop has lanes wherever in its step it was found") {
  const std::size_t width = GENERATE(4U, 16U);
  // The more comes before it, the later it is looked for.
  const int before = GENERATE(range(0, 8));
  CAPTURE(width, before);
  ring points(width);
  flow& f = points.flow();
  std::uint64_t other = 0;
  region r(f, other);
  for(int i = 0; i != before; ++i)
    f.submit([](std::uint64_t& x) { ++x; }, write(r));
  CHECK(points.launch(200, make) == by_hand(width, 200));
  CHECK(f.repeats().passes > 0);
  CHECK(f.repeats().lanes == 2);
}

TEST_CASE("launches that say what they work on have the result of the program") {
  const unsigned workers = GENERATE(1U, 2U, 3U, 4U);
  const std::size_t window = GENERATE(64U, 4096U);
  const bool repeats = GENERATE(true, false);
  CAPTURE(workers, window, repeats);
  constexpr std::size_t cells = 24;
  constexpr int passes = 40;
  executor ex(executor_options{.workers = workers, .shares_cores = false});
  flow f(ex, {.window = window});
  std::vector<std::uint64_t> values(cells, 1), expected = values;
  std::deque<region<std::uint64_t>> regions;
  for(std::uint64_t& v : values)
    regions.emplace_back(f, v);
  random_programs::dice chance(workers + window);
  for(int pass = 0; pass != passes; ++pass) {
    random_programs::dice of_pass(repeats ? 1 : pass);
    if(chance.one_in(10))
      f.wait();
    for(int i = 0; i != 100; ++i) {
      const std::size_t to = of_pass.below(cells), one = of_pass.below(cells);
      // Mostly what is written, sometimes something else, or nothing.
      if(!of_pass.one_in(4))
        f.work_on(to, cells);
      else if(of_pass.one_in(2))
        f.work_on(of_pass.below(7), 7);
      else
        f.work_on(0, 0);
      if(to == one || of_pass.one_in(3)) {
        f.submit([](std::uint64_t& x) { x = 5 * x + 1; }, write(regions[to]));
        expected[to] = 5 * expected[to] + 1;
        continue;
      }
      f.submit([](const std::uint64_t& y, std::uint64_t& x) { x = 3 * x + y; }, read(regions[one]),
        write(regions[to]));
      expected[to] = 3 * expected[to] + expected[one];
    }
  }
  f.wait();
  CHECK(values == expected);
}

TEST_CASE("what works on a part is run though the worker that has it is kept from working") {
  std::atomic<bool> is_over{false}, is_kept{false};
  executor ex(executor_options{.workers = 2, .shares_cores = false});
  flow f(ex);
  ex.submit([&] {
    is_kept = true;
    while(!is_over)
      std::this_thread::sleep_for(std::chrono::microseconds(100));
  });
  while(!is_kept)
    std::this_thread::yield();
  std::vector<std::uint64_t> values(4, 0);
  std::deque<region<std::uint64_t>> regions;
  for(std::uint64_t& v : values)
    regions.emplace_back(f, v);
  for(int i = 0; i != 20'000; ++i) {
    const auto which = static_cast<std::size_t>(i) % 4;
    f.work_on(which, 4);
    f.submit([](std::uint64_t& x) { ++x; }, write(regions[which]));
  }
  f.wait();
  CHECK(values == std::vector<std::uint64_t>(4, 5'000));
  is_over = true;
}

TEST_CASE("lanes may be more or less than the executor has workers later") {
  ring points(12, 2);
  std::vector<std::uint64_t> result = points.replay(300, make);
  for(const unsigned workers : {4U, 1U, 3U}) {
    points.home().resize(workers);
    result = points.replay(300, make);
  }
  CHECK(result == by_hand(12, 1200));
}

TEST_CASE("one worker runs all lanes if the other one is kept from working") {
  std::atomic<bool> is_over{false};
  ring points(8, 2);
  std::atomic<bool> is_kept{false};
  points.home().submit([&] {
    is_kept = true;
    while(!is_over)
      std::this_thread::sleep_for(std::chrono::microseconds(100));
  });
  while(!is_kept)
    std::this_thread::yield();
  CHECK(points.replay(2000, make) == by_hand(8, 2000));
  is_over = true;
}

TEST_CASE("tasks in lanes may leave their stack, and end later") {
  constexpr std::uint64_t passes = 300;
  clerk elsewhere;
  ring points(8, 3);
  const auto ends =
    ends_later("later", [&elsewhere](completion done, std::uint64_t own, std::uint64_t right,
                          std::uint64_t left, std::uint64_t& result) {
      result = mixed(own, right, left);
      if(result % 16 == 0)
        elsewhere.hand(done);
      else
        done();
    });
  CHECK(points.replay(passes, waiting(points.home())) == by_hand(8, passes));
  ring others(8, 3);
  CHECK(others.replay(passes, ends) == by_hand(8, passes));
}

TEST_CASE("other launches come between those of lanes") {
  const unsigned workers = GENERATE(2U, 4U);
  constexpr std::size_t width = 6;
  constexpr std::uint64_t passes = 1000;
  CAPTURE(workers);
  ring points(width, workers);
  flow& f = points.flow();
  std::uint64_t sum = 0;
  std::uint64_t expected = 0;
  std::optional<region<std::uint64_t>> total(std::in_place, f, sum);
  random_programs::dice dice(workers);
  std::vector<std::pair<future<std::uint64_t>, std::uint64_t>> answers;
  std::uint64_t pass = 0;
  const auto between = [&](std::uint64_t) {
    ++pass;
    const std::size_t which = dice.below(width);
    const auto value = [&] { return by_hand(width, pass)[which]; };
    switch(dice.below(16)) {
    case 0: // not of the trace
      f.submit([](std::uint64_t x, std::uint64_t& s) { s = 3 * s + x; }, read(points.point(which)),
        write(*total));
      expected = 3 * expected + value();
      break;
    case 1: // so many that they fill a batch
      for(int i = 0; i != 100; ++i)
        f.submit([](std::uint64_t& s) { s += 1; }, write(*total));
      expected += 100;
      break;
    case 2: // waits for launches in lanes, and goes on in a task
      answers.emplace_back(
        f.submit([](std::uint64_t x) { return x + 1; }, read(points.point(which))), value() + 1);
      break;
    case 3: {
      auto x = f.submit([](std::uint64_t v) { return v; }, read(points.point(which)));
      f.submit(
        [](std::uint64_t v, std::uint64_t& s) { s = 5 * s + v; }, std::move(x), write(*total));
      expected = 5 * expected + value();
      break;
    }
    case 4:
      f.wait(points.point(which));
      break;
    case 5:
      f.wait();
      break;
    case 6: // a region ends, and another one begins
      f.wait(*total);
      total.reset();
      total.emplace(f, sum);
      break;
    default:
      break;
    }
  };
  CHECK(points.replay(passes, make, between) == by_hand(width, passes));
  CHECK(sum == expected);
  for(auto& [answer, right] : answers)
    CHECK(answer.get() == right);
}

TEST_CASE("a task in a lane that fails ends the flow, and the flow begins anew") {
  ring points(8, 2);
  std::atomic<std::uint64_t> calls{0};
  const auto task = [&](std::uint64_t own, std::uint64_t right, std::uint64_t left,
                      std::uint64_t& result) {
    result = mixed(own, right, left);
    if(++calls == 5000)
      throw std::runtime_error("one of many");
  };
  CHECK_THROWS_WITH(points.replay(2000, task), "one of many");
  const std::uint64_t before = calls;
  CHECK(before >= 5000);
  CHECK_NOTHROW(points.replay(10, task));
  CHECK(calls == before + 160);
}

TEST_CASE("loops that end when a task says so run in lanes") {
  ring points(8, 2);
  flow& f = points.flow();
  std::uint64_t passes = 0;
  region count(f, passes);
  trace t("loop");
  future<std::uint64_t> ran = f.iterate(t, [&] {
    points.launch_pass(make);
    return f.submit([](std::uint64_t& n) { return ++n == 700; }, write(count));
  });
  f.wait();
  CHECK(ran.get() == 700);
  CHECK(points.launch(0, make) == by_hand(8, 700));
}

TEST_CASE("a task takes up what all lanes have made, pass after pass") {
  // It has that as a future. A crew looks for such a task before it waits for another lane, which waits for the task.
  const unsigned workers = GENERATE(2U, 3U);
  const bool is_traced = GENERATE(true, false);
  CAPTURE(workers, is_traced);
  constexpr std::uint64_t passes = 2000;
  executor ex(executor_options{.workers = workers, .shares_cores = false});
  std::uint64_t points[2][2] = {{1, 2}, {0, 0}}, parts[2] = {}, seen = 0;
  {
    flow f(ex);
    std::deque<region<std::uint64_t>> at[2], part;
    for(int i = 0; i != 2; ++i) {
      at[0].emplace_back(f, points[0][i]);
      at[1].emplace_back(f, points[1][i]);
      part.emplace_back(f, parts[i]);
    }
    region all(f, seen);
    trace t("sums");
    for(std::uint64_t pass = 0; pass != passes; ++pass) {
      std::optional<trace::guard> guard;
      if(is_traced)
        guard.emplace(t, f);
      for(std::size_t sweep = 0; sweep != 4; ++sweep)
        for(std::size_t i = 0; i != 2; ++i)
          f.submit([](std::uint64_t& next, std::uint64_t own,
                     std::uint64_t other) { next = mixed(own, other, own); },
            write(at[1 - sweep % 2][i]), read(at[sweep % 2][i]), read(at[sweep % 2][1 - i]));
      for(std::size_t i = 0; i != 2; ++i)
        f.submit([](std::uint64_t& p, std::uint64_t own) { p = own % 1000; }, write(part[i]),
          read(at[0][i]));
      future<std::uint64_t> sum = f.submit(
        [](std::uint64_t a, std::uint64_t b) { return a + b; }, read(part[0]), read(part[1]));
      f.submit(
        [](std::uint64_t& n, std::uint64_t s) { n = 5 * n + s; }, write(all), std::move(sum));
    }
    f.wait();
    if(is_traced && workers == 2)
      CHECK_THAT(t.text(), Catch::Contains("in 2 lanes"));
  }
  std::uint64_t now[2] = {1, 2}, expected = 0;
  for(std::uint64_t pass = 0; pass != passes; ++pass) {
    for(int sweep = 0; sweep != 4; ++sweep) {
      const std::uint64_t before[2] = {now[0], now[1]};
      for(int i = 0; i != 2; ++i)
        now[i] = mixed(before[i], before[1 - i], before[i]);
    }
    expected = 5 * expected + now[0] % 1000 + now[1] % 1000;
  }
  CHECK(points[0][0] == now[0]);
  CHECK(points[0][1] == now[1]);
  CHECK(seen == expected);
}
