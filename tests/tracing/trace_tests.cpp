#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/flow.hpp>
#include <rondo/futures.hpp>

#include "core/configurations.hpp"
#include "trace_support.hpp"

using namespace rondo;

TEST_CASE("the first pass is recorded and the others are replayed, each with its own arguments") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  twin p(ex, 5);
  trace t(p.home());
  for(std::uint64_t pass = 0; pass != 200; ++pass) {
    const auto guard = t.make_guard();
    p.steps(0, 5, 10 * pass);
    p.turn(2, pass);
  }
  CHECK(p.is_right());
  const trace_statistics s = t.statistics();
  CHECK(s.passes == 200);
  CHECK(s.recorded == 1);
  CHECK(s.replayed == 199);
  CHECK(s.diverged == 0);
  CHECK(s.skipped == 0);
  CHECK(s.blocked == 0);
  CHECK(s.launches == 6);
  CHECK(s.templates == 1);
  CHECK_FALSE(s.is_off);
}

TEST_CASE("replayed launches go through small windows") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  for(const std::size_t window : {1, 2, 3, 7, 64}) {
    twin p(ex, 4, {.window = window});
    trace t(p.home());
    for(std::uint64_t pass = 0; pass != 60; ++pass) {
      const auto guard = t.make_guard();
      p.steps(0, 4, pass);
    }
    CHECK(p.is_right());
    CHECK(t.statistics().replayed == 59);
  }
}

TEST_CASE("functions of one type are one launch, and each pass runs its own") {
  executor ex(2);
  flow f(ex);
  using function = void (*)(int&);
  const function add_one = [](int& x) { x += 1; };
  const function twice = [](int& x) { x *= 2; };
  int value = 0;
  int expected = 0;
  region r(f, value);
  trace t(f);
  for(int pass = 0; pass != 20; ++pass) {
    const auto guard = t.make_guard();
    const function now = pass % 3 == 0 ? twice : add_one;
    f.submit(now, write(r));
    now(expected);
  }
  f.wait();
  CHECK(value == expected);
  CHECK(t.statistics().replayed == 19);
}

TEST_CASE("results of replayed launches are futures, and futures of any pass are arguments") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  flow f(ex);
  std::uint64_t value = 1;
  std::uint64_t expected = 1;
  region r(f, value);
  trace t(f);
  future<std::uint64_t> before = make_ready(std::uint64_t{7});
  std::uint64_t known_before = 7;
  std::vector<future<std::uint64_t>> results;
  std::vector<std::uint64_t> known;
  for(std::uint64_t pass = 0; pass != 50; ++pass) {
    const auto guard = t.make_guard();
    // Of the pass before.
    f.submit([](std::uint64_t& x, std::uint64_t v) { x = x * 3 + v; }, write(r), before);
    expected = expected * 3 + known_before;
    before = f.submit([pass](const std::uint64_t& x) { return x ^ pass; }, read(r));
    known_before = expected ^ pass;
    // Of the same pass, without a region.
    results.push_back(f.submit([](future<std::uint64_t> v) { return v.get() + 1; }, before));
    known.push_back(known_before + 1);
    f.submit([](std::uint64_t& x, std::uint64_t v) { x += v; }, write(r), results.back());
    expected += known_before + 1;
  }
  f.wait();
  CHECK(value == expected);
  for(std::size_t i = 0; i != results.size(); ++i)
    CHECK(results[i].get() == known[i]);
  CHECK(t.statistics().replayed == 49);
}

TEST_CASE("replayed launches wait for futures that come later") {
  executor ex(executor_options{.workers = 2, .background = true});
  flow f(ex);
  std::string text;
  region r(f, text);
  trace t(f);
  std::vector<promise<std::string>> gates;
  for(int pass = 0; pass != 5; ++pass)
    gates.emplace_back(ex);
  for(int pass = 0; pass != 5; ++pass) {
    const auto guard = t.make_guard();
    f.submit([](std::string& x, const std::string& v) { x += v; }, write(r),
      gates[static_cast<std::size_t>(pass)].get_future());
    f.submit([](std::string& x) { x += "."; }, write(r));
  }
  for(std::size_t i = gates.size(); i-- != 0;)
    gates[i].set_value(std::to_string(i));
  f.wait();
  CHECK(text == "0.1.2.3.4.");
  CHECK(t.statistics().replayed == 4);
}

TEST_CASE("replayed launches that commute have the region one at a time") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  flow f(ex);
  long a = 0;
  long b = 0;
  std::atomic<int> wrong{0};
  region ra(f, a);
  region rb(f, b);
  trace t(f);
  constexpr long passes = 100;
  for(long pass = 0; pass != passes; ++pass) {
    const auto guard = t.make_guard();
    f.submit([&wrong, pass](const long& x) { wrong += x == 5 * pass ? 0 : 1; }, read(ra));
    for(int i = 0; i != 3; ++i) {
      f.submit([](long& x) { ++x; }, commute(ra));
      f.submit([](long& y) { ++y; }, commute(rb));
    }
    f.submit([](long& x, long& y) { ++x, ++y; }, commute(ra), commute(rb));
    f.submit([](long& y, long& x) { ++x, ++y; }, commute(rb), commute(ra));
  }
  f.wait();
  CHECK(a == 5 * passes);
  CHECK(b == 5 * passes);
  CHECK(wrong == 0);
  CHECK(t.statistics().replayed == passes - 1);
}

TEST_CASE("replayed reductions are folded in the order of the launches") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  flow f(ex);
  struct append {
    std::string identity(const std::string&) const { return {}; }
    void operator()(std::string& into, const std::string& part) const { into += part; }
  };
  std::string text;
  std::string other;
  region r(f, text);
  region o(f, other);
  trace t(f);
  std::string expected;
  std::string expected_other;
  // Something between the reductions of two passes, or nothing.
  const bool closes = GENERATE(false, true);
  for(int pass = 0; pass != 40; ++pass) {
    const auto guard = t.make_guard();
    for(int i = 0; i != 5; ++i) {
      f.submit(
        [=](std::string& part) { part = std::to_string(pass) + "." + std::to_string(i) + " "; },
        reduce(r, append{}));
      expected += std::to_string(pass) + "." + std::to_string(i) + " ";
    }
    f.submit(
      [](std::string& x, std::string& y) {
        x = "a";
        y = "b";
      },
      reduce(r, append{}), reduce(o, append{}));
    expected += "a";
    expected_other += "b";
    if(closes) {
      f.submit([](std::string& x) { x += "|"; }, write(r));
      expected += "|";
    }
  }
  f.wait();
  CHECK(text == expected);
  CHECK(other == expected_other);
  CHECK(t.statistics().replayed == 39);
}

TEST_CASE("later passes run before earlier ones have ended") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  flow f(ex);
  int a = 0;
  int b = 0;
  region ra(f, a, "a");
  region rb(f, b, "b");
  trace t(f);
  constexpr int passes = 10;
  constexpr int ahead = 3;
  std::vector<std::unique_ptr<promise<int>>> from_later;
  for(int pass = 0; pass != passes + ahead; ++pass)
    from_later.push_back(std::make_unique<promise<int>>(ex));
  // The first task of a pass can't end until the second one of three passes later has run.
  for(int pass = 0; pass != passes; ++pass) {
    const auto guard = t.make_guard();
    f.submit([later = from_later[static_cast<std::size_t>(pass)]->get_future()](
               int& x) { x += later.get(); },
      write(ra));
    f.submit(
      [pass, to = pass < ahead ? nullptr
                               : from_later[static_cast<std::size_t>(pass - ahead)].get()](int& y) {
        ++y;
        if(to != nullptr)
          to->set_value(pass);
      },
      write(rb));
  }
  f.wait(rb);
  CHECK(b == passes);
  for(std::size_t pass = passes - ahead; pass != passes + ahead; ++pass)
    from_later[pass]->set_value(0);
  f.wait();
  CHECK(a == 3 + 4 + 5 + 6 + 7 + 8 + 9);
  CHECK(t.statistics().replayed == passes - 1);
}

TEST_CASE("a pass comes after the launches before it and before those behind it") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  twin p(ex, 6);
  trace t(p.home());
  for(std::uint64_t pass = 0; pass != 60; ++pass) {
    if(pass % 3 == 1)
      p.turn(pass % 6, pass);
    {
      const auto guard = t.make_guard();
      p.steps(0, 6, pass);
    }
    if(pass % 4 == 2)
      p.step(5 - pass % 6, pass);
    if(pass % 17 == 0)
      p.home().wait(p[pass % 6]);
  }
  CHECK(p.is_right());
  CHECK(t.statistics().replayed == 59);
  CHECK(t.statistics().diverged == 0);
}

TEST_CASE("several traces take turns with the same regions") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  twin p(ex, 6);
  trace first(p.home(), "first");
  trace second(p.home(), "second");
  trace third(p.home(), "third");
  for(std::uint64_t pass = 0; pass != 60; ++pass) {
    {
      const auto guard = first.make_guard();
      p.steps(0, 4, pass);
    }
    if(pass % 2 == 0) {
      const auto guard = second.make_guard();
      p.steps(2, 6, pass);
    }
    if(pass % 5 == 0) {
      const auto guard = third.make_guard();
      p.turn(0, pass);
      p.turn(5, pass);
    }
  }
  CHECK(p.is_right());
  CHECK(first.statistics().replayed == 59);
  CHECK(second.statistics().replayed == 29);
  CHECK(third.statistics().replayed == 11);
}

TEST_CASE("traces may end in any order") {
  executor ex(2);
  twin p(ex, 4);
  auto first = std::make_unique<trace>(p.home());
  auto second = std::make_unique<trace>(p.home());
  auto third = std::make_unique<trace>();
  const auto pass = [&p](trace& t, std::size_t from, std::uint64_t by) {
    const auto guard = t.make_guard(p.home());
    p.steps(from, 4, by);
  };
  for(std::uint64_t i = 0; i != 10; ++i) {
    pass(*first, 0, i);
    pass(*second, 1, i);
    pass(*third, 2, i);
  }
  second.reset(); // its launches may still be under way
  for(std::uint64_t i = 0; i != 10; ++i) {
    pass(*first, 0, i);
    pass(*third, 2, i);
  }
  CHECK(first->statistics().replayed == 19);
  first.reset();
  p.steps(0, 4, 1);
  for(std::uint64_t i = 0; i != 10; ++i)
    pass(*third, 2, i);
  CHECK(third->statistics().replayed == 29);
  third.reset();
  p.steps(0, 4, 2);
  CHECK(p.is_right());
}
