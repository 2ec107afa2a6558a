// What a rank keeps does not depend on how long a program runs, nor on how many ranks there are.

#include <atomic>
#include <barrier>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <catch2/catch.hpp>
#include <rondo/rondo.hpp>

#include "allocations.hpp"
#include "distributed/ranks.hpp"

using namespace rondo;

namespace {

using line = structured<1>;
using numbers = field<double>;

void smooth(line::view m, numbers::accessor<rw> to, numbers::accessor<ro, ro> from) {
  for(const auto i : m.interior(0))
    to(i) = (from(i - 1) + from(i + 1)) / 2;
}
double sum(line::view m, numbers::accessor<ro> u) {
  double all = 0;
  for(const auto i : m.owned(0))
    all += u(i);
  return all;
}
void ignore(double /*x*/) {}

#if defined(RONDO_SANITIZED)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

struct sides {
  scheduler& s;
  line m;
  numbers u{m, "u"};
  numbers v{m, "v"};
  sides(scheduler& of, std::int64_t points, std::int64_t colors)
      : s(of), m(of, {.extents = {points}, .colors = {colors}}) {}

  void pass() {
    s.execute<smooth>(m, v, u);
    s.execute<smooth>(m, u, v);
  }
  future<double> pass_and_sum() {
    pass();
    return s.reduce<sum, fold::sum>(m, u);
  }
};

/// What passes leave behind, at most: the allocations of a transport come and go.
constexpr std::int64_t most_left = 1 << 18;

/// Some of what is kept has a bound that is reached late: the spare loops are as many as there have ever been under way at
/// once, and that depends on what else the machine does. What each pass leaves behind grows every time.
constexpr int most_times = 5;

/// Before that the window of launches has not been full, and all that is kept is not there yet.
constexpr std::uint64_t some_passes = 1500;

/// After so many passes more than a few bytes for each of them would be seen. Ranks that are threads of one
/// process take turns for each message, which takes long where others use the cores as well.
std::uint64_t many_passes(unsigned ranks) {
  if(sanitized)
    return 3 * some_passes;
  return ranks == 1 ? 100'000U : 10'000U;
}

template<class Passes>
void check_keeps_nothing(Passes&& passes, flow_options options = {}) {
  for(const unsigned ranks : {1U, 2U}) {
    std::barrier all_are_here(static_cast<std::ptrdiff_t>(ranks));
    std::atomic<std::int64_t> live{0};
    on_ranks(
      make_local_transports(ranks), 1,
      [&](scheduler& s) {
        sides all(s, 40, 4);
        const auto run = [&](std::uint64_t n) {
          passes(all, n);
          s.wait();
          static_cast<void>(s.reduce<sum, fold::sum>(all.m, all.u).get());
          all_are_here.arrive_and_wait();
          if(s.rank() == 0)
            live = live_bytes();
          all_are_here.arrive_and_wait();
          return live.load();
        };
        run(some_passes);
        std::int64_t before = run(some_passes);
        for(int time = 1;; ++time) {
          const std::int64_t after = run(many_passes(ranks));
          if(after - before <= most_left)
            return;
          if(time == most_times) {
            std::fprintf(stderr, "%u ranks: %lld bytes before, %lld after\n", ranks,
              static_cast<long long>(before), static_cast<long long>(after));
            std::_Exit(1);
          }
          before = after;
        }
      },
      options);
  }
  SUCCEED();
}

} // namespace

TEST_CASE("passes that are analysed, or found to repeat, keep nothing") {
  for(const bool finds : {false, true})
    check_keeps_nothing(
      [](sides& all, std::uint64_t n) {
        for(std::uint64_t i = 0; i != n; ++i)
          all.pass();
      },
      {.find_repeats = finds});
}

TEST_CASE("traced passes keep nothing") {
  check_keeps_nothing([](sides& all, std::uint64_t n) {
    trace t("pass");
    for(std::uint64_t i = 0; i != n; ++i) {
      const auto guard = t.make_guard();
      all.pass();
    }
  });
}

TEST_CASE("sums, and tasks that print them, keep nothing") {
  for(const bool finds : {false, true})
    check_keeps_nothing(
      [](sides& all, std::uint64_t n) {
        for(std::uint64_t i = 0; i != n / 5; ++i)
          all.s.execute<ignore>(all.pass_and_sum());
      },
      {.find_repeats = finds});
}

TEST_CASE("the passes of iterate and repeat keep nothing") {
  check_keeps_nothing([](sides& all, std::uint64_t n) {
    const auto passes = all.s.iterate(
      {.max = n / 5}, [&] { return all.pass_and_sum().then([](double) { return false; }); });
    static_cast<void>(passes.get());
    all.s.repeat(n, [&] { all.pass(); });
  });
}

TEST_CASE("many loops, one after the other, keep nothing") {
  check_keeps_nothing([](sides& all, std::uint64_t n) {
    for(std::uint64_t i = 0; i != n / 100; ++i) {
      static_cast<void>(all.s.iterate({}, [&](std::uint64_t pass) {
        return all.pass_and_sum().then([pass](double) { return pass == 1; });
      }));
      all.s.repeat(2, [&] { all.pass(); });
    }
  });
}

TEST_CASE("a rank of many keeps as much as one of few") {
  const auto bytes_of_a_rank = [](unsigned ranks) {
    std::barrier all_are_here(static_cast<std::ptrdiff_t>(ranks));
    std::atomic<std::int64_t> live{0};
    const std::int64_t before = live_bytes();
    on_ranks(make_local_transports(ranks), 1, [&](scheduler& s) {
      sides all(s, 40 * std::int64_t{s.ranks()}, 4 * std::int64_t{s.ranks()});
      for(int i = 0; i != 20; ++i)
        s.execute<ignore>(all.pass_and_sum());
      s.wait();
      all_are_here.arrive_and_wait();
      if(s.rank() == 0)
        live = live_bytes();
      all_are_here.arrive_and_wait();
    });
    return (live - before) / ranks;
  };
  bytes_of_a_rank(4); // what is made only once
  const std::int64_t few = bytes_of_a_rank(4);
  const std::int64_t many_ranks = bytes_of_a_rank(sanitized ? 16U : 64U);
  CAPTURE(few, many_ranks);
  CHECK(few > 0);
  CHECK(many_ranks < few + few / 10);
}
