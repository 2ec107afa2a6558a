// Loops whose bodies ask for what their own pass computes, over meshes: all of repeat, iterate and when, in any order.

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/rondo.hpp>

#include "line_tasks.hpp"
#include "ranks.hpp"

using namespace rondo;
using namespace line_tasks;

namespace {

/// Whether the passes of loops are launched ahead, or by the program's own loops.
enum class way { by_hand, ahead };

/// So many passes, or until the body says so.
template<class Body>
void repeat(way how, scheduler& s, int n, const Body& body) {
  if(how == way::ahead)
    s.repeat(static_cast<std::uint64_t>(n), body);
  else
    for(int k = 0; k != n; ++k)
      body();
}
template<class Body>
void until(way how, scheduler& s, int most, const Body& body) {
  if(how == way::ahead)
    s.iterate({.max = static_cast<std::uint64_t>(most)}, [&]() -> bool { return body(); });
  else
    for(int k = 0; k != most && !body(); ++k) {
    }
}
template<class Body>
void when(way how, scheduler& s, bool is_so, const Body& body) {
  if(how == way::ahead)
    s.when(make_ready<bool>(is_so), body);
  else if(is_so)
    body();
}

/// What the program has seen, in its order.
std::vector<double> run(way how, scheduler& s) {
  const line m{s, {.extents = {points}, .colors = {4}}};
  const numbers u{m, "u"}, v{m, "v"}, coefficients{m, "coefficients"};
  s.execute<start>(m, u);
  s.execute<start>(m, coefficients);
  std::vector<double> seen;
  const auto step = [&](double by) {
    s.execute<smooth>(m, v, u);
    s.execute<scale>(m, v, by);
    s.execute<smooth>(m, u, coefficients); // ghosts that nobody writes
    s.execute<smooth>(m, u, v);
  };
  const auto all = [&] { return s.reduce<sum, fold::sum>(m, u).get(); };

  repeat(how, s, 5, [&] {
    step(2);
    seen.push_back(all());
    step(seen.back());
  });
  // A variable that goes from pass to pass, asked for in the next one, or taken by a launch.
  future<double> largest = s.reduce<most, fold::max>(m, u);
  repeat(how, s, 4, [&] {
    seen.push_back(largest.get());
    step(3);
    largest = s.reduce<most, fold::max>(m, u);
  });
  repeat(how, s, 4, [&] {
    s.execute<scale>(m, v, largest);
    s.execute<smooth>(m, u, v);
    largest = s.reduce<most, fold::max>(m, u).then([](double x) { return x + 1; });
  });
  seen.push_back(all());
  // One that stays.
  repeat(how, s, 6, [&] {
    s.execute<smooth>(m, v, u);
    s.execute<scale>(m, u, largest);
    s.execute<smooth>(m, v, coefficients);
    s.execute<smooth>(m, u, v);
  });
  seen.push_back(all());
  until(how, s, 50, [&] {
    step(1.5);
    until(how, s, 3, [&] {
      step(4);
      seen.push_back(s.execute<on_rank_0>(s.reduce<most, fold::max>(m, u)).get());
      return seen.back() < 10;
    });
    repeat(how, s, 2, [&] {
      step(2.5);
      s.wait();
      seen.push_back(all());
    });
    const double now = all();
    when(how, s, static_cast<int>(now) % 2 == 0, [&] {
      step(1.25);
      seen.push_back(all());
    });
    return seen.size() > 60;
  });
  step(7);
  seen.push_back(all());
  return seen;
}

} // namespace

TEST_CASE("loops whose bodies wait are the program's own loops") {
  std::vector<double> expected;
  on_ranks(make_local_transports(1), 1, [&](scheduler& s) { expected = run(way::by_hand, s); });
  REQUIRE(expected.size() > 60);
  on_ranks(make_local_transports(GENERATE(1U, 2U, 3U, 4U)), GENERATE(1U, 2U),
    [&](scheduler& s) { expect(run(way::ahead, s) == expected); });
}

TEST_CASE("what a body has launched behind its wait, before it throws, runs") {
  on_ranks(make_local_transports(GENERATE(1U, 2U)), 2, [](scheduler& s) {
    const line m{s, {.extents = {points}, .colors = {4}, .stages = 4}};
    const numbers u{m, "u"}, v{m, "v"};
    std::vector<double> after;
    for(const way how : {way::by_hand, way::ahead}) {
      s.execute<start>(m, u);
      const std::string what = thrown_by([&] {
        repeat(how, s, 3, [&] {
          s.execute<smooth>(m, v, u);
          if(s.reduce<most, fold::max>(m, v).get() > 0) {
            s.execute<smooth>(m, u, v);
            s.execute<scale>(m, u, 2.);
            throw std::runtime_error("enough");
          }
        });
      });
      expect(what == "enough");
      after.push_back(s.reduce<sum, fold::sum>(m, u).get());
    }
    expect(after[0] == after[1]);
  });
}

TEST_CASE("ranks that know sooner than others that a body is in vain launch the same") {
  std::vector<double> expected;
  for(const unsigned ranks : {1U, 3U}) {
    std::vector<double> seen;
    on_ranks(make_local_transports(ranks), 2, [&](scheduler& s) {
      const line m{s, {.extents = {points}, .colors = {4}}};
      const numbers u{m, "u"}, v{m, "v"};
      s.execute<start>(m, u);
      std::vector<double> mine;
      for(int k = 0; k != 12; ++k) {
        const bool is_so = k % 4 == 0;
        const auto late = std::chrono::microseconds(s.rank() == k % 3U ? 3000 : 0);
        const future<bool> condition = async(s.home(), [late, is_so] {
          std::this_thread::sleep_for(late);
          return is_so;
        });
        future<double> r = s.reduce<sum, fold::sum>(m, u);
        s.when(condition, [&] {
          s.repeat(3, [&] {
            s.execute<scale>(m, u, r.get());
            s.execute<smooth>(m, v, u);
            r = s.reduce<sum, fold::sum>(m, v);
          });
          s.iterate({.max = 4}, [&](std::uint64_t pass) {
            s.execute<smooth>(m, v, u);
            if(k % 2 == 0 || pass != 0)
              s.execute<scale>(m, v, s.reduce<most, fold::max>(m, v).get());
            s.execute<smooth>(m, u, v);
            return s.reduce<most, fold::max>(m, u).then([](double x) { return x < 2; });
          });
          s.execute<scale>(m, u, 2.);
        });
        mine.push_back(s.reduce<sum, fold::sum>(m, u).get());
      }
      if(s.rank() == 0)
        seen = mine;
    });
    REQUIRE(seen.size() == 12);
    if(ranks == 1)
      expected = seen;
    CHECK(seen == expected);
  }
}
