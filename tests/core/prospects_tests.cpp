// What is counted for the look for deadlocks.

#include <chrono>
#include <optional>

#include <catch2/catch.hpp>
#include <rondo/core/prospects.hpp>

using namespace std::chrono_literals;
using rondo::detail::prospects;

TEST_CASE("the first thread that waits is told so, and the one after a time without any") {
  prospects p;
  CHECK(p.begin_wait());
  CHECK_FALSE(p.begin_wait());
  CHECK(p.waits() == 2);
  p.end_wait();
  CHECK_FALSE(p.begin_wait());
  p.end_wait();
  p.end_wait();
  CHECK(p.waits() == 0);
  CHECK(p.begin_wait());
}

TEST_CASE("a thread that waits and is awake may find something yet") {
  prospects p;
  CHECK(p.do_all_waits_sleep());
  static_cast<void>(p.begin_wait());
  static_cast<void>(p.begin_wait());
  p.begin_sleep();
  CHECK_FALSE(p.do_all_waits_sleep());
  p.begin_sleep();
  CHECK(p.do_all_waits_sleep());
  p.end_sleep();
  CHECK_FALSE(p.do_all_waits_sleep());
}

TEST_CASE("the begin and the end of a wait are events") {
  prospects p;
  const auto before = p.events_of_waits();
  static_cast<void>(p.begin_wait());
  const auto begun = p.events_of_waits();
  p.end_wait();
  CHECK(begun != before);
  CHECK(p.events_of_waits() != begun);
  CHECK(p.events_of_waits() != before);
}

TEST_CASE("something from outside, bodies, self-ending waits and covered workers are counted") {
  prospects p;
  p.begin_external();
  p.begin_external();
  p.end_external();
  CHECK(p.any_external());
  p.end_external();
  CHECK_FALSE(p.any_external());
  {
    const prospects::body one(p);
    std::optional<prospects::body> another(p);
    another.reset();
    CHECK(p.any_body());
  }
  CHECK_FALSE(p.any_body());
  {
    const prospects::self_ending_wait one(p);
    std::optional<prospects::self_ending_wait> another(p);
    another.reset();
    CHECK(p.any_self_ending());
  }
  CHECK_FALSE(p.any_self_ending());
  p.note_covered(2);
  p.note_covered(-1);
  CHECK(p.covered() == 1);
}

TEST_CASE("a visit in vain counts from when it began") {
  prospects p;
  const auto began = std::chrono::steady_clock::now();
  CHECK_FALSE(p.is_visited_since(began));
  p.note_visit_in_vain(began);
  CHECK(p.is_visited_since(began));
  CHECK_FALSE(p.is_visited_since(began + 1ns));
}
