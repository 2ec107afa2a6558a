// When workers had nothing to do.

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "analysis.hpp"
#include "report/made_runs.hpp"

using namespace rondo::report;
using made::mode;
using made::run;

TEST_CASE("the longest times without a task, and what has ended them") {
  run r(2, 1);
  r.launch(0, 0, "first", {{1, mode::write}});
  r.launch(1, 1, "second", {{1, mode::read}});
  r.launch(0, 0, "other", {}, {.rank = 1});
  r.launch(0, 1, "receives", {}, {.rank = 1});
  r.launch(89, 2, "late", {}, {.rank = 1});
  r.task(1, 10, 0, "first");
  r.task(30, 40, 1, "second");
  r.task(2, 10, 0, "other", {.rank = 1});
  r.task(60, 61, 1, "receives", {.rank = 1});
  r.task(90, 100, 2, "late", {.rank = 1});
  r.message({0, 0}, 9, {1, 1}, 59);
  const analysis a(r.made());
  REQUIRE(a.gaps.size() == 5);
  CHECK(a.gaps[0].length() == run::ns(50));
  CHECK(a.gaps[1].length() == run::ns(29));
  CHECK(a.gaps[2].length() == run::ns(20));
  CHECK(a.gaps[4].length() == run::ns(1));
  const std::string text = text_of(a);
  CHECK_THAT(
    text, Catch::Contains("50 us on worker 0 of rank 1, until receives (made.cpp:1) began: "
                          "it waited for a message from rank 0\n"));
  CHECK_THAT(text, Catch::Contains("until late (made.cpp:1) began: it was launched late\n"));
  CHECK_THAT(text, Catch::Contains("until second (made.cpp:1) began: it was ready before\n"));
  CHECK_THAT(words_of(a).back(), Catch::Contains("longest time without a task was 50 us"));
}

TEST_CASE("a worker that waits for another one's task has a gap") {
  run r(1, 2);
  r.launch(0, 0, "long", {{1, mode::write}});
  r.launch(1, 1, "behind it", {{1, mode::read}});
  r.task(1, 50, 0, "long");
  r.task(51, 60, 1, "behind it", {.worker = 1});
  const analysis a(r.made());
  CHECK_THAT(
    text_of(a), Catch::Contains("51 us on worker 1, until behind it (made.cpp:1) began: it "
                                "waited for long (made.cpp:1)\n"));
}

TEST_CASE("a task within another one ends no gap, and what was before lost events is not known") {
  run r;
  r.task(10, 50, 0, "outer");
  r.task(20, 30, 1, "inner");
  r.task(52, 60, 2, "next");
  CHECK(longest_gaps(spans_of(r.made()), 5).size() == 2);
  r.made().ranks[0].lanes[1].dropped = 1;
  const std::vector<idle_gap> gaps = longest_gaps(spans_of(r.made()), 5);
  REQUIRE(gaps.size() == 1);
  CHECK(gaps[0].length() == run::ns(2));
}

TEST_CASE("sleep is told if it is much") {
  run r;
  r.task(90, 100, 0, "computes");
  auto& worker = r.made().ranks[0].lanes[1];
  worker.times.push_back({0, run::ns(80), rondo::detail::told_time::what_type::slept, 0});
  const analysis a(r.made());
  CHECK(time_asleep(a.spans) == Approx(80e-6));
  CHECK_THAT(text_of(a), Catch::Contains("Workers slept for 80 % of their time."));
}
