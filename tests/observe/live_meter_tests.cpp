// Which loop a live line shows, and what it says, of passes at made-up times.

#include <cstdint>
#include <source_location>
#include <string>

#include <catch2/catch.hpp>

#include "live/live_meter.hpp"
#include "live/loops_under_way.hpp"

using namespace rondo;
using namespace rondo::detail;
using kind = pass_info::kind_type;

namespace {

struct told {
  loops_under_way loops;
  live_meter meter{100};
  double now = 100;

  void begin(const pass_info& p) { loops.begun(p, now); }
  void end(const pass_info& p) { loops.over(p, true, now); }
  void pass(const pass_info& p) {
    begin(p);
    end(p);
  }
  std::string line_at(double time) {
    now = time;
    return meter.line(loops.look(), 7, now);
  }
};

pass_info iterated(std::uint64_t loop, std::uint64_t number, std::uint64_t most = 0,
  std::source_location where = std::source_location::current()) {
  return {
    .kind = kind::iterate, .flow = 1, .loop = loop, .number = number, .most = most, .where = where};
}
pass_info repeated(std::uint64_t loop, std::uint64_t count,
  std::source_location where = std::source_location::current()) {
  return {.kind = kind::repeat, .flow = 1, .loop = loop, .count = count, .where = where};
}

std::string in_line(unsigned line) {
  return " (live_meter_tests.cpp:" + std::to_string(line) + ')';
}

} // namespace

TEST_CASE("launches are told while there is no loop") {
  live_meter m(100);
  CHECK(m.line({}, 0, 101).empty());
  CHECK(m.end({}, 0, 101).empty());
  CHECK(m.line({}, 2000, 102) == "2000 launches, 1 k launches/s");
  CHECK(m.end({}, 3000, 106) == "3000 launches in 6.00 s, 500 launches/s");
}

TEST_CASE("passes of a loop that may end at any time") {
  told t;
  const unsigned line = __LINE__ + 2;
  for(std::uint64_t i = 0; i != 30; ++i)
    t.pass(iterated(1, i));
  CHECK(t.line_at(110) == "30 passes, 3 passes/s" + in_line(line));
  t.begin(iterated(1, 30, 0));
  CHECK(t.loops.in_view().passes == 30);
}

TEST_CASE("of a loop with a number of passes there is a part, and time that is left") {
  told t;
  const auto at = std::source_location::current();
  for(std::uint64_t i = 0; i != 30; ++i)
    t.pass(iterated(1, i, 120, at));
  CHECK(t.line_at(110) ==
        "30 of at most 120 passes, 25 %, 3 passes/s, at most 0:30 left" + in_line(at.line()));
  t.loops.over(iterated(1, 30, 120, at), false, 110); // in vain
  CHECK(t.loops.look().passes == 30);
}

TEST_CASE("tasks of repeat say which pass it is in") {
  told t;
  const pass_info all = repeated(5, 200);
  t.begin(all);
  CHECK_THAT(t.line_at(110), Catch::StartsWith("0 of 200 passes, 0 %, 0 passes/s ("));
  t.loops.ended({.flow = 1, .step = 2, .number = 5, .pass = 40});
  t.loops.ended({.flow = 1, .step = 2, .number = 5, .pass = 39}); // of another worker
  t.loops.ended({.flow = 1, .step = 2, .number = 6, .pass = 90}); // of another loop
  CHECK(
    t.line_at(120) == "40 of 200 passes, 20 %, 2 passes/s, 1:20 left" + in_line(all.where.line()));
  t.now = 140;
  t.end(all);
  CHECK(t.meter.end(t.loops.look(), 7, 150) ==
        "200 passes in 40.0 s, 5 passes/s" + in_line(all.where.line()));
}

TEST_CASE("an inner loop is never shown, and neither is what a guard is around") {
  told t;
  const auto outer = std::source_location::current();
  const kind around = GENERATE(kind::iterate, kind::guard);
  std::uint64_t inner_loop = 10;
  for(std::uint64_t i = 0; i != 5; ++i) {
    const pass_info p{.kind = around, .flow = 1, .number = i, .where = outer};
    t.begin(p);
    ++inner_loop;
    t.begin(iterated(inner_loop, 0));
    t.begin(iterated(inner_loop, 1));
    if(around == kind::guard) // that ends with the launch, and its loop goes on
      t.end(p);
    CHECK(t.loops.look().passes == (around == kind::guard ? i + 1 : i));
    CHECK(t.loops.look().number == 1);
    CHECK(t.loops.look().number == 1);
    t.end(iterated(inner_loop, 0));
    t.end(iterated(inner_loop, 1));
    if(around == kind::iterate)
      t.end(p);
  }
  CHECK(t.loops.look().passes == 5);
  CHECK(t.loops.in_view().number == 1);
}

TEST_CASE("a loop that was launched ahead is shown when the one before has ended") {
  told t;
  const pass_info first = repeated(1, 10), second = repeated(2, 20);
  t.begin(first);
  t.begin(second);
  CHECK(t.loops.look().most == 10);
  t.end(first);
  CHECK(t.loops.look().most == 10); // it has just done something
  CHECK(t.loops.look().most == 20);
  CHECK(t.loops.in_view().passes == 0);
  CHECK(t.loops.in_view().number == 2);
}

TEST_CASE(
  "short loops at one place that were launched ahead are counted, in whatever order they end") {
  told t;
  const auto at = std::source_location::current();
  for(std::uint64_t loop = 0; loop != 4; ++loop)
    t.begin(repeated(10 + loop, 5, at));
  for(const std::uint64_t loop : {0U, 2U, 1U})
    t.end(repeated(10 + loop, 5, at));
  CHECK(t.loops.look().passes == 15);
  CHECK(t.loops.in_view().loops == 4);
  CHECK(t.loops.in_view().of_this == 0);
  t.end(repeated(13, 5, at));
  CHECK(t.loops.look().passes == 20);
}

TEST_CASE("short loops at one place are counted together") {
  told t;
  const auto at = std::source_location::current();
  for(std::uint64_t loop = 0; loop != 6; ++loop) {
    const pass_info p = repeated(10 + loop, 50, at);
    t.begin(p);
    if(loop == 3)
      CHECK(t.line_at(110) == "150 passes of 4 loops, 15 passes/s" + in_line(at.line()));
    if(loop == 3) { // it lasts
      t.loops.ended({.flow = 1, .step = 1, .number = 13, .pass = 10});
      CHECK(t.line_at(120) ==
            "loop 4: 10 of 50 passes, 20 %, 8 passes/s, 0:05 left" + in_line(at.line()));
    }
    t.end(p);
  }
  CHECK(t.loops.look().passes == 300);
  CHECK(t.loops.in_view().loops == 6);
}
