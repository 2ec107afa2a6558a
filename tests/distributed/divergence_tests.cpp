// What ranks remember of their launches, and whether two of them are at one. Between ranks:
// mpi/diverging_program.cpp.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <source_location>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/distributed/history.hpp>
#include <rondo/rondo.hpp>

#include "plain_line.hpp"
#include "ranks.hpp"

using namespace rondo;
using namespace rondo::detail;

namespace {

/// A rank, without any messages.
struct rank {
  launch_history history;
  std::source_location where = std::source_location::current();

  void launch(std::uint64_t task) {
    history.note(step_kind::execute, "task", task, where, launch_subject());
  }
  void launch(std::uint64_t from, std::uint64_t to) {
    for(; from != to; ++from)
      launch(from);
  }
  void begin_loop() { certain = history.begin_loop(where, 1000, 0); }
  std::shared_ptr<std::atomic<std::uint64_t>> certain;
};

struct comparison {
  bool any = false;
  history_difference first;
};

comparison compare(rank& a, rank& b) {
  const auto x = std::make_unique<history_excerpt>();
  const auto y = std::make_unique<history_excerpt>();
  a.history.copy(*x);
  b.history.copy(*y);
  comparison c;
  c.any = find_difference(*x, *y, c.first);
  history_difference back;
  const bool any_back = find_difference(*y, *x, back);
  CHECK(any_back == c.any);
  if(c.any) {
    CHECK(back.launch == c.first.launch);
    CHECK(back.in_loop == c.first.in_loop);
    CHECK(back.is_exact == c.first.is_exact);
  }
  return c;
}

} // namespace

TEST_CASE("ranks that have launched the same differ in nothing, however far each has come") {
  rank a;
  rank b;
  CHECK(!compare(a, b).any);
  a.launch(0, 100);
  CHECK(!compare(a, b).any);
  b.launch(0, 3);
  CHECK(!compare(a, b).any);
  b.launch(3, 10000);
  CHECK(!compare(a, b).any); // too far away: nothing is known
  a.launch(100, 9000);
  CHECK(!compare(a, b).any);
}

TEST_CASE("the first launch that differs is found as long as it is remembered") {
  for(const std::uint64_t at : {0U, 1U, 7U, 999U})
    for(const std::uint64_t more : {0U, 1U, 2500U}) {
      CAPTURE(at, more);
      rank a;
      rank b;
      a.launch(0, at + 1);
      b.launch(0, at);
      CHECK(!compare(a, b).any);
      b.launch(12345);
      b.launch(at + 1, at + 1 + more);
      const comparison c = compare(a, b);
      REQUIRE(c.any);
      CHECK(c.first.launch == at);
      CHECK(c.first.in_loop == 0);
      CHECK(c.first.event == at);
      CHECK(c.first.is_exact);
    }
}

TEST_CASE("a difference of long ago is still seen, but not where it was") {
  rank a;
  rank b;
  a.launch(1);
  b.launch(2);
  a.launch(0, 3 * launch_history::kept);
  b.launch(0, 3 * launch_history::kept);
  const comparison c = compare(a, b);
  REQUIRE(c.any);
  CHECK(c.first.launch > launch_history::kept);
  CHECK(!c.first.is_exact);
}

TEST_CASE("what was launched ahead in a loop counts only as far as both have come") {
  rank a;
  rank b;
  for(rank* const r : {&a, &b}) {
    r->launch(0, 5);
    r->begin_loop();
  }
  a.launch(0, 10);
  b.launch(0, 300);
  CHECK(!compare(a, b).any);
  b.history.end_loop();
  b.launch(70, 80);
  CHECK(!compare(a, b).any);
  a.launch(10, 20);
  a.history.end_loop();
  a.launch(70, 75);
  CHECK(!compare(a, b).any);
  a.launch(999);
  const comparison c = compare(a, b);
  REQUIRE(c.any);
  CHECK(c.first.launch == 5 + 1 + 5);
  CHECK(c.first.in_loop == 0);
  CHECK(c.first.is_exact);
}

TEST_CASE("a difference within a loop is found there, also when one rank has left it") {
  for(const bool leaves : {false, true}) {
    rank a;
    rank b;
    for(rank* const r : {&a, &b}) {
      r->launch(0, 5);
      r->begin_loop();
      r->launch(0, 40);
    }
    a.launch(1);
    b.launch(2);
    if(leaves) {
      a.history.end_loop();
      a.launch(0, 100);
    }
    const comparison c = compare(a, b);
    REQUIRE(c.any);
    CHECK(c.first.launch == 5);
    CHECK(c.first.in_loop == 41);
    CHECK(c.first.is_exact);
    CHECK(c.first.event == 5 + 1 + 40);
  }
}

TEST_CASE(
  "loops that end after other numbers of passes are a difference, as soon as that is certain") {
  rank a;
  rank b;
  for(rank* const r : {&a, &b}) {
    r->launch(0, 5);
    r->begin_loop();
    r->history.end_loop();
  }
  b.certain->store(7);
  CHECK(!compare(a, b).any);
  a.history.note_passes(5, 7);
  CHECK(!compare(a, b).any);
  b.certain->store(8);
  const comparison c = compare(a, b);
  REQUIRE(c.any);
  CHECK(c.first.launch == 5);
  CHECK(c.first.is_in_passes);
  CHECK_THAT(a.history.describe_passes(5),
    Catch::Contains("divergence_tests.cpp:") && Catch::EndsWith("after 7 passes"));
  CHECK_THAT(b.history.describe_passes(5), Catch::EndsWith("for 8 passes at least"));
}

TEST_CASE("many short loops leave as much of the past as is remembered, and no difference") {
  rank a;
  rank b;
  for(unsigned k = 0; k != 500; ++k)
    for(rank* const r : {&a, &b}) {
      r->begin_loop();
      r->launch(0, r == &a ? k % 7 : k % 11);
      r->history.end_loop();
      r->launch(k);
      CHECK(!compare(a, b).any);
    }
}

TEST_CASE("a launch is described by its task, what it works on, and its place") {
  rank a;
  a.history.call(1, "mesh 8x8");
  a.history.call(2, "u");
  launch_subject on;
  on.add(1);
  on.add(2);
  a.history.note(step_kind::execute, "smooth", 0, a.where, on);
  CHECK_THAT(a.history.describe(0),
    Catch::StartsWith("smooth(mesh 8x8, u) at ") && Catch::Contains("divergence_tests.cpp:"));
  CHECK(a.history.describe(1) == "something that was launched long ago");
  a.launch(0, launch_history::kept);
  CHECK(a.history.describe(0) == "something that was launched long ago");
}

TEST_CASE("a history may be read while it is written") {
  rank a;
  std::atomic<bool> ends{false};
  std::thread writer([&] {
    for(unsigned k = 0; k != 300; ++k) {
      a.launch(0, 97);
      a.begin_loop();
      a.launch(0, 53);
      a.history.end_loop();
    }
    ends = true;
  });
  // What the same launches give to somebody who looks at the end only.
  const auto now = std::make_unique<history_excerpt>();
  const auto before = std::make_unique<history_excerpt>();
  while(!ends) {
    a.history.copy(*now);
    history_difference d;
    CHECK(!find_difference(*now, *before, d));
    CHECK(now->end - now->begin <= launch_history::kept);
    std::swap(*now, *before);
  }
  writer.join();
}

namespace {

using plain_line::line;
using plain_line::numbers;
using plain_line::sum;
void smooth(line::view m, numbers::accessor<rw, ro> u) {
  for(const auto i : m.interior(0))
    u(i) = (u(i - 1) + u(i + 1)) / 2;
}

} // namespace

TEST_CASE("ranks that are slow in turns are not taken for others") {
  for(const unsigned ranks : {2U, 3U, 5U})
    on_ranks(make_local_transports(ranks), 2, [](scheduler& s) {
      line m{s, {.extents = {40}, .colors = {10}}};
      numbers u{m, "u"};
      for(int round = 0; round != 6; ++round) {
        if(static_cast<unsigned>(round) % s.ranks() == s.rank())
          std::this_thread::sleep_for(std::chrono::milliseconds(130));
        static_cast<void>(s.iterate({.lag = 2}, [&](std::uint64_t pass) {
          s.execute<smooth>(m, u);
          return s.reduce<sum, fold::sum>(m, u).then([pass](double) { return pass == 9; });
        }));
        s.repeat(5, [&] { s.execute<smooth>(m, u); });
        for(int k = 0; k != 700; ++k)
          s.execute<smooth>(m, u);
      }
    });
}

TEST_CASE("one scheduler after the other checks by the same transport") {
  auto transports = make_local_transports(3);
  std::vector<std::thread> threads;
  for(const auto& t : transports)
    threads.emplace_back([&t = *t] {
      executor ex({.workers = 1, .shares_cores = true});
      for(unsigned round = 0; round != 20; ++round) {
        scheduler s(ex, t);
        ex.run([&] {
          if(round % 3 == t.rank())
            std::this_thread::sleep_for(std::chrono::milliseconds(3));
          line m{s, {.extents = {40}, .colors = {10}}};
          numbers u{m, "u"};
          s.execute<smooth>(m, u);
          static_cast<void>(s.reduce<sum, fold::sum>(m, u));
        });
      }
    });
  for(auto& t : threads)
    t.join();
  SUCCEED();
}
