#include <cstdint>
#include <string>

#include <catch2/catch.hpp>
#include <rondo/flow.hpp>

#include "core/configurations.hpp"
#include "futures/support.hpp"
#include "trace_support.hpp"

using namespace rondo;
using Catch::Matchers::Contains;

namespace {

constexpr std::size_t cells = 40;
constexpr std::uint64_t passes = 20;

/// Passes of `cells` steps; `body(pass)` does one that is another one, and says so.
template<class Body>
trace_statistics with_other_passes(twin& p, trace& t, Body&& body) {
  for(std::uint64_t pass = 0; pass != passes; ++pass) {
    const auto guard = t.make_guard(p.home());
    if(!body(pass))
      p.steps(0, cells, pass);
  }
  CHECK(p.is_right());
  return t.statistics();
}

/// One of the passes was another one, and so little that nothing was recorded anew.
void check_one_diverged(const trace_statistics& s) {
  CHECK(s.passes == passes);
  CHECK(s.recorded == 1);
  CHECK(s.diverged == 1);
  CHECK(s.replayed == passes - 2);
  CHECK(s.templates == 1);
}

} // namespace

TEST_CASE("a launch that was put in diverges in that pass only") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  twin p(ex, cells);
  trace t;
  const std::size_t at = GENERATE(0, 7, cells - 1);
  check_one_diverged(with_other_passes(p, t, [&](std::uint64_t pass) {
    if(pass != 5)
      return false;
    p.steps(0, at, 100);
    p.turn(3, 17);
    p.steps(at, cells, 200);
    return true;
  }));
}

TEST_CASE("a launch that was left out diverges in that pass only") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  twin p(ex, cells);
  trace t;
  const std::size_t at = GENERATE(0, 7, cells - 1);
  check_one_diverged(with_other_passes(p, t, [&](std::uint64_t pass) {
    if(pass != 5)
      return false;
    p.steps(0, at, 100);
    p.steps(at + 1, cells, 200);
    return true;
  }));
}

TEST_CASE("launches that have changed places diverge in that pass only") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  twin p(ex, cells);
  trace t;
  const std::size_t at = GENERATE(0, 7, cells - 2);
  check_one_diverged(with_other_passes(p, t, [&](std::uint64_t pass) {
    if(pass != 5)
      return false;
    p.steps(0, at, 100);
    p.step(at + 1, 300);
    p.step(at, 400);
    p.steps(at + 2, cells, 200);
    return true;
  }));
}

TEST_CASE("a pass that is broken off early diverges, and the next one is replayed") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  twin p(ex, cells);
  trace t;
  check_one_diverged(with_other_passes(p, t, [&](std::uint64_t pass) {
    if(pass != 5)
      return false;
    p.steps(0, cells - 4, 100);
    return true;
  }));
}

TEST_CASE("launches behind the last one diverge, and the next pass is replayed") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  twin p(ex, cells);
  trace t;
  check_one_diverged(with_other_passes(p, t, [&](std::uint64_t pass) {
    if(pass != 5)
      return false;
    p.steps(0, cells, 100);
    p.turn(0, 1);
    p.step(9, 2);
    return true;
  }));
}

TEST_CASE("a pass without launches is nothing") {
  executor ex(2);
  twin p(ex, cells);
  trace t;
  const trace_statistics s =
    with_other_passes(p, t, [&](std::uint64_t pass) { return pass == 0 || pass == 5; });
  CHECK(s.passes == passes);
  CHECK(s.recorded == 1);
  CHECK(s.diverged == 0);
  CHECK(s.replayed == passes - 3);
}

TEST_CASE("passes that have changed for good are recorded anew, however little they did") {
  executor ex(2);
  twin p(ex, cells);
  trace t;
  const trace_statistics s = with_other_passes(p, t, [&](std::uint64_t pass) {
    if(pass < 5)
      return false;
    p.steps(0, cells, pass);
    p.turn(1, pass);
    return true;
  });
  CHECK(s.recorded == 2);
  CHECK(s.diverged == 3);
  CHECK(s.replayed == 4 + passes - 8);
}

TEST_CASE("what has run before the loop makes no other pass") {
  executor ex(2);
  twin p(ex, 3);
  trace t;
  p.steps(0, 3, 1);
  for(std::uint64_t pass = 0; pass != 10; ++pass) {
    p.turn(0, pass);
    const auto guard = t.make_guard(p.home());
    p.steps(0, 3, pass);
  }
  CHECK(p.is_right());
  CHECK(t.statistics().replayed == 9);
}

TEST_CASE("the text tells pass, launch, what was expected and what came, with their places") {
  executor ex(2);
  flow f(ex);
  int u = 0;
  int v = 0;
  region ru(f, u, "u");
  region rv(f, v, "v");
  trace t(f, "loop");
  std::string here = "trace_divergence_tests.cpp:";
  std::string smooth_line;
  std::string clear_line;
  for(int pass = 0; pass != 10; ++pass) {
    const auto guard = t.make_guard();
    for(int i = 0; i != 9; ++i)
      f.submit(named("first", [](int&) {}), write(ru));
    if(pass != 4) {
      smooth_line = here + std::to_string(__LINE__ + 1);
      f.submit(named("smooth", [](const int&, int& x) { ++x; }), read(ru), write(rv));
    }
    else {
      clear_line = here + std::to_string(__LINE__ + 1);
      f.submit(named("clear", [](int& x) { x = 0; }), commute(rv));
    }
  }
  f.wait();
  CHECK(v == 5);
  const std::string text = t.text();
  CAPTURE(text);
  CHECK_THAT(text, Contains("'loop'") && Contains("pass 4, launch 9: "));
  CHECK_THAT(text, Contains("expected smooth(u read, v write) at ") && Contains(smooth_line));
  CHECK_THAT(text, Contains("got clear(v commute) at ") && Contains(clear_line));
  CHECK(count(text, "expected") == 1);
}

TEST_CASE("the text tells of passes that end too early and too late") {
  executor ex(2);
  flow f(ex);
  int u = 0;
  region ru(f, u, "u");
  trace t(f);
  for(int pass = 0; pass != 10; ++pass) {
    const auto guard = t.make_guard();
    for(int i = 0; i != 20 - (pass == 3 ? 1 : 0) + (pass == 6 ? 1 : 0); ++i)
      f.submit(named("push", [](int& x) { ++x; }), write(ru));
  }
  f.wait();
  CHECK(u == 200);
  CHECK_THAT(t.text(), Contains("pass 3, launch 19: expected push(u write)") &&
                         Contains("got the end") &&
                         Contains("pass 6, launch 20: expected the end, got push(u write)"));
}

TEST_CASE("the numbers in the text are those of the statistics") {
  executor ex(2);
  twin p(ex, 10);
  trace t(p.home(), "numbers");
  for(std::uint64_t pass = 0; pass != 10; ++pass) {
    if(pass == 8)
      t.skip();
    const auto guard = t.make_guard();
    p.steps(0, pass == 5 ? 9 : 10, pass);
  }
  CHECK(p.is_right());
  const trace_statistics s = t.statistics();
  CHECK(s.replayed == 7);
  CHECK(s.diverged == 1);
  CHECK(s.skipped == 1);
  CHECK_THAT(t.text(), Contains("trace 'numbers': 10 passes, 7 replayed, 1 recorded, 1 diverged, "
                                "1 skipped\n"));
  CHECK_THAT(t.text(), Contains("a template of 10 launches: " + std::to_string(s.edges) +
                                " edges, " + std::to_string(s.redundant) + " more left out"));
}

TEST_CASE("a trace that knows nothing says so") {
  const trace t;
  CHECK_THAT(
    t.text(), Contains("a trace without a name: 0 passes, 0 replayed, 0 recorded, 0 diverged"));
  CHECK(t.statistics().templates == 0);
  CHECK(t.statistics().edges == 0);
  CHECK(t.dot() == "digraph trace {\n}\n");
}

// ---- variants ----------------------------------------------------------------------------------

TEST_CASE("a pass that comes now and then gets a template of its own") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  twin p(ex, 4);
  trace t;
  // At the begin of the pass, or in its middle: "prints" each tenth time.
  const std::size_t at = GENERATE(0, 2);
  trace_statistics early;
  for(std::uint64_t pass = 0; pass != 100; ++pass) {
    if(pass == 40)
      early = t.statistics();
    const auto guard = t.make_guard(p.home());
    p.steps(0, at, pass);
    if(pass % 10 == 9)
      p.turn(2, pass);
    p.steps(at, 4, pass);
  }
  CHECK(p.is_right());
  CHECK(t.statistics().replayed - early.replayed == 60);
  CHECK(t.statistics().recorded == 2);
  CHECK_FALSE(t.statistics().is_off);
}

TEST_CASE("a template that begins like another one is found when the pass ends") {
  // Is not: it is recorded again each time, and where that is often, the trace is switched off.
  // Every tenth pass prints, behind all else.
  executor ex(2);
  twin p(ex, 4, {.find_repeats = false}); // else passes that take turns are left to the flow
  trace t;
  const std::uint64_t period = GENERATE(2U, 3U, 10U);
  const std::string written = stderr_of([&] {
    for(std::uint64_t pass = 0; pass != 60; ++pass) {
      const auto guard = t.make_guard(p.home());
      p.steps(0, pass % period == period - 1 ? 4 : 3, pass);
    }
  });
  CHECK(p.is_right());
  CAPTURE(period, written);
  CHECK(written.empty());
  CHECK(t.statistics().recorded == 2);
  CHECK(t.statistics().replayed == 58);
}

TEST_CASE("bodies that alternate under one trace are both replayed") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  twin p(ex, 8);
  trace t;
  const std::uint64_t bodies = GENERATE(2U, 3U, 4U);
  constexpr std::uint64_t few = 15; // with more they are left to the flow: trace_turns_tests.cpp
  for(std::uint64_t pass = 0; pass != few; ++pass) {
    const auto guard = t.make_guard(p.home());
    p.steps(2 * (pass % bodies), 8, pass);
  }
  CHECK(p.is_right());
  const trace_statistics s = t.statistics();
  CHECK(s.templates == bodies);
  CHECK(s.recorded == bodies);
  CHECK(s.replayed == few - bodies);
}

TEST_CASE("bodies in any order under one trace are replayed when they are known") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  twin p(ex, 8);
  trace t;
  random_programs::dice dice(7);
  for(std::uint64_t pass = 0; pass != 200; ++pass) {
    const auto guard = t.make_guard(p.home());
    p.turn(dice.below(3), pass); // what follows is the same
    p.steps(0, 8, pass);
  }
  CHECK(p.is_right());
  CHECK(t.statistics().replayed == 197);
}

TEST_CASE("there are no more templates than variants, and the oldest one goes") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  twin p(ex, 24);
  trace t;
  for(std::uint64_t body = 0; body != 6; ++body)
    for(std::uint64_t pass = 0; pass != 10; ++pass) {
      const auto guard = t.make_guard(p.home());
      p.steps(4 * body, 4 * body + 4, pass);
    }
  CHECK(p.is_right());
  CHECK(t.statistics().templates == trace::most_variants);
  CHECK(t.statistics().recorded == 6);
  CHECK(t.statistics().replayed == 54);
}

TEST_CASE("a trace whose passes never repeat is switched off with one warning") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  twin p(ex, 120);
  trace t("hopeless");
  const std::string written = stderr_of([&] {
    for(std::uint64_t pass = 0; pass != 30; ++pass) {
      const auto guard = t.make_guard(p.home());
      p.steps(4 * pass, 4 * pass + 3, pass);
    }
  });
  CHECK(p.is_right());
  CAPTURE(written);
  CHECK(count(written, "\n") == 1);
  CHECK(count(written, "trace 'hopeless' is switched off") == 1);
  const trace_statistics s = t.statistics();
  CHECK(s.is_off);
  CHECK(s.replayed == 0);
  CHECK(s.passes == 30);
  CHECK(s.skipped > 15);
  CHECK_THAT(t.text(), Contains("switched off"));
}

TEST_CASE("a trace that was switched off begins anew when it is reset") {
  executor ex(2);
  twin p(ex, 120);
  trace t;
  (void)stderr_of([&] {
    for(std::uint64_t pass = 0; pass != 30; ++pass) {
      const auto guard = t.make_guard(p.home());
      p.steps(4 * pass, 4 * pass + 3, pass);
    }
  });
  CHECK(t.statistics().is_off);
  t.reset();
  CHECK_FALSE(t.statistics().is_off);
  for(std::uint64_t pass = 0; pass != 10; ++pass) {
    const auto guard = t.make_guard(p.home());
    p.steps(0, 20, pass);
  }
  CHECK(p.is_right());
  CHECK(t.statistics().replayed == 9);
}

TEST_CASE("a launch that differs in that it has hints is told with that, and others are not") {
  executor ex(2);
  flow f(ex);
  int value = 0;
  region r(f, value, "u");
  const auto add = [](int& v) { ++v; };
  const auto passes_of = [&](trace& t, auto&& other) {
    for(int pass = 0; pass != 20; ++pass) {
      const auto guard = t.make_guard(f);
      if(pass % 3 == 0)
        f.submit(named("add", add), write(r));
      else
        other();
    }
    f.wait();
    return t.text();
  };
  trace t("t");
  const std::string text = passes_of(
    t, [&] { f.submit(hinted({.priority = priority::high}, named("add", add)), write(r)); });
  CAPTURE(text);
  CHECK_THAT(text, Contains("expected add(u write), with neither priority nor worker, at ") &&
                     Contains(", got add(u write), with a priority or worker, at "));
  trace plain("plain");
  CHECK_THAT(passes_of(plain, [&] { f.submit(named("add", [](int& v) { v += 2; }), write(r)); }),
    Contains("expected add(u write) at ") && Contains(", got add(u write) at "));
  CHECK(value == 7 + 13 + 7 + 2 * 13);
}

TEST_CASE("of launches that read the same a trace says what differs") {
  executor ex(2);
  flow f(ex);
  int a = 0;
  int b = 0;
  int sum = 0;
  region ra(f, a, "block");
  region rb(f, b, "block");
  region rs(f, sum, "sum");
  trace t("t");
  for(int pass = 0; pass != 4; ++pass) {
    const auto guard = t.make_guard(f);
    f.submit([](int& s, const int& from) { s += from; }, write(rs), read(pass % 2 == 0 ? ra : rb));
  }
  f.wait();
  CHECK_THAT(t.text(), Contains("; the region 'block' is another one"));

  trace types("types");
  const auto add = [&](auto by) { f.submit([by](int& s) { s += int(by); }, write(rs)); };
  for(int pass = 0; pass != 4; ++pass) {
    const auto guard = types.make_guard(f);
    if(pass % 2 == 0)
      add(1);
    else
      add(2U);
  }
  f.wait();
  CHECK_THAT(types.text(), Contains("; the functions are of different types"));
  CHECK(sum == 6);
}
