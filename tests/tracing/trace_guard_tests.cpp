#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>

#include <catch2/catch.hpp>
#include <rondo/flow.hpp>
#include <rondo/futures.hpp>

#include "core/configurations.hpp"
#include "futures/support.hpp"
#include "trace_support.hpp"

using namespace rondo;
using Catch::Matchers::Contains;

namespace {

/// What the std::logic_error says that `f` throws; empty if it throws none.
template<class F>
std::string complaint_of(F&& f) {
  try {
    f();
  }
  catch(const std::logic_error& e) {
    return e.what();
  }
  return {};
}

void do_passes(twin& p, trace& t, std::uint64_t n, std::size_t first, std::size_t end) {
  for(std::uint64_t pass = 0; pass != n; ++pass) {
    const auto guard = t.make_guard(p.home());
    p.steps(first, end, pass);
  }
}

} // namespace

// ---- guards ------------------------------------------------------------------------------------

TEST_CASE("a guard of another flow than that of the launches is told of by the trace") {
  executor ex(2);
  twin p(ex, 4);
  trace t("step");
  const auto do_some = [&](std::uint64_t n, flow* of) {
    for(std::uint64_t pass = 0; pass != n; ++pass) {
      const auto guard = of != nullptr ? t.make_guard(*of) : t.make_guard();
      p.steps(0, 4, pass);
    }
  };
  {
    flow newer(ex); // which make_guard() takes
    do_some(5, nullptr);
    CHECK_THAT(t.text(), Contains("pass 4, nothing was launched in the flow of the guard at ") &&
                           Contains("trace_guard_tests.cpp:") &&
                           Contains("make_guard(s.launches()), in 5 passes\n"));
  }
  int value = 0;
  region r(p.home(), value);
  trace other("other");
  for(int pass = 0; pass != 2; ++pass) { // a loop is something
    const auto guard = other.make_guard(p.home());
    p.home().repeat(3, [&] { p.home().submit([](int& v) { ++v; }, write(r)); });
  }
  do_some(5, &p.home());
  CHECK(p.is_right());
  CHECK_THAT(other.text(), !Contains("nothing was launched"));
  CHECK_THAT(t.text(), !Contains("nothing was launched"));
}

TEST_CASE("a pass that is skipped is neither recorded nor replayed") {
  executor ex(2);
  twin p(ex, 4);
  trace t;
  t.skip(); // the first one
  do_passes(p, t, 1, 1, 4);
  CHECK(t.statistics().recorded == 0);
  CHECK(t.statistics().skipped == 1);
  do_passes(p, t, 5, 0, 4);
  t.skip(); // one of the others, which is another one
  do_passes(p, t, 1, 2, 4);
  do_passes(p, t, 5, 0, 4);
  CHECK(p.is_right());
  const trace_statistics s = t.statistics();
  CHECK(s.passes == 12);
  CHECK(s.recorded == 1);
  CHECK(s.replayed == 9);
  CHECK(s.skipped == 2);
  CHECK(s.diverged == 0);
}

TEST_CASE("a trace that is reset records the next pass") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  twin p(ex, 5);
  trace t;
  do_passes(p, t, 10, 0, 5);
  t.reset();
  CHECK(t.statistics().passes == 0);
  CHECK(t.statistics().templates == 0);
  CHECK_THAT(t.text(), Contains("0 passes"));
  do_passes(p, t, 10, 1, 4);
  CHECK(p.is_right());
  CHECK(t.statistics().recorded == 1);
  CHECK(t.statistics().replayed == 9);
}

TEST_CASE("a trace may be reset in a pass") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  twin p(ex, 5);
  trace t;
  do_passes(p, t, 10, 0, 5);
  {
    const auto guard = t.make_guard(p.home());
    p.steps(0, 3, 1);
    t.reset();
    p.steps(3, 5, 1);
  }
  do_passes(p, t, 10, 0, 5);
  CHECK(p.is_right());
  CHECK(t.statistics().replayed >= 9);
}

TEST_CASE("a guard in a guard divides the pass, and both traces go on") {
  executor ex(2);
  twin p(ex, 4);
  trace outer(p.home(), "outer");
  trace inner(p.home(), "inner");
  for(std::uint64_t pass = 0; pass != 5; ++pass) {
    const auto guard = outer.make_guard();
    p.steps(0, 2, pass);
    for(int i = 0; i != 3; ++i) {
      const auto other = inner.make_guard();
      p.steps(1, 3, pass);
    }
    p.steps(2, 4, pass);
  }
  CHECK(p.is_right());
  CHECK(outer.statistics().passes == 5);
  CHECK(outer.statistics().replayed == 4);
  CHECK_THAT(outer.text(), Contains("behind a loop in it: trace 'outer': 15 passes, 4 replayed"));
  CHECK(inner.statistics().passes == 15);
  CHECK(inner.statistics().replayed == 14);
}

TEST_CASE("a guard in a guard of the same trace is an error that names both places") {
  executor ex(2);
  twin p(ex, 4);
  trace t(p.home(), "outer");
  trace inner(p.home(), "inner");
  const std::string here = "trace_guard_tests.cpp:";
  for(std::uint64_t pass = 0; pass != 5; ++pass) {
    std::string again;
    std::string deeper;
    const unsigned line = __LINE__ + 1;
    const auto guard = t.make_guard();
    p.steps(0, 2, pass);
    again = complaint_of([&] { (void)t.make_guard(); });
    (void)p.home().iterate([&] {
      deeper = complaint_of([&] { (void)t.make_guard(); });
      const auto other = inner.make_guard();
      return make_ready(true);
    });
    p.steps(2, 4, pass);
    CHECK_THAT(again, Contains("'outer' at ") && Contains("takes a trace of its own"));
    CHECK_THAT(again, Contains(here + std::to_string(line)));
    CHECK_THAT(again, Contains(here + std::to_string(line + 2)));
    CHECK_THAT(deeper, Contains(here + std::to_string(line)));
    CHECK_THAT(deeper, Contains(here + std::to_string(line + 4)));
  }
  CHECK(p.is_right());
  CHECK(t.statistics().passes == 5);
  CHECK(t.statistics().replayed == 4);
}

TEST_CASE("a guard of one trace for two flows at once is an error") {
  // Is not: the trace leaves the first flow, and its guard ends the pass of the second one.
  executor ex(2);
  twin p(ex, 3);
  twin q(ex, 3);
  trace t;
  do_passes(p, t, 3, 0, 3);
  {
    const auto guard = t.make_guard(p.home());
    p.steps(0, 3, 1);
    CHECK_FALSE(complaint_of([&] { (void)t.make_guard(q.home()); }).empty());
  }
  do_passes(p, t, 3, 0, 3);
  CHECK(p.is_right());
  CHECK(q.is_right());
}

TEST_CASE("guards of two flows may overlap") {
  executor ex(2);
  twin p(ex, 3);
  twin q(ex, 3);
  trace of_p;
  trace of_q;
  for(std::uint64_t pass = 0; pass != 10; ++pass) {
    const auto guard = of_p.make_guard(p.home());
    const auto other = of_q.make_guard(q.home());
    for(std::size_t i = 0; i != 3; ++i) {
      p.step(i, pass);
      q.step(i, pass);
    }
  }
  CHECK(p.is_right());
  CHECK(q.is_right());
  CHECK(of_p.statistics().replayed == 9);
  CHECK(of_q.statistics().replayed == 9);
}

TEST_CASE("a guard without a flow is an error that says what to do") {
  trace t;
  CHECK_THAT(complaint_of([&] { (void)t.make_guard(); }),
    Contains("there is no flow") && Contains("make_guard(flow)"));
  // Nor does one that has ended count.
  executor ex(2);
  { const flow f(ex); }
  CHECK_THAT(complaint_of([&] { (void)t.make_guard(); }), Contains("there is no flow"));
  twin p(ex, 3);
  do_passes(p, t, 5, 0, 3);
  CHECK(p.is_right());
  CHECK(t.statistics().replayed == 4);
}

TEST_CASE("a guard without a flow is for the one that was made last and is still there") {
  executor ex(2);
  trace t;
  twin p(ex, 3);
  { const flow other(ex); }
  for(std::uint64_t pass = 0; pass != 5; ++pass) {
    const auto guard = t.make_guard();
    p.steps(0, 3, pass);
  }
  CHECK(p.is_right());
  CHECK(t.statistics().replayed == 4);
}

TEST_CASE("a guard for a flow of other code is an error, and the trace goes on") {
  executor ex(2);
  twin p(ex, 3);
  trace t(p.home());
  do_passes(p, t, 3, 0, 3);
  std::string message;
  std::string of_new_one;
  std::thread([&] {
    message = complaint_of([&] { (void)t.make_guard(p.home()); });
    of_new_one = complaint_of([&] {
      trace mine;
      (void)mine.make_guard(p.home());
    });
  }).join();
  CHECK_THAT(message, Contains("used by other code"));
  CHECK_THAT(of_new_one, Contains("used by other code"));
  p.home().submit(
    [&p, &t, &message] { message = complaint_of([&] { (void)t.make_guard(p.home()); }); });
  do_passes(p, t, 3, 0, 3);
  CHECK(p.is_right());
  CHECK_THAT(message, Contains("used by other code"));
  CHECK(t.statistics().replayed == 5);
}

TEST_CASE("tasks replay flows of their own") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  flow outer(ex);
  std::atomic<int> right{0};
  for(int i = 0; i != 8; ++i)
    outer.submit([&] {
      twin p(ex, 4);
      trace t;
      for(std::uint64_t pass = 0; pass != 20; ++pass) {
        const auto guard = t.make_guard(); // for the flow that this task has made
        p.steps(0, 4, pass);
      }
      right += p.is_right() && t.statistics().replayed == 19 ? 1 : 0;
    });
  outer.wait();
  CHECK(right == 8);
}

// ---- failures ----------------------------------------------------------------------------------

TEST_CASE("an exception in the scope of a guard leaves the trace as it was") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  twin p(ex, 5);
  trace t;
  const std::uint64_t at = GENERATE(0U, 6U); // when it is recorded, and when it is replayed
  const std::size_t done = GENERATE(0U, 3U, 5U);
  for(std::uint64_t pass = 0; pass != 20; ++pass)
    try {
      const auto guard = t.make_guard(p.home());
      p.steps(0, pass == at ? done : 5, pass);
      if(pass == at)
        throw mishap(1);
    }
    catch(const mishap&) {
    }
  CHECK(p.is_right());
  CHECK(t.statistics().recorded == 1);
  // A pass that came to its end counts, whatever happened after that.
  CHECK(t.statistics().replayed == (at != 0 && done == 5 ? 19 : 18));
  CHECK(t.statistics().launches == 5);
}

TEST_CASE("a guard that lives while an exception is under way is like all others") {
  executor ex(2);
  twin p(ex, 5);
  trace t;
  struct at_the_end {
    twin& p;
    trace& t;
    ~at_the_end() { do_passes(p, t, 5, 0, 5); }
  };
  try {
    const at_the_end a{p, t};
    throw mishap(1);
  }
  catch(const mishap&) {
  }
  CHECK(p.is_right());
  CHECK(t.statistics().replayed == 4);
}

TEST_CASE("a task that fails in a pass fails the flow, and the next passes are replayed") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  flow f(ex);
  int value = 0;
  region r(f, value);
  trace t(f);
  const int failing = GENERATE(0, 4);
  for(int pass = 0; pass != 5; ++pass) {
    const auto guard = t.make_guard();
    f.submit([](int& x) { ++x; }, write(r));
    f.submit(
      [failing, pass](int& x) {
        if(pass == failing)
          throw mishap(pass);
        ++x;
      },
      write(r));
    f.submit([](int& x) { ++x; }, write(r));
  }
  CHECK_THROWS_AS(f.wait(), mishap);
  CHECK(value == 3 * failing + 1);
  const auto before = t.statistics().replayed;
  for(int pass = 0; pass != 10; ++pass) {
    const auto guard = t.make_guard();
    f.submit([](int& x) { ++x; }, write(r));
    f.submit([](int& x) { ++x; }, write(r));
  }
  f.wait();
  CHECK(value == 3 * failing + 1 + 20);
  CHECK(t.statistics().replayed > before);
}

TEST_CASE("a failure that a wait in a pass throws leaves the trace as it was") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  flow f(ex);
  int value = 0;
  region r(f, value);
  trace t(f);
  int failures = 0;
  for(int pass = 0; pass != 20; ++pass)
    try {
      const auto guard = t.make_guard();
      f.submit(
        [pass](int& x) {
          if(pass % 5 == 3)
            throw mishap(pass);
          ++x;
        },
        write(r));
      f.wait(r);
      f.submit([](int& x) { ++x; }, write(r));
    }
    catch(const mishap&) {
      ++failures;
    }
  f.wait();
  CHECK(failures == 4);
  CHECK(value == 2 * 16);
  CHECK(t.statistics().replayed == 15);
  CHECK(t.statistics().diverged == 4);
}

TEST_CASE("futures of replayed launches fail and are cancelled like those of others") {
  executor ex(2);
  flow f(ex);
  int value = 0;
  region r(f, value);
  trace t(f);
  for(int pass = 0; pass != 4; ++pass) {
    future<int> failed;
    future<int> after;
    {
      const auto guard = t.make_guard();
      failed = f.submit(
        [pass](int& x) {
          if(pass % 2 == 1)
            throw mishap(pass);
          return ++x;
        },
        write(r));
      after = f.submit([](int& x) { return ++x; }, write(r));
    }
    if(pass % 2 == 1) {
      CHECK_THROWS_AS(f.wait(), mishap);
      CHECK(mishap_of(failed) == pass);
      CHECK_THROWS_AS(after.get(), cancelled);
      continue;
    }
    f.wait();
    CHECK(after.get() == value);
  }
  CHECK(value == 4);
  CHECK(t.statistics().replayed == 3);
}

TEST_CASE("a launch that is refused in a pass leaves the pass as it was") {
  executor ex(2);
  twin p(ex, 4);
  twin q(ex, 4);
  trace t;
  for(std::uint64_t pass = 0; pass != 20; ++pass) {
    const auto guard = t.make_guard(p.home());
    p.steps(0, 2, pass);
    if(pass == 5) {
      using word = std::uint64_t;
      CHECK_THROWS_WITH(p.home().submit([](word&) {}, write(q[0])), Contains("another flow"));
      CHECK_THROWS_WITH(
        p.home().submit([](word&, const word&) {}, write(p[2]), read(p[2])), Contains("twice"));
    }
    if(pass == 7)
      CHECK_THROWS_AS(
        p.home().submit([](std::uint64_t&, int) {}, write(p[1]), future<int>()), std::logic_error);
    p.steps(2, 4, pass);
  }
  CHECK(p.is_right());
  CHECK(t.statistics().replayed >= 18);
  CHECK(t.statistics().launches == 4);
}

TEST_CASE("an expected launch whose argument can't be moved is expected again") {
  executor ex(2);
  flow f(ex);
  int value = 0;
  region r(f, value);
  struct fragile {
    bool breaks;
    explicit fragile(bool b) : breaks(b) {}
    fragile(const fragile& o) : breaks(o.breaks) {
      if(breaks)
        throw mishap(3);
    }
  };
  trace t(f);
  const auto add = [](int& x, const fragile&) { ++x; };
  for(int pass = 0; pass != 10; ++pass) {
    const auto guard = t.make_guard();
    const fragile whole(false);
    const fragile broken(true);
    if(pass % 3 == 1)
      CHECK_THROWS_AS(f.submit(add, write(r), broken), mishap);
    f.submit(add, write(r), whole);
    f.submit([](int& x) { ++x; }, write(r));
  }
  f.wait();
  CHECK(value == 20);
  CHECK(t.statistics().replayed == 9);
}
