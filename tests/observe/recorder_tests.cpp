// What a recorder adds up while tasks run.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/core.hpp>
#include <rondo/digest.hpp>
#include <rondo/flow.hpp>
#include <rondo/futures.hpp>
#include <rondo/observe/recorder.hpp>

using namespace rondo;
using detail::idle_gap;
using detail::measures;
using detail::named_tasks;
using detail::recorder;

namespace {

void rest_for(std::chrono::milliseconds time) { std::this_thread::sleep_for(time); }

const named_tasks& named_in(const measures& m, const std::string& name) {
  const auto at = std::ranges::find(m.names, name, &named_tasks::name);
  REQUIRE(at != m.names.end());
  return *at;
}

} // namespace

TEST_CASE("tasks are counted and timed by name") {
  executor ex(2);
  const recorder seen(ex);
  {
    flow f(ex);
    double x = 0;
    region r(f, x, "x");
    for(int i = 0; i != 5; ++i)
      f.submit(named("rests",
                 [](double& to) {
                   rest_for(std::chrono::milliseconds(4));
                   ++to;
                 }),
        write(r));
    for(int i = 0; i != 100; ++i)
      f.submit(named("short", [](double& to) { ++to; }), write(r));
    f.wait();
    CHECK(x == 105);
  }
  const measures m = seen.taken();
  CHECK(named_in(m, "short").count == 100);
  const named_tasks& rests = named_in(m, "rests");
  CHECK(rests.count == 5);
  CHECK(rests.seconds >= 0.020);
  CHECK(rests.longest >= 0.004);
  CHECK(rests.longest <= rests.seconds);
  CHECK(m.tasks.count() == 105);
  CHECK(m.working >= rests.seconds);
  CHECK(m.working <= m.workers * m.seconds);
  CHECK(m.waits.size() == 1);
}

TEST_CASE("a task that runs others while it waits is not timed for them, nor for its rest") {
  executor ex({.workers = 2, .background = true, .shares_cores = true});
  const recorder seen(ex);
  {
    flow f(ex);
    double x = 0;
    region r(f, x, "x");
    promise<double> answer(ex);
    f.submit(named("waits", [v = answer.get_future()](double& to) { to = v.get(); }), write(r));
    f.submit(named("works", [] { rest_for(std::chrono::milliseconds(30)); }));
    f.submit(named("answers", [&answer] {
      rest_for(std::chrono::milliseconds(20));
      answer.set_value(1.0);
    }));
    f.wait();
  }
  const measures m = seen.taken();
  CHECK(named_in(m, "waits").count == 1);
  CHECK(named_in(m, "works").seconds >= 0.030);
  CHECK(named_in(m, "answers").seconds >= 0.020);
  double sum = 0;
  for(const named_tasks& t : m.names)
    sum += t.seconds;
  CHECK(sum == Approx(m.working));
  CHECK(m.working <= m.workers * m.seconds);
}

TEST_CASE("tasks of more names than there is room for are counted together") {
  executor ex(1);
  const recorder seen(ex);
  std::vector<std::string> names;
  for(int i = 0; i != 200; ++i)
    names.push_back("task " + std::to_string(i));
  {
    flow f(ex);
    for(const std::string& name : names)
      f.submit(named(name.c_str(), [] {}));
    f.wait();
  }
  const measures m = seen.taken();
  std::uint64_t count = 0;
  for(const named_tasks& t : m.names)
    count += t.count;
  CHECK(count == 200);
  CHECK(named_in(m, "(others)").count > 100);
}

TEST_CASE("a value that the main thread waits for is told with its place") {
  executor ex(1); // nobody else would run it before the main thread waits
  const recorder seen(ex);
  for(int i = 0; i != 4; ++i)
    async(ex, [] {
      rest_for(std::chrono::milliseconds(2));
      return 1;
    }).get();
  const measures m = seen.taken();
  REQUIRE(m.waits.size() == 1);
  CHECK(m.waits[0].count == 4);
  CHECK(m.waits[0].what == "value");
  CHECK_THAT(m.waits[0].where, Catch::StartsWith("recorder_tests.cpp:"));
}

TEST_CASE("numbers are looked at while tasks run, and forgotten on demand") {
  executor ex({.workers = 2, .background = true, .shares_cores = true});
  digest seen(ex);
  std::atomic<bool> ends{false};
  std::thread looks([&] {
    while(!ends.load())
      CHECK_FALSE(seen.text().empty());
  });
  for(int i = 0; i != 2000; ++i)
    ex.submit([] {});
  ex.wait();
  ends.store(true);
  looks.join();
  CHECK_THAT(seen.text(), Catch::Contains("2,000 tasks"));
  CHECK_THAT(seen.json(), Catch::Contains("\"tasks\": 2000"));
  seen.clear();
  CHECK_THAT(seen.text(), Catch::Contains(" 0 tasks"));
}

TEST_CASE("observers that want no launches leave traces their short way") {
  executor ex(1);
  const recorder seen(ex);
  flow f(ex);
  double x = 0;
  region r(f, x, "x");
  trace step("step");
  for(int i = 0; i != 100; ++i) {
    const auto guard = step.make_guard(f);
    f.submit([](double& to) { ++to; }, write(r));
    f.submit([](double& to) { to *= 2; }, write(r));
  }
  f.wait();
  CHECK(step.statistics().replayed == 99);
  const auto reports = f.trace_reports();
  REQUIRE(reports.size() == 1);
  CHECK(reports[0].name == "step");
  CHECK(reports[0].replayed == 99);
  CHECK(seen.taken().tasks.count() == 200);
}

TEST_CASE("reasons why passes were not replayed are counted, each with its places") {
  executor ex(1);
  flow f(ex);
  double x = 0;
  region r(f, x, "x");
  const auto add = named("add", [](double& to) { ++to; });
  const auto twice = named("twice", [](double& to) { to *= 2; });
  {
    trace step("step");
    for(int i = 0; i != 400; ++i) {
      const auto guard = step.make_guard(f);
      f.submit(add, write(r));
      // Passes of so many lengths, in no order, that the same difference comes again before its trace is switched off.
      const int more = i % 2 == 0 ? 0 : i * 7919 % 101 % 6;
      for(int k = 0; k != more; ++k)
        f.submit(twice, write(r));
      f.submit(add, write(r));
    }
    f.wait();
    const auto all = f.trace_reports();
    REQUIRE(all.size() == 1);
    CHECK(all[0].misses.size() >= 2);
    CHECK(all[0].misses.size() <= 8);
    std::uint64_t count = 0;
    for(const trace_miss& m : all[0].misses) {
      count += m.count;
      CHECK(m.pass < 400);
      CHECK_THAT(m.why, Catch::StartsWith("launch ") && Catch::Contains("(x write) at ") &&
                          Catch::Contains("recorder_tests.cpp:"));
      CHECK(std::ranges::count(all[0].misses, m.why, &trace_miss::why) == 1);
    }
    CHECK(count == all[0].diverged);
    CHECK(count > all[0].misses.size());
    CHECK_THAT(step.text(), Catch::Contains(all[0].misses.back().text()));
  }
  const auto gone = f.trace_reports();
  REQUIRE(gone.size() == 1);
  CHECK(gone[0].misses.size() >= 2);
}

TEST_CASE("waits of the main thread are told in run as well, and those of tasks are not") {
  executor ex(1);
  const recorder seen(ex);
  ex.run([&] {
    flow f(ex);
    double x = 0;
    region r(f, x, "x");
    for(int i = 0; i != 3; ++i)
      f.submit(
         [](double& to) {
           rest_for(std::chrono::milliseconds(2));
           return ++to;
         },
         write(r))
        .get();
    promise<double> answer(ex);
    f.submit([v = answer.get_future()](double& to) { to = v.get(); }, write(r));
    f.submit([&answer] {
      rest_for(std::chrono::milliseconds(2));
      answer.set_value(1.0);
    });
    f.wait();
  });
  const measures m = seen.taken();
  REQUIRE(m.waits.size() == 2);
  CHECK(m.waits[0].what == "value");
  CHECK(m.waits[0].count == 3);
  CHECK(m.waits[1].what == "launches");
  CHECK(m.waits[1].count == 1);
  CHECK(m.launching < m.seconds);
}

TEST_CASE("the longest gap is told with the task that has ended it") {
  executor ex(1);
  const recorder seen(ex);
  {
    flow f(ex);
    f.submit(named("first", [] { return 1; })).get();
    rest_for(std::chrono::milliseconds(30)); // the thread that launches is the worker
    f.submit(named("late", [] { return 2; })).get();
    f.wait();
  }
  const measures m = seen.taken();
  REQUIRE(!m.longest_gaps.empty());
  CHECK(m.longest_gaps[0].seconds >= 0.030);
  CHECK(m.longest_gaps[0].before == "late");
  CHECK(m.longest_gaps[0].waited == idle_gap::waited_type::launch);
}

TEST_CASE("a gap in which another worker has a task is told so") {
  executor ex(2);
  const recorder seen(ex);
  std::atomic<int> there{0};
  const auto meet = [&there](int all) { // two tasks that run at the same time
    ++there;
    while(there < all)
      std::this_thread::yield();
  };
  {
    flow f(ex);
    double x = 0;
    region r(f, x, "x");
    f.submit(named("short", [&] { meet(2); }));
    f.submit(named("long",
               [&](double&) {
                 meet(2);
                 rest_for(std::chrono::milliseconds(50));
               }),
      write(r));
    for(int i = 0; i != 2; ++i)
      f.submit(named("after", [&](const double&) { meet(4); }), read(r));
    f.wait();
  }
  const measures m = seen.taken();
  REQUIRE(!m.longest_gaps.empty());
  CHECK(m.longest_gaps.size() <= 3);
  CHECK(std::ranges::is_sorted(m.longest_gaps, std::greater(), &idle_gap::seconds));
  const auto known =
    std::ranges::find(m.longest_gaps, idle_gap::waited_type::tasks, &idle_gap::waited);
  REQUIRE(known != m.longest_gaps.end());
  CHECK(known->before == "after");
  CHECK(known->seconds >= 0.025);
}

TEST_CASE("phases are told by name, each for itself") {
  { const phase nobody_records("before"); }
  executor ex(1);
  const recorder seen(ex);
  double x = 0;
  {
    flow f(ex);
    region r(f, x, "x");
    for(int i = 0; i != 3; ++i) {
      const phase outer("outer");
      f.submit([](double&) { rest_for(std::chrono::milliseconds(4)); }, write(r));
      f.wait();
      const phase inner("inner");
      rest_for(std::chrono::milliseconds(2));
    }
  }
  const measures m = seen.taken();
  REQUIRE(m.phases.size() == 2);
  CHECK(m.phases[0].name == "inner");
  CHECK(m.phases[0].count == 3);
  CHECK(m.phases[0].seconds >= 0.006);
  CHECK(m.phases[0].working == 0);
  CHECK(m.phases[1].name == "outer");
  CHECK(m.phases[1].seconds >= 0.018);
  CHECK(m.phases[1].working >= 0.012);
  CHECK(m.phases[1].working <= m.phases[1].seconds);
}

TEST_CASE("a phase that ends after what recorded it, or was begun before it, is in none") {
  executor ex(1);
  auto first = std::make_unique<recorder>(ex);
  {
    const phase here("here");
    first.reset();
    first = std::make_unique<recorder>(ex);
  }
  CHECK(first->taken().phases.empty());
}

TEST_CASE("waits for an executor and for graphs are told, with their places") {
  executor ex(2);
  const recorder seen(ex);
  for(int i = 0; i != 2; ++i)
    ex.submit([] { rest_for(std::chrono::milliseconds(2)); });
  ex.wait();
  graph g;
  g.add([] { rest_for(std::chrono::milliseconds(2)); });
  g.add([] { rest_for(std::chrono::milliseconds(2)); });
  for(int i = 0; i != 3; ++i)
    ex.run(g);
  ex.run_n(g, 2);
  int left = 2;
  ex.run_until(g, [&left] { return --left == 0; });
  {
    graph_run under_way = ex.start(g);
    under_way.wait();
  }
  ex.submit([&ex] { ex.run([] {}); }); // a task has no waits
  ex.wait();
  const measures m = seen.taken();
  REQUIRE(m.waits.size() == 6);
  const std::uint64_t counts[] = {1, 3, 1, 2, 1, 1};
  for(std::size_t i = 0; i != m.waits.size(); ++i) {
    CHECK(m.waits[i].what == "launches");
    CHECK(m.waits[i].where.starts_with("recorder_tests.cpp:"));
    CHECK(m.waits[i].count == counts[i]);
  }
  CHECK(m.working + m.launching <= m.workers * m.seconds);
}
