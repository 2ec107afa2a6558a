// Circles of waits in a process that has several executors.

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include <catch2/catch.hpp>
#include <rondo/core/scope.hpp>
#include <rondo/futures.hpp>

#include "deadlock.hpp"
#include "support.hpp"

using namespace std::chrono_literals;
using rondo::async;
using rondo::executor;
using rondo::future;
using rondo::promise;

namespace {

bool has(const std::string& text, unsigned line) {
  return text.find(std::string(__FILE__) + ":" + std::to_string(line)) != std::string::npos;
}

} // namespace

TEST_CASE("a circle within one executor is told while there is another one") {
  if(!is_alone())
    return;
  const unsigned workers = GENERATE(1U, 2U);
  const bool background = GENERATE(false, true);
  const unsigned others = GENERATE(1U, 2U);
  CAPTURE(workers, background, others);
  const executor idle(with(others));
  executor ex(with(workers, background));
  const promise<int> p(ex);
  const future<int> f = p.get_future();
  CHECK(has(report_of([&] { (void)f.get(); }), __LINE__));
  CHECK(has(report_of([&] { ex.run([&] { (void)f.get(); }); }), __LINE__));
  const unsigned line = __LINE__;
  const future<std::string> text = async(ex, [&] { return report_of([&] { (void)f.get(); }); });
  ex.wait();
  CHECK(has(text.get(), line + 1));
}

TEST_CASE("a circle across executors is told, with the waits in all of them") {
  if(!is_alone())
    return;
  const unsigned workers_a = GENERATE(1U, 2U);
  const unsigned workers_b = GENERATE(1U, 2U);
  const bool background = GENERATE(false, true);
  CAPTURE(workers_a, workers_b, background);
  executor a(with(workers_a, background));
  executor b(with(workers_b, background));
  promise<int> p(a);
  promise<int> q(b);
  const future<int> f = p.get_future();
  const future<int> g = q.get_future();
  std::string of_a;
  std::string of_b;
  const unsigned line = __LINE__;
  const future<void> first = async(a, [&] { of_a = report_of([&] { p.set_value(g.get()); }); });
  const future<void> second = async(b, [&] { of_b = report_of([&] { q.set_value(f.get()); }); });
  (void)report_of([&] { first.get(); });
  (void)report_of([&] { second.get(); });
  a.wait(); // main's waits were given up, too: the tasks may be about to end
  b.wait();
  for(const auto& text : {of_a, of_b}) {
    CAPTURE(text);
    CHECK(has(text, line + 1));
    CHECK(has(text, line + 2));
  }
}

TEST_CASE("a body that one executor has given to another waits for what comes after it") {
  if(!is_alone())
    return;
  const unsigned workers = GENERATE(1U, 2U);
  const unsigned others = GENERATE(1U, 2U);
  CAPTURE(workers, others);
  executor a(with(workers));
  executor b(with(others));
  promise<int> p(a);
  const future<int> f = p.get_future();
  std::string text;
  const future<void> done = async(a, [&] {
    text = report_of([&] { (void)b.run([&] { return f.get(); }); });
    p.set_value(1);
  });
  const unsigned line = __LINE__ - 3;
  (void)report_of(
    [&] { done.get(); }); // main waits for the same, and its wait may be given up, too
  a.wait();
  CHECK(has(text, line));
  CHECK(f.get() == 1);
  // And so it is from main, which is a worker of both meanwhile.
  promise<int> q(a);
  const future<int> g = q.get_future();
  CHECK(has(report_of([&] { a.run([&] { (void)b.run([&] { return g.get(); }); }); }), __LINE__));
}

TEST_CASE("work that goes to and fro between executors for long is no deadlock") {
  const unsigned workers = GENERATE(1U, 2U);
  const bool background = GENERATE(false, true);
  CAPTURE(workers, background);
  executor a(with(workers, background));
  executor b(with(workers));
  std::atomic<bool> ends{false};
  const future<int> sum = async(a, [&] {
    int all = 0;
    for(int i = 0; i != 40; ++i) {
      all += b.run([&] {
        return async(a, [] {
          std::this_thread::sleep_for(
            10ms); // four times as long as it takes to be taken for a deadlock, in all
          return 1;
        }).get();
      });
      rondo::scope s;
      s.spawn([&] { ends = true; });
      s.wait();
    }
    return all;
  });
  CHECK(sum.get() == 40);
  CHECK(ends);
}

TEST_CASE("a long task of another executor is no deadlock") {
  const unsigned workers = GENERATE(1U, 2U);
  const bool background = GENERATE(false, true);
  CAPTURE(workers, background);
  executor a(with(workers));
  executor b(with(workers, background));
  const future<int> f = async(b, [] {
    std::this_thread::sleep_for(400ms);
    return 7;
  });
  CHECK(async(a, [&] { return f.get(); }).get() == 7);
}

TEST_CASE("a thread waits for a promise that was made in an executor which has ended") {
  auto first = std::make_unique<executor>(with(2));
  promise<int> p = async(*first, [] { return promise<int>(); }).get();
  const future<int> f = p.get_future();
  first.reset();
  std::thread keeps([&] {
    std::this_thread::sleep_for(20ms);
    p.set_value(3);
  });
  CHECK(f.get() == 3);
  keeps.join();
}

TEST_CASE("a thread waits for a promise while the executor that it was made in ends") {
  for(int round = 0; round != scaled(20, 5); ++round) {
    auto ex = std::make_unique<executor>(with(1 + static_cast<unsigned>(round) % 2, true));
    promise<int> p = async(*ex, [] { return promise<int>(); }).get();
    const future<int> f = p.get_future();
    int got = 0;
    std::thread waits([&] { got = f.get(); });
    std::this_thread::sleep_for(std::chrono::microseconds(200 * (round % 5)));
    ex.reset(); // not held up by the wait
    p.set_value(round);
    waits.join();
    CHECK(got == round);
  }
}
