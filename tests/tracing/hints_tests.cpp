// Launches with hints: which goes first, and where it runs; and that results are the same with and without.

#include <rondo/flow.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/core/pause.hpp>
#include <rondo/futures.hpp>

#include "core/configurations.hpp"
#include "ledger.hpp"
#include "random_programs.hpp"

using namespace rondo;
using random_programs::mix;

namespace {

constexpr launch_hints urgent{.priority = priority::high};
constexpr launch_hints unimportant{.priority = priority::low};

void wait_for(const std::atomic<bool>& flag) {
  while(!flag.load())
    std::this_thread::yield();
}

/// In which order launches run, where one worker runs them.
class order {
public:
  explicit order(std::size_t most) { all_.reserve(most); }
  auto note(int what) {
    return [this, what](const auto&...) { all_.push_back(what); };
  }
  [[nodiscard]] std::size_t of(int what) const {
    return static_cast<std::size_t>(std::find(all_.begin(), all_.end(), what) - all_.begin());
  }
  [[nodiscard]] std::size_t size() const { return all_.size(); }

private:
  std::vector<int> all_;
};

constexpr int many = 1000;

/// Before the first of many launches has ended, one more is launched: how many go before that?
template<class Launch>
std::size_t launches_before(Launch&& launch) {
  executor ex({.workers = 1, .background = true});
  flow f(ex);
  order o(many + 2);
  std::atomic<bool> is_launched{false};
  f.submit([&] { wait_for(is_launched); });
  for(int i = 0; i != many; ++i)
    f.submit(o.note(i));
  launch(f, o.note(many));
  is_launched = true;
  f.wait();
  CHECK(o.size() == many + 1);
  return o.of(many);
}

/// Each turn is in a hash, so that the order matters.
struct cells {
  explicit cells(flow& f, std::size_t n) : values(n, 1), expected(n, 1) {
    for(auto& v : values)
      regions.emplace_back(f, v, "cell");
  }
  std::vector<std::uint64_t> values, expected;
  std::deque<region<std::uint64_t>> regions;
};

/// Some with hints of each kind, some without.
launch_hints hints_of(std::uint64_t i) {
  static constexpr std::array all{launch_hints{}, urgent, unimportant, launch_hints{.worker = 0},
    launch_hints{.priority = priority::high, .worker = 1}, launch_hints{.worker = 2}};
  return all[mix(i, 5) % all.size()];
}

void step(flow& f, cells& c, std::uint64_t i) {
  const std::size_t n = c.values.size();
  const std::size_t from = i % n;
  const std::size_t to = (i + 1) % n;
  const auto body = [](const std::uint64_t& x, std::uint64_t& y) { y = mix(x, y); };
  if(i % 3 == 0)
    f.submit(named("step", body), read(c.regions[from]), write(c.regions[to]));
  else
    f.submit(hinted(hints_of(i), named("step", body)), read(c.regions[from]), write(c.regions[to]));
}
void expect_step(cells& c, std::uint64_t i) {
  const std::size_t n = c.values.size();
  c.expected[(i + 1) % n] = mix(c.expected[i % n], c.expected[(i + 1) % n]);
}

} // namespace

// ---- which goes first --------------------------------------------------------------------------

TEST_CASE("a launch of high priority runs before those that wait to be claimed") {
  // What the crew has claimed by then comes first.
  CHECK(launches_before([](flow& f, auto note) { f.submit(note); }) == many);
  CHECK(launches_before([](flow& f, auto note) { f.submit(hinted(urgent, note)); }) < many / 4);
}

TEST_CASE("a launch for a worker runs before those that wait to be claimed") {
  CHECK(
    launches_before([](flow& f, auto note) { f.submit(hinted({.worker = 0}, note)); }) < many / 4);
}

TEST_CASE("a launch of high priority goes on before others when what it waits for has come") {
  executor ex({.workers = 1, .background = true});
  flow f(ex);
  int value = 0;
  region r(f, value);
  order o(many + 2);
  std::atomic<bool> is_launched{false};
  f.submit([&] { wait_for(is_launched); });
  f.submit(o.note(many + 1), write(r));
  f.submit(hinted(urgent, o.note(many)), write(r));
  for(int i = 0; i != many; ++i)
    f.submit(o.note(i));
  is_launched = true;
  f.wait();
  CHECK(o.size() == many + 2);
  CHECK(o.of(many + 1) < o.of(many));
  CHECK(o.of(many) < many / 4);
}

TEST_CASE("a crew runs a launch of high priority that it lets go on before it claims many others") {
  constexpr int short_ones = 5000;
  constexpr int awaited = 200;
  constexpr int most_claimed = 64;
  executor ex(1);
  flow f(ex, {.window = 2 * short_ones});
  int value = 0;
  region r(f, value);
  order o(short_ones + 1);
  for(int i = 0; i != short_ones; ++i)
    if(i == awaited)
      f.submit(o.note(i), write(r));
    else
      f.submit(o.note(i));
  f.submit(hinted(urgent, o.note(short_ones)), read(r));
  f.wait();
  CHECK(o.of(short_ones) > o.of(awaited));
  CHECK(o.of(short_ones) <= awaited + 2 * most_claimed);
}

TEST_CASE("a launch of low priority that has waited goes on when nothing else is left") {
  executor ex({.workers = 1, .background = true});
  flow f(ex);
  int value = 0;
  region r(f, value);
  order o(many + 3);
  promise<int> p(ex);
  const future<int> given = p.get_future();
  f.submit(o.note(many), write(r), given);
  f.submit(hinted(unimportant, o.note(many + 1)), read(r));
  f.submit(hinted(unimportant, o.note(many + 2)), given);
  // Behind them: when it runs they have been begun, and wait.
  std::atomic<bool> are_waiting{false};
  f.submit(hinted(unimportant, [&] { are_waiting = true; }));
  wait_for(are_waiting);
  std::atomic<bool> is_launched{false};
  f.submit([&] { wait_for(is_launched); });
  for(int i = 0; i != many; ++i)
    f.submit(o.note(i));
  p.set_value(1);
  is_launched = true;
  f.wait();
  CHECK(o.size() == many + 3);
  CHECK(o.of(many) <= many);
  CHECK(o.of(many + 1) > many);
  CHECK(o.of(many + 2) > many);
}

TEST_CASE("a launch of low priority runs when nothing else is left") {
  for(const bool background : {false, true}) {
    executor ex({.workers = 1, .background = background});
    flow f(ex);
    order o(many + 1);
    std::atomic<bool> is_launched{!background};
    f.submit([&] { wait_for(is_launched); });
    f.submit(hinted(unimportant, o.note(many)));
    for(int i = 0; i != many; ++i)
      f.submit(o.note(i));
    is_launched = true;
    f.wait();
    CHECK(o.size() == many + 1);
    CHECK(o.of(many) == many);
  }
}

TEST_CASE("a crew that comes to a task of high priority lets that run first") {
  executor ex({.workers = 1, .background = true});
  flow f(ex);
  order o(many + 2);
  std::atomic<bool> is_launched{false};
  f.submit([&] { wait_for(is_launched); });
  for(int i = 0; i != many; ++i)
    f.submit(o.note(i));
  f.submit(hinted(unimportant, o.note(many + 1)));
  ex.submit({.priority = priority::high}, [note = o.note(many)] { note(); });
  is_launched = true;
  f.wait();
  ex.wait();
  CHECK(o.size() == many + 2);
  CHECK(o.of(many) < many / 4);
  CHECK(o.of(many + 1) == many + 1);
}

TEST_CASE("a launch runs on the worker that it is for, if all are busy") {
  for(int round = 0; round != 20; ++round) {
    executor ex({.workers = 2, .background = true});
    flow f(ex);
    std::atomic<int> busy{0};
    std::atomic<bool> is_launched{false};
    for(int i = 0; i != 2; ++i)
      ex.submit([&] {
        ++busy;
        wait_for(is_launched);
      });
    while(busy != 2)
      std::this_thread::yield();
    // Each waits for the other one, so none can run both.
    std::atomic<int> begun{0};
    std::array<unsigned, 2> ran_on{7, 7};
    for(unsigned w = 0; w != 2; ++w)
      f.submit(hinted({.worker = static_cast<int>(w)}, [&, w] {
        ran_on[w] = this_worker()->index();
        ++begun;
        while(begun != 2)
          std::this_thread::yield();
      }));
    is_launched = true;
    f.wait();
    CHECK(ran_on == std::array<unsigned, 2>{0, 1});
    ex.wait();
  }
}

// ---- what they do to results: nothing ----------------------------------------------------------

TEST_CASE("results are the same with hints") {
  FOR_EACH_CONFIGURATION(options);
  for(const std::size_t window : {1, 3, 8, 200, 4096}) {
    CAPTURE(window);
    executor ex(options);
    flow f(ex, {.window = window});
    cells c(f, 5);
    for(std::uint64_t i = 0; i != 700; ++i) {
      step(f, c, mix(i, 3) % 1000);
      expect_step(c, mix(i, 3) % 1000);
    }
    f.wait();
    CHECK(c.values == c.expected);
    // The flow goes on.
    step(f, c, 1);
    expect_step(c, 1);
    f.wait(c.regions[2]);
    CHECK(c.values[2] == c.expected[2]);
  }
}

TEST_CASE("a flow of one launch with hints") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  for(const launch_hints h : {urgent, unimportant, launch_hints{.worker = 0}})
    for(int i = 0; i != 50; ++i) {
      flow f(ex);
      int value = 0;
      region r(f, value);
      f.submit(hinted(h, [](int& x) { ++x; }), write(r));
      f.wait();
      CHECK(value == 1);
    }
}

TEST_CASE("a worker that there is not says nothing") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  flow f(ex);
  int value = 0;
  region r(f, value);
  for(const int w : {-1000, -1, static_cast<int>(ex.workers()), 100'000})
    for(const priority p : {priority::high, priority::normal, priority::low})
      f.submit(hinted({.priority = p, .worker = w}, [](int& x) { ++x; }), write(r));
  f.wait();
  CHECK(value == 12);
}

TEST_CASE("all kinds of launches may have hints") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  flow f(ex);
  std::int64_t value = 0;
  std::int64_t sum = 0;
  region r(f, value, "value");
  region s(f, sum, "sum");
  promise<int> p(ex);
  const future<int> later = p.get_future();
  std::atomic<int> listed{0};
  std::atomic<int> kept_whole{0};
  for(const launch_hints h : {urgent, unimportant, launch_hints{.worker = 1}}) {
    f.submit(hinted(h, [](std::int64_t& x, int by) { x += by; }), write(r), later);
    for(int i = 0; i != 10; ++i) {
      f.submit(hinted(h, [](std::int64_t& x) { ++x; }), commute(r));
      f.submit(hinted(h, [](std::int64_t& x) { x += 2; }), reduce(s));
      f.submit(hinted(h, [](std::int64_t& x) { std::atomic_ref(x).fetch_add(1); }), write_part(r));
      f.submit(hinted(h, [&] { ++listed; }), std::vector<region_access>{read(r), write(s)});
      f.submit(hinted(h, ends_later("later",
                           [](completion done, std::int64_t& x) {
                             ++x;
                             done();
                           })),
        write(r));
      f.submit(hinted(h, [&kept_whole, kept = std::string(100, 'x')] {
        kept_whole += kept == std::string(100, 'x') ? 1 : 0;
      }));
    }
    const future<std::int64_t> now =
      f.submit(hinted(h, named("now", [](const std::int64_t& x) { return x; })), read(r));
    f.submit(hinted(h, [](std::int64_t& x, std::int64_t by) { x += by; }), write(s), now);
    f.submit(hinted(h,
               [&ex](std::int64_t& x) {
                 flow inner(ex);
                 region rx(inner, x);
                 inner.submit(hinted(urgent, [](std::int64_t& y) { ++y; }), write(rx));
                 inner.wait();
               }),
      write(r));
  }
  p.set_value(5);
  f.wait();
  // Each turn adds 36 to the first, and what that is before the last one to the second, and 20.
  CHECK(value == 3 * 36);
  CHECK(sum == 3 * 20 + (35 + 71 + 107));
  CHECK(listed == 30);
  CHECK(kept_whole == 30);
}

TEST_CASE("several flows with hints, in tasks and from threads") {
  executor ex(3);
  std::atomic<std::uint64_t> right{0};
  const auto program = [&ex, &right](std::uint64_t seed) {
    flow f(ex, {.window = 32});
    cells c(f, 3);
    for(std::uint64_t i = 0; i != 200; ++i) {
      step(f, c, mix(seed, i) % 1000);
      expect_step(c, mix(seed, i) % 1000);
    }
    f.wait();
    right += c.values == c.expected ? 1 : 0;
  };
  std::thread one([&] { program(1); });
  std::thread two([&] { program(2); });
  {
    flow outer(ex);
    for(std::uint64_t i = 0; i != 20; ++i)
      outer.submit(hinted(hints_of(i), [&program, i] { program(3 + i); }));
    outer.wait();
  }
  one.join();
  two.join();
  CHECK(right == 22);
}

// ---- failing -----------------------------------------------------------------------------------

TEST_CASE("a launch with hints that fails ends the flow, and is told of by its name") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  flow f(ex);
  int value = 0;
  region r(f, value);
  for(int round = 0; round != 3; ++round) {
    f.submit([](int& x) { x = 1; }, write(r));
    const future<int> failed = f.submit(
      hinted(urgent, named("factor", [](int&) -> int { throw std::runtime_error("singular"); })),
      write(r));
    const future<int> skipped = f.submit(hinted(urgent, [](int& x) { return x = 2; }), write(r));
    f.submit(hinted(unimportant, [](int& x) { x = 3; }), write(r));
    f.submit([](int& x) { x = 4; }, write(r));
    CHECK_THROWS_WITH(f.wait(), "singular");
    CHECK(f.last_failed_launch().find("'factor'") != std::string::npos);
    CHECK(value == 1);
    CHECK_THROWS_WITH(failed.get(), "singular");
    CHECK_THROWS_AS(skipped.get(), cancelled);
    f.submit(hinted(urgent, [](int& x) { x = 5; }), write(r));
    f.wait();
    CHECK(value == 5);
  }
}

TEST_CASE("of several that fail the first one of the program is thrown, whatever runs first") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  flow f(ex);
  f.submit(hinted(unimportant, [] { throw std::runtime_error("first"); }));
  for(int i = 0; i != 100; ++i)
    f.submit([] {});
  int value = 0;
  region r(f, value);
  f.submit(hinted(urgent, [](int&) { throw std::runtime_error("second"); }), write(r));
  CHECK_THROWS_WITH(f.wait(), "first");
}

// ---- traces and loops --------------------------------------------------------------------------

TEST_CASE("launches with hints are replayed") {
  FOR_EACH_CONFIGURATION(options);
  for(const std::size_t window : {8, 4096}) {
    executor ex(options);
    flow f(ex, {.window = window});
    cells c(f, 6);
    trace t(f);
    for(int pass = 0; pass != 60; ++pass) {
      const auto guard = t.make_guard();
      for(std::uint64_t i = 0; i != 18; ++i) {
        step(f, c, i);
        expect_step(c, i);
      }
    }
    f.wait();
    CHECK(c.values == c.expected);
    CHECK(t.statistics().replayed == 59);
  }
}

TEST_CASE("launches with hints in lanes, and shared ones behind them") {
  executor ex({.workers = 2, .shares_cores = false});
  flow f(ex);
  cells c(f, 16);
  trace t(f);
  const auto touch = [&c](std::size_t i) {
    c.expected[i] = mix(c.expected[i], i);
    return [i](std::uint64_t& x) { x = mix(x, i); };
  };
  for(int round = 0; round != 5; ++round) {
    for(int pass = 0; pass != 100; ++pass) {
      const auto guard = t.make_guard();
      for(std::size_t i = 0; i != 16; ++i)
        if(i % 5 == 0)
          f.submit(hinted(hints_of(i + 1), touch(i)), write(c.regions[i]));
        else
          f.submit(touch(i), write(c.regions[i]));
    }
    for(std::uint64_t i = 0; i != 300; ++i) {
      step(f, c, i % 7);
      expect_step(c, i % 7);
    }
    if(round % 2 == 0)
      f.wait();
  }
  f.wait();
  CHECK(c.values == c.expected);
  CHECK(t.statistics().replayed > 400);
}

TEST_CASE("hints in loops that end by themselves, and in what runs on a condition") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  flow f(ex, {.window = 64});
  std::int64_t value = 0;
  std::int64_t other = 0;
  region r(f, value);
  region o(f, other);
  const future<std::uint64_t> passes = f.iterate(
    [&] {
      f.submit(hinted(unimportant, [](std::int64_t& x) { ++x; }), write(r));
      f.submit(
        hinted(urgent, [](const std::int64_t& x, std::int64_t& y) { y += x; }), read(r), write(o));
      const future<bool> is_odd =
        f.submit(hinted(urgent, [](const std::int64_t& x) { return x % 2 == 1; }), read(r));
      f.when(is_odd, [&] {
        f.submit(hinted({.worker = 1}, [](std::int64_t& y) { y += 1000; }), write(o));
        f.submit(hinted(urgent, [](std::int64_t& y) { y += 1000; }), write(o));
      });
      return f.submit(hinted(urgent, [](const std::int64_t& x) { return x == 50; }), read(r));
    },
    {.max = 1000});
  f.submit(hinted(urgent, [](std::int64_t& x) { x *= 2; }), write(r));
  f.wait();
  CHECK(passes.get() == 50);
  CHECK(value == 100);
  CHECK(other == 50 * 51 / 2 + 25 * 2000);
}

TEST_CASE("hints in a loop that is kept do nothing, and its results are right") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  flow f(ex);
  cells c(f, 4);
  std::int64_t outside = 0;
  region o(f, outside);
  promise<int> p(ex);
  const future<int> given = p.get_future();
  f.submit(hinted(urgent, [](std::uint64_t& x) { x = 7; }), write(c.regions[0]));
  f.submit(hinted(unimportant, [](std::int64_t& x) { ++x; }), write(o));
  c.expected[0] = 7;
  f.repeat(200, [&] {
    for(std::uint64_t i = 0; i != 8; ++i)
      step(f, c, i);
    f.submit(hinted(urgent, [](std::int64_t& x, int by) { x += by; }), write(o), given);
  });
  for(int pass = 0; pass != 200; ++pass)
    for(std::uint64_t i = 0; i != 8; ++i)
      expect_step(c, i);
  f.submit(hinted(urgent, [](std::int64_t& x) { x *= 2; }), write(o));
  p.set_value(3);
  f.wait();
  CHECK(c.values == c.expected);
  CHECK(outside == 2 * (1 + 600));
}

TEST_CASE("hints in the body of a repeat that is called for each pass") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  flow f(ex);
  cells c(f, 4);
  std::uint64_t answers = 0;
  f.repeat(20, [&] {
    for(std::uint64_t i = 0; i != 8; ++i)
      step(f, c, i);
    answers +=
      f.submit(hinted(urgent, [](const std::uint64_t& x) { return x | 1U; }), read(c.regions[0]))
        .get() &
      1U;
  });
  for(int pass = 0; pass != 20; ++pass)
    for(std::uint64_t i = 0; i != 8; ++i)
      expect_step(c, i);
  f.wait();
  CHECK(c.values == c.expected);
  CHECK(answers == 20);
}

// ---- observers ---------------------------------------------------------------------------------

TEST_CASE("launches with hints are told as others are") {
  for(const unsigned workers : {1U, 2U, 4U}) {
    CAPTURE(workers);
    executor ex(workers);
    ledger told;
    ex.attach(told);
    {
      flow f(ex, {.find_repeats = false});
      cells c(f, 4);
      trace t(f);
      for(int pass = 0; pass != 20; ++pass) {
        const auto guard = t.make_guard();
        for(std::uint64_t i = 0; i != 15; ++i)
          step(f, c, i);
      }
      f.wait();
    }
    ex.detach(told);
    CHECK(told.launches.size() == 300);
    CHECK(told.is_complete());
  }
}
