// Launches and futures: as results, as arguments, awaited in tasks.

#include <rondo/flow.hpp>

#include <atomic>

#include <catch2/catch.hpp>
#include <rondo/futures.hpp>

#include "core/configurations.hpp"

using namespace rondo;

TEST_CASE("results are futures, and futures are arguments") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  flow f(ex);
  int value = 0;
  region r(f, value);
  promise<int> p(ex);
  f.submit([](int& v, int by) { v += by; }, write(r), p.get_future());
  future<int> now = f.submit([](const int& v) { return v; }, read(r));
  future<int> doubled = f.submit([](future<int> x) { return 2 * x.get(); }, now);
  f.submit([](int& v, int d) { v += d; }, write(r), doubled);
  CHECK_FALSE(now.ready());
  p.set_value(5);
  CHECK(doubled.get() == 10);
  f.wait();
  CHECK(value == 15);
}

TEST_CASE("a task of a flow may wait for a future, and others run meanwhile") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  flow f(ex);
  promise<int> p(ex);
  const auto later = p.get_future();
  std::atomic<int> sum{0};
  for(int i = 0; i != 100; ++i)
    f.submit([&sum, later] { sum += later.get(); });
  f.submit([&p] { p.set_value(3); });
  f.wait();
  CHECK(sum == 300);
}

TEST_CASE("launches of several flows that one promise lets go on") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  for(int round = 0; round != 50; ++round) {
    promise<int> p(ex);
    std::atomic<int> sum{0};
    flow outer(ex);
    for(int i = 0; i != 4; ++i)
      outer.submit([&ex, &sum, later = p.get_future()] {
        flow inner(ex);
        for(int k = 0; k != 5; ++k)
          inner.submit([&sum](int v) { sum += v; }, later);
        inner.wait();
      });
    outer.submit([&p] { p.set_value(2); });
    outer.wait();
    CHECK(sum == 40);
  }
}

TEST_CASE("a launch may wait for several futures") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  for(int round = 0; round != 50; ++round) {
    flow f(ex);
    promise<int> p(ex);
    promise<int> q(ex);
    std::atomic<int> sum{0};
    for(int i = 0; i != 5; ++i)
      f.submit([&sum](int a, int b) { sum += a * b; }, p.get_future(), q.get_future());
    const auto a = async(ex, [&p] { p.set_value(6); });
    const auto b = async(ex, [&q] { q.set_value(7); });
    f.wait();
    a.get();
    b.get();
    CHECK(sum == 210);
  }
}

TEST_CASE("folds and destructors may wait for later launches") {
  executor ex(1);
  flow f(ex);
  promise<void> p(ex);
  struct waits {
    future<void> for_what;
    explicit waits(future<void> w) : for_what(std::move(w)) {}
    waits(waits&&) = default;
    ~waits() {
      if(for_what.valid())
        for_what.get();
    }
  };
  struct op {
    future<void> for_what;
    int identity(int) const { return 0; }
    void operator()(int& into, int part) const {
      for_what.get();
      into += part;
    }
  };
  int value = 0;
  region r(f, value);
  f.submit([](const waits&) {}, waits(p.get_future()));
  f.submit([](int& part) { part = 1; }, reduce(r, op{p.get_future()}));
  f.submit([&p] { p.set_value(); });
  f.wait();
  CHECK(value == 1);
}
