#include <atomic>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/core/fork_join.hpp>
#include <rondo/futures.hpp>

#include "core/configurations.hpp"
#include "support.hpp"

using namespace std::chrono_literals;
using rondo::async;
using rondo::deadlock_error;
using rondo::executor;
using rondo::future;
using rondo::promise;

namespace {

/// A deadlock is only certain if this process has no threads of its own. The default executor of
/// other tests has some: `ctest` gives each file a process.
bool is_alone() {
  const auto threads = std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
  if(threads <= (thread_sanitized ? 2 : 1))
    return true;
  WARN("not tested: there are other threads");
  return false;
}

/// What the deadlock_error says that `f` throws; empty if it throws none.
template<class F>
std::string report_of(F&& f) {
  try {
    f();
  }
  catch(const deadlock_error& e) {
    return e.what();
  }
  return {};
}

bool has(const std::string& text, unsigned line) {
  return text.find(std::string(__FILE__) + ":" + std::to_string(line)) != std::string::npos;
}

using clock = std::chrono::steady_clock;

} // namespace

TEST_CASE("tasks that wait for each other in a circle learn where") {
  if(!is_alone())
    return;
  const unsigned workers = GENERATE(1U, 2U);
  const bool background = GENERATE(false, true);
  CAPTURE(workers, background);
  executor ex({.workers = workers, .background = background});
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
  executor ex(workers);
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
  executor ex({.workers = workers, .background = background});
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
  executor ex(1);
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
  executor ex(2);
  const promise<int> p(ex);
  const future<int> f = p.get_future();
  const auto body = [&] { rondo::join([&] { (void)f.get(); }, [&] { (void)f.get(); }); };
  CHECK_THROWS_AS(async(ex, body).get(), deadlock_error);
  CHECK_THROWS_AS(ex.run(body), deadlock_error);
}

TEST_CASE("a promise that a thread keeps late is no deadlock") {
  for(const bool background : {false, true}) {
    executor ex({.workers = 2, .background = background});
    promise<int> p(ex);
    const future<int> f = p.get_future();
    const future<int> g = async(ex, [&] { return f.get() + 1; });
    std::thread keeper([&] {
      std::this_thread::sleep_for(2500ms);
      p.set_value(1);
    });
    CHECK(g.get() == 2);
    keeper.join();
  }
}

TEST_CASE("something outside of the process that is announced is no deadlock") {
  executor ex(1);
  promise<int> p(ex);
  ex.begin_external();
  std::thread keeper([&] {
    std::this_thread::sleep_for(2500ms);
    p.set_value(1);
    ex.end_external();
  });
  CHECK(p.get_future().get() == 1);
  keeper.join();
}

TEST_CASE("a task that works for long is no deadlock") {
  executor ex({.workers = 2});
  const future<int> slow = async(ex, [] {
    std::this_thread::sleep_for(2500ms);
    return 1;
  });
  std::vector<future<int>> all;
  for(int i = 0; i != 5; ++i)
    all.push_back(async(ex, [&] { return slow.get(); }));
  for(const auto& f : all)
    CHECK(f.get() == 1);
}
