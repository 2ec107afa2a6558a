#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <sys/resource.h>

#include <catch2/catch.hpp>
#include <rondo/core/fork_join.hpp>
#include <rondo/futures.hpp>

#include "core/configurations.hpp"
#include "deadlock.hpp"
#include "process_that.hpp"
#include "support.hpp"

using namespace std::chrono_literals;
using rondo::async;
using rondo::deadlock_error;
using rondo::executor;
using rondo::executor_options;
using rondo::future;
using rondo::promise;

namespace {

constexpr auto longer = 3 * soon;

bool has(const std::string& text, unsigned line) {
  return text.find(std::string(__FILE__) + ":" + std::to_string(line)) != std::string::npos;
}

using clock = std::chrono::steady_clock;

} // namespace

TEST_CASE("an executor whose tasks wait for a promise that nobody keeps ends the program") {
  // The child would wait for threads of the default executor, which it has not; or have two of the thread sanitizer's.
  if(!is_alone() || thread_sanitized)
    return;
  const death how = process_that([] {
    std::signal(SIGABRT, SIG_DFL); // Catch has one
    promise<int> p;
    executor ex(with(2));
    const future<int> g = async(
      ex, [](int x) { return x + 1; }, p.get_future());
  });
  CHECK(how.signal == SIGABRT);
  CAPTURE(how.text);
  CHECK(how.text.find("the end of an executor waits for all tasks of an executor") !=
        std::string::npos);
  CHECK(how.text.find("can't end before its tasks") != std::string::npos);
}

TEST_CASE("tasks that wait for each other in a circle learn where") {
  if(!is_alone())
    return;
  const unsigned workers = GENERATE(1U, 2U);
  const bool background = GENERATE(false, true);
  CAPTURE(workers, background);
  executor ex(with(workers, background));
  promise<int> p(ex);
  promise<int> q(ex);
  const future<int> f = p.get_future();
  const future<int> g = q.get_future();
  const auto began = clock::now();
  const unsigned line = __LINE__;
  const future<std::string> first = async(ex, [&] { return report_of([&] { (void)g.get(); }); });
  const future<std::string> second =
    async(ex, {.name = "second"}, [&] { return report_of([&] { (void)f.get(); }); });
  ex.wait();
  CHECK(clock::now() - began < 20s);
  for(const auto& report : {first, second}) {
    const std::string text = report.failed() ? "" : report.get();
    CAPTURE(text);
    CHECK(has(text, line + 1));
    CHECK(has(text, line + 3));
  }
  p.set_value(1); // the waits are over, the futures are as good as before
  q.set_value(2);
  CHECK(f.get() + g.get() == 3);
  CHECK(async(ex, [&] { return f.get(); }).get() == 1);
}

TEST_CASE("a large circle of tasks, of which each breaks the promise of the next") {
  if(!is_alone())
    return;
  const unsigned workers = GENERATE(1U, 2U, 8U);
  executor ex(with(workers));
  for(int round = 0; round != scaled(3, 1); ++round) {
    constexpr std::size_t many = 300;
    std::vector<future<int>> futures;
    std::vector<promise<int>> promises;
    for(std::size_t i = 0; i != many; ++i) {
      promises.emplace_back();
      futures.push_back(promises.back().get_future());
    }
    std::atomic<int> ended{0};
    for(std::size_t i = 0; i != many; ++i)
      (void)async(ex, [&, i, p = std::move(promises[i])]() mutable {
        try {
          p.set_value(futures[(i + 1) % many].get());
        }
        catch(const std::exception&) {
          ++ended;
        }
      });
    ex.wait();
    CHECK(ended.load() == many);
  }
}

TEST_CASE("a thread that waits for a promise nobody keeps is told") {
  if(!is_alone())
    return;
  const unsigned workers = GENERATE(1U, 2U);
  const bool background = GENERATE(false, true);
  CAPTURE(workers, background);
  executor ex(with(workers, background));
  const promise<int> p(ex);
  const future<int> f = p.get_future();
  const std::string report = report_of([&] { (void)f.get(); });
  CHECK(has(report, __LINE__ - 1));
  CHECK(has(report, __LINE__ - 4)); // where the promise was made
  // And so it is in the middle of a body on a worker.
  CHECK(has(report_of([&] { ex.run([&] { (void)f.get(); }); }), __LINE__));
}

TEST_CASE("a wait for a task that waits for nobody is told by the name of the task") {
  if(!is_alone())
    return;
  executor ex(with(1));
  promise<int> p(ex);
  const future<int> f = p.get_future();
  const future<int> g = async(
    ex, {.name = "stuck"}, [](int x) { return x; }, f);
  const std::string report = report_of([&] { (void)g.get(); });
  CAPTURE(report);
  CHECK(report.find("stuck") != std::string::npos);
  p.set_value(1);
  CHECK(g.get() == 1);
}

TEST_CASE("a part of a join that can never go on is told, and the join ends") {
  if(!is_alone())
    return;
  executor ex(with(2));
  const promise<int> p(ex);
  const future<int> f = p.get_future();
  const auto body = [&] { rondo::join([&] { (void)f.get(); }, [&] { (void)f.get(); }); };
  CHECK_THROWS_AS(async(ex, body).get(), deadlock_error);
  CHECK_THROWS_AS(ex.run(body), deadlock_error);
}

TEST_CASE("a promise that a thread keeps late is no deadlock") {
  for(const bool background : {false, true}) {
    executor ex(with(2, background));
    promise<int> p(ex);
    const future<int> f = p.get_future();
    const future<int> g = async(ex, [&] { return f.get() + 1; });
    std::thread keeper([&] {
      std::this_thread::sleep_for(longer);
      p.set_value(1);
    });
    CHECK(g.get() == 2);
    keeper.join();
  }
}

TEST_CASE("something outside of the process that is announced is no deadlock") {
  executor ex(with(1));
  promise<int> p(ex);
  rondo::detail::engine_of(ex).begin_external();
  std::thread keeper([&] {
    std::this_thread::sleep_for(longer);
    p.set_value(1);
    rondo::detail::engine_of(ex).end_external();
  });
  CHECK(p.get_future().get() == 1);
  keeper.join();
}

TEST_CASE("a task that works for long is no deadlock") {
  executor ex(with(2));
  const future<int> slow = async(ex, [] {
    std::this_thread::sleep_for(longer);
    return 1;
  });
  std::vector<future<int>> all;
  for(int i = 0; i != 5; ++i)
    all.push_back(async(ex, [&] { return slow.get(); }));
  for(const auto& f : all)
    CHECK(f.get() == 1);
}

TEST_CASE("a background executor that sleeps already when the first thread comes to wait") {
  if(!is_alone())
    return;
  const unsigned workers = GENERATE(1U, 2U);
  const bool has_neighbour = GENERATE(false, true); // then threads wait in another way
  CAPTURE(workers, has_neighbour);
  executor_options options = with(workers, true);
  options.spin = 0us;
  executor ex(options);
  const auto neighbour = has_neighbour ? std::make_unique<executor>(1) : nullptr;
  const promise<int> p(ex);
  const future<int> f = p.get_future();
  for(int round = 0; round != 2; ++round) {
    std::this_thread::sleep_for(200ms); // asleep, mostly
    CHECK(has(report_of([&] { (void)f.get(); }), __LINE__));
  }
}

namespace {

/// Waits, without helping anybody, until `done()`; false if it never is.
template<class F>
bool comes_true(F&& done) {
  for(int i = 0; i != 6000; ++i) {
    if(done())
      return true;
    std::this_thread::sleep_for(10ms);
  }
  return false;
}

const char* const told = "rondo: deadlock";

} // namespace

TEST_CASE("what may be a deadlock is told once, and a later one as well") {
  const bool background = GENERATE(false, true);
  CAPTURE(background);
  executor ex(with(2, background));
  promise<int> p(ex);
  promise<int> q(ex);
  const future<int> f = p.get_future();
  const future<int> g = q.get_future();
  const captured_stderr out;
  std::atomic<bool> first_told{false};
  std::atomic<bool> second_told{false};
  std::thread keeper([&] {
    first_told = comes_true([&] { return count(out.text(), told) == 1; });
    std::this_thread::sleep_for(longer); // time to say it again
    p.set_value(1);
    second_told = comes_true([&] { return count(out.text(), told) >= 2; });
    q.set_value(2);
  });
  const unsigned line = __LINE__;
  CHECK(async(ex, [&] { return f.get(); }).get() == 1);
  CHECK(async(ex, [&] { return g.get(); }).get() == 2);
  keeper.join();
  CHECK(first_told);
  CHECK(second_told);
  const std::string text = out.text();
  CAPTURE(text);
  CHECK(count(text, told) == 2);
  CHECK(has(text.substr(0, text.rfind(told)), line + 1));
  CHECK(has(text.substr(text.rfind(told)), line + 2));
}

TEST_CASE("what may be a deadlock is one when the last thread that could help has ended") {
  if(!is_alone())
    return;
  const bool background = GENERATE(false, true);
  CAPTURE(background);
  executor ex(with(2, background));
  const promise<int> p(ex);
  const future<int> f = p.get_future();
  const captured_stderr out;
  std::thread other([&] { comes_true([&] { return count(out.text(), told) == 1; }); });
  CHECK(has(report_of([&] { (void)f.get(); }), __LINE__));
  other.join();
  CHECK(count(out.text(), told) == 1);
}

namespace {
/// Knows when a worker went to sleep.
struct last_park : rondo::observer {
  std::atomic<clock::duration> at{clock::duration{}};
  void park(unsigned /*worker*/) noexcept override { at = clock::now().time_since_epoch(); }
};
} // namespace

TEST_CASE("tasks may go on while it is told what they wait for") {
  const captured_stderr out;
  for(int round = 0; round != scaled(3, 6); ++round) {
    executor ex(with(3, true));
    last_park parks;
    ex.attach(parks);
    constexpr std::size_t many = 300;
    std::vector<promise<int>> promises(many);
    std::vector<future<int>> all;
    for(auto& p : promises)
      all.push_back(async(ex, [f = p.get_future()] { return f.get(); }));
    std::thread keeper([&] {
      // When the first look at all those tasks is due.
      std::this_thread::sleep_for(soon / 2);
      std::this_thread::sleep_until(
        clock::time_point(parks.at.load()) + soon + std::chrono::microseconds(100 * round));
      for(auto& p : promises)
        p.set_value(1);
    });
    for(const auto& f : all)
      CHECK(f.get() == 1);
    keeper.join();
    ex.detach(parks);
  }
}

TEST_CASE("reports name the line of when_all, when_any and unwrapping") {
  if(!is_alone())
    return;
  executor ex(with(1));
  const promise<int> p(ex);
  const promise<future<int>> q(ex);
  const future<int> f = p.get_future();
  CHECK(has(report_of([&] { when_all(f, f).wait(); }), __LINE__));
  const auto two = when_all(f, f);
  CHECK(has(report_of([&] { two.wait(); }), __LINE__ - 1));
  const auto three = when_all(f, f, f);
  CHECK(has(report_of([&] { three.wait(); }), __LINE__ - 1));
  const auto four = when_all(f, f, f, f);
  CHECK(has(report_of([&] { four.wait(); }), __LINE__ - 1));
  const auto five = when_all(ex, f, f, f, f, f);
  CHECK(has(report_of([&] { five.wait(); }), __LINE__ - 1));
  const auto any = when_any(f, f);
  CHECK(has(report_of([&] { any.wait(); }), __LINE__ - 1));
  const auto any_of_four = when_any(f, f, f, f);
  CHECK(has(report_of([&] { any_of_four.wait(); }), __LINE__ - 1));
  const future<int> unwrapped(q.get_future());
  CHECK(has(report_of([&] { unwrapped.wait(); }), __LINE__ - 1));
}

TEST_CASE("where threads can't be counted no deadlock is certain") {
  executor ex(with(1));
  promise<int> p(ex);
  const future<int> f = p.get_future();
  std::atomic<bool> has_begun{false};
  std::atomic<bool> may_keep{false};
  std::thread other([&] {
    has_begun.store(true);
    while(!may_keep.load())
      std::this_thread::yield();
    std::this_thread::sleep_for(longer);
    p.set_value(7);
  });
  while(!has_begun.load()) // sanitizers open files when a thread begins
    std::this_thread::yield();
  // No more files, so no directory of threads either.
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_NOFILE, &before) == 0);
  const rlimit none{0, before.rlim_max};
  REQUIRE(setrlimit(RLIMIT_NOFILE, &none) == 0);
  may_keep.store(true);
  int value = 0;
  const std::string report = report_of([&] { value = f.get(); });
  setrlimit(RLIMIT_NOFILE, &before);
  other.join();
  CHECK(report.empty());
  CHECK(value == 7);
}

TEST_CASE("a wait for all tasks throws where those left wait for a promise that nobody keeps") {
  if(!is_alone())
    return;
  const unsigned workers = GENERATE(1U, 2U);
  const bool background = GENERATE(false, true);
  CAPTURE(workers, background);
  executor ex(with(workers, background));
  promise<int> p(ex);
  const future<int> g = async(
    ex, [](int x) { return x + 1; }, p.get_future());
  const unsigned line = __LINE__ + 1;
  const std::string report = report_of([&] { ex.wait(); });
  CAPTURE(report);
  CHECK(has(report, line));
  CHECK(report.find("waits for all tasks of an executor") != std::string::npos);
  p.set_value(1);
  ex.wait();
  CHECK(g.get() == 2);
}

TEST_CASE("where a get can be given up, the wait for all tasks goes on") {
  if(!is_alone())
    return;
  executor ex(with(2));
  const promise<int> p(ex);
  const future<bool> has_thrown =
    async(ex, [f = p.get_future()] { return !report_of([&] { (void)f.get(); }).empty(); });
  ex.wait();
  CHECK(has_thrown.get());
}
