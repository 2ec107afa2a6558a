// How far a loop is: what is said of passes at times, and which passes count in loops of all kinds.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <catch2/catch.hpp>
#include <rondo/rondo.hpp>

#include "../process_that.hpp"
#include "progress/meter.hpp"
#include "ranks.hpp"

using namespace rondo;
using rondo::detail::progress_meter;

TEST_CASE("a line has passes, the value, and rates since some lines ago") {
  progress_meter m({.points = 2'000'000}, 100);
  for(int i = 0; i != 50; ++i)
    m.pass(0.25);
  CHECK(m.line(102) == "50 passes, value 0.25, 25 passes/s, 50 M points/s");
  for(int k = 0; k != 20; ++k) {
    m.pass(0.5);
    (void)m.line(103 + k);
  }
  CHECK(m.line(123) == "70 passes, value 0.5, 0.875 passes/s, 1.75 M points/s");
  CHECK(m.end(125) == "70 passes in 25 s, value 0.5, 2.8 passes/s, 5.6 M points/s");
}

TEST_CASE("what is left follows from the number of passes") {
  progress_meter m({.passes = 100}, 0);
  const double none = std::nan("");
  for(int i = 0; i != 20; ++i)
    m.pass(none);
  CHECK(m.line(10) == "20 passes, 2 passes/s, 0:40 left");
  for(int i = 0; i != 20; ++i)
    m.pass(none);
  CHECK(m.line(20) == "40 passes, 2 passes/s, 0:30 left");
  for(int i = 0; i != 60; ++i)
    m.pass(none);
  CHECK_THAT(m.line(50), Catch::EndsWith("0:00 left"));
}

TEST_CASE("what is left follows from how a residual falls") {
  progress_meter m({.below = 1e-6}, 0);
  m.pass(1);
  CHECK(m.line(1) == "1 pass, residual 1, 1 passes/s");
  m.pass(0.1);
  CHECK_THAT(m.line(2), Catch::EndsWith("residual 0.1, 1 passes/s, 0:05 left"));
  m.pass(1e-2);
  CHECK_THAT(m.line(3), Catch::EndsWith("residual 0.01, 1 passes/s, 0:04 left"));
  SECTION("unless it rises") {
    m.pass(0.5);
    m.pass(2);
    CHECK_THAT(m.line(4), !Catch::Contains("left"));
  }
  SECTION("or is no number, or 0") {
    m.pass(std::nan(""));
    CHECK_THAT(m.line(4), !Catch::Contains("left"));
    m.pass(0);
    CHECK_THAT(m.line(5), !Catch::Contains("left"));
  }
  SECTION("and begins anew where an inner loop does") {
    m.pass(100);
    CHECK_THAT(m.line(4), !Catch::Contains("left"));
    m.pass(10);
    CHECK_THAT(m.line(5), Catch::EndsWith("0:07 left"));
  }
}

TEST_CASE("what is left follows from a time that gets to its end") {
  progress_meter m({.until = 5000}, 0);
  m.pass(1);
  (void)m.line(1);
  m.pass(2);
  CHECK_THAT(m.line(2), Catch::EndsWith("time 2, 1 passes/s, 1:23:18 left"));
}

namespace {
using line = structured<1>;
using numbers = field<std::int64_t>;

void increment(line::view m, numbers::accessor<rw, ro> x) {
  for(const auto i : m.owned(0))
    ++x(i);
}
std::int64_t first_of(line::view m, numbers::accessor<ro> x) {
  return m.owned(0).begin() != m.owned(0).end() && *m.owned(0).begin() == 0 ? x(0) : 0;
}
void count(numbers::accessor<rw> n) { ++n(); }

void ten_passes(scheduler& s, const std::string& kind) {
  const line m{s, {.extents = {24}, .colors = {6}}};
  const topo::global all{s};
  const numbers x{m, "x"}, n{all, "n"};
  progress_line here{s, {.what = "first"}};
  const auto pass = [&] {
    s.execute<increment>(m, x);
    return s.reduce<first_of, fold::sum>(m, x);
  };
  if(kind == "plain")
    for(int i = 0; i != 10; ++i)
      here.show(pass());
  else if(kind == "trace") {
    trace t;
    for(int i = 0; i != 10; ++i) {
      const auto g = t.make_guard();
      here.show(pass());
    }
  }
  else if(kind == "iterate")
    (void)s.iterate({}, [&] {
      const auto f = pass();
      here.show(f);
      return f.then([](std::int64_t k) { return k == 10; });
    });
  else if(kind == "repeat")
    s.repeat(10, [&] {
      s.execute<increment>(m, x);
      s.execute<count>(n);
      here.show(n);
    });
  else if(kind == "passes of a mesh")
    s.repeat(10, [&] {
      s.execute<increment>(m, x);
      here.show(x);
    });
  else
    s.repeat(5, [&] {
      (void)s.iterate({}, [&] {
        const auto f = pass();
        here.show(f);
        return f.then([](std::int64_t k) { return k % 2 == 0; });
      });
    });
}
} // namespace

TEST_CASE("each pass that runs counts, and one rank says so") {
  const std::string kind = GENERATE(
    as<std::string>{}, "plain", "trace", "iterate", "repeat", "passes of a mesh", "nested");
  const unsigned ranks = GENERATE(1U, 3U);
  CAPTURE(kind, ranks);
  const death end = process_that(
    [&] { on_ranks(make_local_transports(ranks), 2, [&](scheduler& s) { ten_passes(s, kind); }); });
  INFO(end.text);
  CHECK(end.signal == 0);
  CHECK(end.code == 0);
  // It may have said something before, on a slow machine.
  const std::size_t at = end.text.find("10 passes in ");
  REQUIRE(at != std::string::npos);
  CHECK(end.text.find("passes in ", at + 10) == std::string::npos);
  CHECK(has(end.text, ", first 10, ") == (kind != "passes of a mesh"));
}

TEST_CASE("nothing is said if nobody wants that, or nothing was shown") {
  const bool is_wanted = GENERATE(false, true);
  const death end = process_that([&] {
    setenv("RONDO_PROGRESS_LINE", is_wanted ? "1" : "0", 1);
    on_ranks(make_local_transports(2), 1, [&](scheduler& s) {
      if(is_wanted)
        const progress_line unused{s};
      else
        ten_passes(s, "iterate");
    });
  });
  CHECK(end.code == 0);
  CHECK(end.text.empty());
}
