// A closed loop of which something has failed ends, however many passes are left.

#include <atomic>
#include <cstdint>
#include <deque>
#include <source_location>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/flow.hpp>
#include <rondo/futures.hpp>

#include "clerk.hpp"
#include "random_programs.hpp"

using namespace rondo;
using random_programs::dice;
using random_programs::mix;

namespace {

struct sum_of {
  std::uint64_t identity(const std::uint64_t&) const { return 0; }
  void operator()(std::uint64_t& into, std::uint64_t part) const { into += part; }
};

/// To look at each launch of so many passes once would take hours.
constexpr std::uint64_t no_end = std::uint64_t{1} << 36U;

executor_options with(unsigned workers) { return {.workers = workers, .shares_cores = false}; }

#define FOR_EACH_NUMBER_OF_WORKERS(workers)                                                        \
  const unsigned workers = GENERATE(1U, 2U, 4U);                                                   \
  CAPTURE(workers)

/// Numbers that are counted up, each for itself, so that as many lanes as there are workers get a share.
struct counters {
  explicit counters(executor& ex, std::size_t n = 16) : f(ex), values(n) {
    for(std::uint64_t& v : values)
      regions.emplace_back(f, v, "counter");
  }
  /// One after the other. The task of `failing` fails when it comes to `failing_at`.
  void launch_pass() {
    for(std::size_t i = 0; i != values.size(); ++i)
      f.submit([this, i](std::uint64_t& v) { count(i, v); }, write(regions[i]));
  }
  void count(std::size_t i, std::uint64_t& v) const {
    if(i == failing && v == failing_at)
      throw std::runtime_error("counter " + std::to_string(i));
    ++v;
  }
  void run_until_failure() {
    f.repeat(no_end, [this] { launch_pass(); });
    CHECK_THROWS_WITH(f.wait(), "counter " + std::to_string(failing));
  }
  /// What comes before the failed launch in the program has run, whatever else has.
  void check() const {
    for(std::size_t i = 0; i != values.size(); ++i) {
      CAPTURE(i);
      if(i == failing)
        CHECK(values[i] == failing_at);
      else
        CHECK(values[i] >= failing_at + (i < failing ? 1 : 0));
    }
  }

  flow f;
  std::vector<std::uint64_t> values;
  std::deque<region<std::uint64_t>> regions;
  std::size_t failing = 0;
  std::uint64_t failing_at = 0;
};

} // namespace

TEST_CASE("a loop whose first pass fails ends with the failure") {
  FOR_EACH_NUMBER_OF_WORKERS(workers);
  executor ex(with(workers));
  flow f(ex);
  int x = 0, y = 0;
  region rx(f, x, "x");
  region ry(f, y, "y");
  f.repeat(no_end, [&] {
    f.submit(
      [](int& v) {
        ++v;
        throw std::runtime_error("first pass");
      },
      write(rx));
    f.submit([](int v, int& w) { w = v; }, read(rx), write(ry));
  });
  CHECK_THROWS_WITH(f.wait(), "first pass");
  CHECK(x == 1);
  CHECK(y == 0);
}

TEST_CASE("a loop of independent launches ends with the failure of any of them, in any pass") {
  FOR_EACH_NUMBER_OF_WORKERS(workers);
  executor ex(with(workers));
  for(const std::size_t failing : {0, 7, 15})
    for(const std::uint64_t at : {0, 1, 63, 64, 1000}) {
      CAPTURE(failing, at);
      counters c(ex);
      c.failing = failing;
      c.failing_at = at;
      c.run_until_failure();
      c.check();
    }
}

TEST_CASE("lanes that wait for each other end with the failure in any of them") {
  FOR_EACH_NUMBER_OF_WORKERS(workers);
  executor ex(with(workers));
  for(const std::size_t failing : {1, 7, 8, 14})
    for(const std::uint64_t at : {0, 3, 200}) {
      CAPTURE(failing, at);
      counters c(ex);
      c.failing = failing;
      c.failing_at = at;
      c.f.repeat(no_end, [&] {
        for(std::size_t i = 0; i != 16; ++i)
          c.f.submit([&c, i](std::uint64_t& v, std::uint64_t) { c.count(i, v); },
            write(c.regions[i]), read(c.regions[(i + 1) % 16]));
      });
      CHECK_THROWS_WITH(c.f.wait(), "counter " + std::to_string(failing));
      c.check();
      // Both need what the failed launch has not done.
      CHECK(c.values[failing - 1] == at + 1);
      CHECK(c.values[failing + 1] == at);
    }
}

TEST_CASE("a lane that is far ahead of the one that fails ends with it") {
  const unsigned workers = GENERATE(2U, 4U);
  CAPTURE(workers);
  executor ex(with(workers));
  counters c(ex);
  std::atomic<std::uint64_t> ahead{0};
  c.f.repeat(no_end, [&] {
    c.f.submit([&ahead](std::uint64_t&) { ++ahead; }, write(c.regions[0]));
    for(std::size_t i = 1; i != 15; ++i)
      c.f.submit([](std::uint64_t& v) { ++v; }, write(c.regions[i]));
    c.f.submit(
      [&ahead](std::uint64_t& v) {
        while(ahead < 5000)
          std::this_thread::yield();
        if(++v == 3)
          throw std::runtime_error("third pass");
      },
      write(c.regions[15]));
  });
  CHECK_THROWS_WITH(c.f.wait(), "third pass");
  CHECK(c.values[15] == 3);
  CHECK(ahead >= 5000);
}

TEST_CASE("passes with more launches than a crew claims at once are skipped as well") {
  FOR_EACH_NUMBER_OF_WORKERS(workers);
  executor ex(with(workers));
  counters c(ex, 3000);
  c.failing = 1234;
  c.failing_at = 2;
  c.run_until_failure();
  c.check();
}

TEST_CASE("a loop of one chain fails in the pass in which the loop that waits would") {
  FOR_EACH_NUMBER_OF_WORKERS(workers);
  executor ex(with(workers));
  dice d(workers);
  for(int round = 0; round != 15; ++round) {
    const std::uint64_t pass = d.below(d.one_in(2) ? 5 : 2000);
    const unsigned launches = 1 + d.below(100);
    const std::uint64_t last = pass * launches + d.below(launches);
    CAPTURE(pass, launches, last);
    flow f(ex);
    std::uint64_t value = 0;
    region r(f, value, "value");
    f.repeat(no_end, [&] {
      for(unsigned i = 0; i != launches; ++i)
        f.submit(
          [last](std::uint64_t& v) {
            if(v == last)
              throw std::runtime_error("launch " + std::to_string(v));
            ++v;
          },
          write(r));
    });
    CHECK_THROWS_WITH(f.wait(), "launch " + std::to_string(last));
    CHECK(value == last);
  }
}

TEST_CASE("a loop after a launch that has failed is skipped as a whole") {
  FOR_EACH_NUMBER_OF_WORKERS(workers);
  executor ex(with(workers));
  counters c(ex);
  c.f.submit([](std::uint64_t&) { throw std::runtime_error("before"); }, write(c.regions[3]));
  for(int loops = 0; loops != 3; ++loops)
    c.f.repeat(no_end, [&] {
      c.launch_pass();
      c.f.submit([](std::uint64_t& v) { ++v; }, write(c.regions[3]));
    });
  CHECK_THROWS_WITH(c.f.wait(), "before");
  CHECK(c.values[3] == 0);
}

TEST_CASE("futures of a failed loop are told, without a wait for the flow") {
  FOR_EACH_NUMBER_OF_WORKERS(workers);
  executor ex({.workers = workers, .background = true});
  flow f(ex);
  int x = 0, y = 0;
  region rx(f, x, "x");
  region ry(f, y, "y");
  std::vector<future<int>> results;
  f.repeat(no_end, [&] {
    results.push_back(f.submit([](int& v) { return ++v; }, write(rx)));
    results.push_back(f.submit(
      [](int v, int& w) {
        if(v == 100)
          throw std::runtime_error("pass 100");
        return w = v;
      },
      read(rx), write(ry)));
    results.push_back(f.submit([](int v) { return v; }, read(ry)));
  });
  // The result is that of the last pass, which is not to come.
  for(future<int>& r : results)
    CHECK_THROWS_AS(r.get(), cancelled);
  CHECK_THROWS_WITH(f.wait(), "pass 100");
  CHECK(x >= 100);
  CHECK(y == 99);
}

TEST_CASE("what comes after a failed loop has the regions, and the flow begins anew") {
  FOR_EACH_NUMBER_OF_WORKERS(workers);
  executor ex(with(workers));
  counters c(ex);
  trace t;
  for(std::uint64_t round = 0; round != 20; ++round) {
    for(std::uint64_t& v : c.values)
      v = 0;
    c.failing = round % 16;
    c.failing_at = round * 10;
    c.f.repeat(no_end, [&] { c.launch_pass(); });
    std::atomic<int> ran{0};
    const auto pass = [&] {
      for(auto& r : c.regions)
        c.f.submit([&ran](std::uint64_t&) { ++ran; }, write(r));
    };
    pass();                   // single launches, for which gates wait for the loop
    c.f.repeat(no_end, pass); // another loop
    {
      const auto guard = t.make_guard(c.f);
      pass();
    }
    if(round % 2 == 0)
      CHECK_THROWS_WITH(c.f.wait(c.regions[round % 16]), "counter " + std::to_string(c.failing));
    else
      CHECK_THROWS_WITH(c.f.wait(), "counter " + std::to_string(c.failing));
    c.check();
    CHECK(ran == 0);
    pass();
    c.f.repeat(5, pass);
    c.f.wait();
    CHECK(ran == 6 * 16);
  }
}

TEST_CASE("folds and launches that commute are skipped with the others") {
  FOR_EACH_NUMBER_OF_WORKERS(workers);
  executor ex(with(workers));
  for(const std::uint64_t last : {0, 5, 500}) {
    CAPTURE(last);
    flow f(ex);
    std::uint64_t sum = 0, all = 0, pass = 0;
    region rs(f, sum, "sum");
    region ra(f, all, "all");
    region rp(f, pass, "pass");
    f.repeat(no_end, [&] {
      for(std::uint64_t i = 0; i != 20; ++i) {
        f.submit([](std::uint64_t& s, std::uint64_t p) { s += p; }, reduce(rs, sum_of{}), read(rp));
        f.submit([i](std::uint64_t& a) { a += i; }, commute(ra));
      }
      f.submit(
        [last](std::uint64_t& p, std::uint64_t, std::uint64_t) {
          if(p == last)
            throw std::runtime_error("the last one");
          ++p;
        },
        write(rp), read(rs), read(ra));
    });
    CHECK_THROWS_WITH(f.wait(), "the last one");
    CHECK(pass == last);
    CHECK(sum == 20 * last * (last + 1) / 2);
    CHECK(all == 190 * (last + 1));
  }
}

TEST_CASE("tasks that end later have ended when a failed loop has") {
  FOR_EACH_NUMBER_OF_WORKERS(workers);
  executor ex(with(workers));
  clerk elsewhere;
  counters c(ex);
  c.failing = 5;
  c.failing_at = 40;
  std::atomic<std::uint64_t> begun{0};
  c.f.repeat(no_end, [&] {
    for(std::size_t i = 0; i != 4; ++i)
      c.f.submit(ends_later("later",
                   [&begun, &elsewhere](completion done, std::uint64_t&) {
                     ++begun;
                     elsewhere.hand(done);
                   }),
        write(c.regions[i]));
    for(std::size_t i = 4; i != 8; ++i)
      c.f.submit([&c, i](std::uint64_t& v) { c.count(i, v); }, write(c.regions[i]));
  });
  CHECK_THROWS_WITH(c.f.wait(), "counter 5");
  CHECK(begun >= 4 * 41); // those before the one that fails
}

namespace {
/// "failed_loops_tests.cpp:12", `lines` lines above the call.
std::string place_above(
  unsigned lines, std::source_location here = std::source_location::current()) {
  return "failed_loops_tests.cpp:" + std::to_string(here.line() - lines);
}
} // namespace

TEST_CASE("a future of a repeat whose body throws says of which loop it is, and what was thrown") {
  executor ex(with(2));
  flow f(ex);
  std::uint64_t x = 0;
  region<std::uint64_t> r(f, x, "x");
  future<std::uint64_t> of_pass;
  const auto throws = [&] {
    of_pass = f.submit([](std::uint64_t& v) { return ++v; }, write(r));
    throw std::runtime_error("no luck");
  };
  CHECK_THROWS_WITH(f.repeat(3, throws), "no luck");
  const std::string place = place_above(1);
  CHECK_THROWS_AS(of_pass.get(), cancelled);
  CHECK_THROWS_WITH(of_pass.get(), Catch::Contains("the loop at ") && Catch::Contains(place) &&
                                     Catch::Contains("its body has thrown this: no luck"));
  const auto throws_oddly = [&] {
    of_pass = f.submit([](std::uint64_t& v) { return ++v; }, write(r));
    throw 42;
  };
  CHECK_THROWS_AS(f.repeat(3, throws_oddly), int);
  CHECK_THROWS_WITH(of_pass.get(), Catch::Contains("something that is no std::exception"));
  f.wait();
  CHECK(x == 0);
}

TEST_CASE("what iterate and when launch by themselves is said to be where the loop is") {
  executor ex(with(2));
  flow f(ex);
  std::uint64_t x = 0;
  region<std::uint64_t> r(f, x, "x");
  const auto answer = [](std::uint64_t&) { return false; };
  const auto unable = [](bool) -> bool { throw std::runtime_error("no answer"); };
  f.iterate([&] { return f.submit(answer, write(r)).then(unable); });
  std::string place = place_above(1);
  CHECK_THROWS_WITH(f.wait(), "no answer");
  CHECK_THAT(f.last_failed_launch(),
    Catch::Contains("'iterate: stop?', launched at ") && Catch::EndsWith(place));
  f.when(f.submit(answer, write(r)).then(unable), [] {});
  place = place_above(1);
  CHECK_THROWS_WITH(f.wait(), "no answer");
  CHECK_THAT(f.last_failed_launch(),
    Catch::Contains("'when: is it so?', launched at ") && Catch::EndsWith(place));
}
