// What is not known is not made up, and what is known is found, though much is missing.

#include <algorithm>
#include <cstdint>
#include <string>

#include <catch2/catch.hpp>

#include "analysis.hpp"
#include "loop_graph.hpp"
#include "page.hpp"
#include "report/made_runs.hpp"

using namespace rondo::report;
using made::mode;
using made::run;

namespace {

/// In microseconds, of the task that begins then; negative: not known.
double delay_at(run& r, double begin) {
  const analysis a(r.made());
  for(std::uint32_t i = 0; i != a.spans.all.size(); ++i)
    if(a.spans.all[i].begin == run::ns(begin) && a.spans.sites[a.spans.all[i].site].name != "wait")
      return 1e-3 * static_cast<double>(delay_of(i, a.spans, a.graph, a.ready));
  FAIL("there is no such task");
  return 0;
}

rondo::detail::timeline_lane& main_of(run& r) { return r.made().ranks[0].lanes[0]; }

} // namespace

TEST_CASE("a task is its launch's, though one that is left out has the same number") {
  run r;
  r.launch(0, 0, "first", {{1, mode::write}});
  r.launch(1, 1, "left out", {{1, mode::read}}, {.has_task = false});
  r.launch(2, 1, "second", {{2, mode::write}});
  r.launch(3, 2, "third", {{2, mode::read}});
  r.task(4, 50, 0, "first");
  r.task(60, 70, 1, "second");
  r.task(75, 80, 2, "third");
  CHECK(delay_at(r, 60) == 58);
  CHECK(delay_at(r, 75) == 5);
}

TEST_CASE("of a loop of a thousand million passes those count whose tasks are there") {
  constexpr std::uint64_t passes = 1'000'000'000;
  run r;
  r.made().ranks[0].lanes[1].dropped = passes - 10;
  r.launch(0, 3, "again", {{1, mode::write}},
    {.how = rondo::launch_info::how_type::repeated, .step = 1, .passes = passes});
  for(std::uint64_t n = 0; n != 10; ++n)
    r.task(10.0 * double(n + 1), 10.0 * double(n + 1) + 8, 3, "again",
      {.step = 1, .pass = passes - 10 + n});
  const analysis a(r.made());
  CHECK(a.graph.nodes.size() == 10);
  CHECK(delay_at(r, 10) < 0); // what the pass before it did is lost
  CHECK(delay_at(r, 20) == 2);
  CHECK(delay_at(r, 100) == 2);
  CHECK_FALSE(page_of(a, nullptr).empty());
}

TEST_CASE("a task behind passes that have not run waits for the last one that has") {
  run r;
  r.launch(0, 3, "again", {{1, mode::write}},
    {.how = rondo::launch_info::how_type::repeated, .step = 1, .passes = 100});
  r.launch(1, 4, "behind", {{1, mode::read}});
  r.task(10, 20, 3, "again", {.step = 1, .pass = 0});
  r.task(20, 30, 3, "again", {.step = 1, .pass = 1});
  r.task(37, 40, 4, "behind");
  CHECK(delay_at(r, 37) == 7);
}

TEST_CASE("a task whose accesses are not known, and those that may wait for it, have no delay") {
  run r;
  r.launch(0, 0, "known", {{1, mode::write}});
  r.launch(1, 1, "not known", {});
  main_of(r).shapes.back().knows_accesses = false;
  r.launch(2, 2, "may wait", {{1, mode::read}});
  r.launch(3, 3, "also may wait", {{1, mode::write}});
  r.launch(4, 4, "waits for that", {{1, mode::read}});
  r.launch(5, 5, "of another region", {{2, mode::read}});
  for(std::uint64_t n = 0; n != 6; ++n)
    r.task(10.0 * double(n + 1), 10.0 * double(n + 1) + 9, n, "task");
  CHECK(delay_at(r, 10) == 10);
  CHECK(delay_at(r, 20) < 0);
  CHECK(delay_at(r, 30) < 0);
  CHECK(delay_at(r, 40) < 0);
  CHECK(delay_at(r, 50) == 1); // all that it waits for is the write, whose end is known
  CHECK(delay_at(r, 60) < 0);
}

TEST_CASE("where the oldest launches are lost, delays are known once a region was written") {
  run r;
  main_of(r).dropped = 10;
  r.launch(0, 20, "may wait", {{1, mode::read}});
  r.launch(1, 21, "may wait", {{1, mode::write}});
  r.launch(2, 22, "waits", {{1, mode::read}});
  for(std::uint64_t n = 0; n != 3; ++n)
    r.task(10.0 * double(n + 1), 10.0 * double(n + 1) + 9, 20 + n, "task");
  CHECK(delay_at(r, 10) < 0);
  CHECK(delay_at(r, 20) < 0);
  CHECK(delay_at(r, 30) == 1);
}

TEST_CASE("where the oldest tasks are lost, delays of those behind them are not known") {
  run r;
  r.made().ranks[0].lanes[1].dropped = 1;
  r.launch(0, 0, "lost", {{1, mode::write}});
  r.launch(1, 1, "behind it", {{1, mode::write}});
  r.launch(2, 2, "behind that", {{1, mode::write}});
  r.task(20, 29, 1, "behind it");
  r.task(30, 39, 2, "behind that");
  CHECK(delay_at(r, 20) < 0);
  CHECK(delay_at(r, 30) == 1);
}

TEST_CASE("sixty-four ranks, and ranks without anything") {
  run r(64, 2);
  for(unsigned rank = 0; rank != 60; ++rank) {
    r.launch(0, 0, "computes", {}, {.rank = rank});
    r.task(1, 2 + rank, 0, "computes", {.rank = rank, .worker = 1});
  }
  const analysis a(r.made());
  REQUIRE(a.table.size() == 1);
  CHECK(a.table[0].count == 60);
  CHECK(a.spans.lanes.size() == 128);
  CHECK_FALSE(page_of(a, nullptr).empty());
  CHECK_FALSE(text_of(a).empty());
}
