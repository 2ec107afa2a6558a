// What launches cost, and going from one task to the next: of timelines made by hand.

#include <string>

#include <catch2/catch.hpp>

#include "costs/costs.hpp"
#include "report/made_runs.hpp"

using namespace rondo::simulate;
using made::run;
using how = rondo::launch_info::how_type;
using what = rondo::detail::told_time::what_type;

namespace {
const std::string a = "a made.cpp:1";
const std::string b = "b made.cpp:1";

void add_time(rondo::detail::timeline_lane& l, double begin, double end, what w) {
  l.sites.push_back({});
  l.times.push_back(
    {run::ns(begin), run::ns(end), w, static_cast<std::uint32_t>(l.sites.size() - 1)});
}
} // namespace

TEST_CASE("a launch takes the time since the one before it") {
  run r;
  r.launch(0, 0, "b", {});
  r.launch(1, 1, "a", {});
  r.launch(3, 2, "a", {});
  r.launch(6, 3, "a", {});
  r.launch(106, 4, "b", {}); // one alone says little
  const costs c = costs_of(r.made());
  CHECK(c.launches.size() == 1);
  CHECK(c.launches.at(a).analysed == 2'000);
  CHECK(c.launches.at(a).replayed == 0);
  CHECK(c.any_launch.analysed == 2'500); // of 1, 2, 3, 100
}

TEST_CASE("launches of ranks and of both ways are told apart, but for those in repeat") {
  run r(2);
  r.launch(0, 0, "a", {});
  r.launch(1, 1, "a", {}, {.how = how::replayed});
  r.launch(3, 2, "a", {}, {.how = how::found});
  r.launch(50, 3, "a", {}, {.how = how::repeated});
  r.launch(57, 4, "a", {}); // 7, after one in repeat
  r.launch(0, 0, "a", {}, {.rank = 1});
  r.launch(4, 1, "a", {}, {.rank = 1, .has_task = false, .how = how::replayed});
  r.launch(9, 2, "a", {}, {.rank = 1});
  r.launch(15, 3, "a", {}, {.rank = 1});
  const costs c = costs_of(r.made());
  CHECK(c.launches.at(a).replayed == 2'000); // of 1, 2, 4
  CHECK(c.launches.at(a).analysed == 6'000); // of 5, 6, 7
}

TEST_CASE("a launch is not measured if the thread did something else before it") {
  run r(1, 2);
  r.launch(0, 0, "a", {});
  r.wait(1, 2, "made.cpp:2");
  r.launch(10, 1, "a", {});
  r.task(11, 12, 0, "a");
  r.launch(20, 2, "a", {});
  r.message({0, 2}, 21, {0, 3}, 21);
  r.launch(30, 3, "a", {});
  // These do not disturb it: another worker's task, and a phase of the program.
  r.launch(31, 4, "a", {});
  r.task(31.2, 31.4, 1, "a", {.worker = 1});
  add_time(r.made().ranks[0].lanes[0], 31.5, 31.7, what::phase);
  r.launch(33, 5, "a", {});
  // Nor does what begins with it or ends with the one before.
  r.wait(25, 25, "made.cpp:3");
  r.task(36, 37, 2, "a");
  r.launch(36, 6, "a", {});
  r.launch(40, 7, "a", {});                                   // after the task
  CHECK(costs_of(r.made()).launches.at(a).analysed == 2'000); // of 1, 2, 3
}

TEST_CASE("where the worker's tasks were dropped, launches are not measured") {
  run r;
  for(unsigned i = 0; i != 10; ++i)
    r.launch(i, i, "a", {});
  r.task(20, 30, 5, "a");
  for(unsigned i = 0; i != 4; ++i)
    r.launch(40 + 3 * i, 10 + i, "a", {});
  CHECK(costs_of(r.made()).launches.at(a).analysed == 1'000);
  r.made().ranks[0].lanes[1].dropped = 5;
  CHECK(costs_of(r.made()).launches.at(a).analysed == 3'000);
}

TEST_CASE("from one task to the next") {
  run r(1, 2);
  const auto on = [&](unsigned worker, double begin, double end) {
    r.task(begin, end, 0, "a", {.worker = worker});
  };
  on(1, 0, 10);
  on(1, 12, 20);   // 2
  on(1, 14, 15);   // within that one
  on(1, 23, 30);   // 3
  on(1, 129, 130); // 99
  on(1, 230, 240); // 100: it has waited
  on(1, 250, 260); // it has slept
  add_time(r.made().ranks[0].lanes[2], 241, 249, what::slept);
  CHECK(costs_of(r.made()).between_tasks == 3'000);

  on(0, 0, 10);
  on(0, 10.5, 20); // 0.5
  on(0, 20.5, 30); // 0.5
  on(0, 70, 80);   // the main thread launches
  r.launch(60, 0, "a", {});
  on(0, 90, 100); // it goes on
  r.wait(65, 85, "made.cpp:2");
  on(0, 120, 130); // it begins to wait
  r.wait(110, 200, "made.cpp:3");
  on(0, 140, 150); // a message comes
  r.message({0, 0}, 5, {0, 0}, 145);
  r.message({0, 0}, 5, {0, 0}, 135);
  on(0, 150.5, 160);                                // 0.5
  CHECK(costs_of(r.made()).between_tasks == 1'250); // of 0.5, 0.5, 0.5, 2, 3, 99
}
