#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/futures.hpp>

#include "core/configurations.hpp"
#include "support.hpp"

using rondo::async;
using rondo::executor;
using rondo::future;
using rondo::promise;

TEST_CASE("a promise may be kept before its future is asked for, and after") {
  promise<int> p;
  const future<int> before = p.get_future();
  CHECK_FALSE(before.ready());
  p.set_value(4);
  CHECK(before.ready());
  CHECK(before.get() == 4);
  const future<int> after = p.get_future();
  CHECK(&after.get() == &before.get());
}

TEST_CASE("another thread keeps a promise that this one waits for") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  for(int i = 0; i != 20; ++i) {
    std::optional<promise<int>> p;
    if(i % 2 == 0)
      p.emplace(ex);
    else
      p.emplace(); // knows no executor
    const future<int> f = p->get_future();
    std::thread other([p = std::move(*p), i]() mutable {
      if(i % 3 == 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      p.set_value(i);
    });
    CHECK(f.get() == i);
    other.join();
  }
}

TEST_CASE("a promise has one value") {
  promise<int> p;
  p.set_value(1);
  CHECK_THROWS_AS(p.set_value(2), std::logic_error);
  CHECK_THROWS_AS(p.set_exception(mishap_ptr(1)), std::logic_error);
  CHECK_THROWS_AS(p.set_cancelled(), std::logic_error);
  CHECK(p.get_future().get() == 1);
}

TEST_CASE("a promise that was moved from is no promise any more") {
  promise<int> p;
  promise<int> q = std::move(p);
  CHECK_THROWS_AS(p.get_future(), std::logic_error); // NOLINT: that is what is tested
  CHECK_THROWS_AS(p.set_value(1), std::logic_error);
  const future<int> f = q.get_future();
  promise<int> r;
  r = std::move(q);
  r.set_value(2);
  CHECK(f.get() == 2);
  CHECK_THROWS_AS(q.set_value(1), std::logic_error); // NOLINT
  promise<int> kept;
  kept.set_value(1);
  promise<int> moved = std::move(kept);
  CHECK_THROWS_AS(kept.set_value(1), std::logic_error); // NOLINT
  CHECK_THROWS_AS(moved.set_value(1), std::logic_error);
}

TEST_CASE("a promise that is destroyed unkept is broken") {
  future<int> f;
  {
    const promise<int> p;
    f = p.get_future();
  }
  CHECK(f.ready());
  CHECK(f.failed());
  CHECK_FALSE(f.cancelled());
  CHECK_THROWS_AS(f.get(), rondo::broken_promise);
  promise<int> p;
  f = p.get_future();
  p = promise<int>();
  CHECK_THROWS_AS(f.get(), rondo::broken_promise);
}

TEST_CASE("who waits for a promise learns that it was broken") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  std::optional<promise<void>> p(std::in_place, ex);
  const future<void> f = p->get_future();
  const future<bool> learns = async(ex, [f] {
    try {
      f.get();
    }
    catch(const rondo::broken_promise&) {
      return true;
    }
    return false;
  });
  const future<int> g = f.then([] { return 1; });
  p.reset();
  CHECK(learns.get());
  CHECK_THROWS_AS(g.get(), rondo::broken_promise);
}

TEST_CASE("a promise that nobody has a future of may be dropped") {
  { const promise<std::string> p; }
  {
    promise<std::string> p;
    p.set_value("unused");
  }
  SUCCEED();
}

TEST_CASE("a promise takes an exception") {
  promise<void> p;
  const future<void> f = p.get_future();
  p.set_exception(mishap_ptr(6));
  CHECK(f.failed());
  CHECK_FALSE(f.cancelled());
  CHECK(mishap_of(f) == 6);
}

TEST_CASE("a cancelled promise cancels its future and all that depend on it") {
  executor ex(2);
  promise<int> p(ex);
  const future<int> f = p.get_future();
  bool called = false;
  const future<void> g = f.then([&](int) { called = true; });
  p.set_cancelled();
  CHECK(f.failed());
  CHECK(f.cancelled());
  CHECK_THROWS_AS(f.get(), rondo::cancelled);
  g.wait();
  CHECK(g.cancelled());
  CHECK_THROWS_AS(g.get(), rondo::cancelled);
  CHECK_FALSE(called);
}

TEST_CASE("promises of void, of references and of what can only be moved") {
  promise<void> nothing;
  nothing.set_value();
  nothing.get_future().get();
  int x = 0;
  promise<int&> reference;
  reference.set_value(x);
  CHECK(&reference.get_future().get() == &x);
  promise<std::unique_ptr<int>> moved;
  future<std::unique_ptr<int>> f = moved.get_future();
  moved.set_value(std::make_unique<int>(4));
  CHECK(*std::move(f).get() == 4); // the promise is no handle: the value is moved out
}

namespace {
struct refuses {
  explicit refuses(bool so) {
    if(so)
      throw mishap(9);
  }
};
} // namespace

TEST_CASE("a value whose construction throws leaves the promise unkept") {
  promise<refuses> p;
  const future<refuses> f = p.get_future();
  CHECK_THROWS_AS(p.set_value(true), mishap);
  CHECK_FALSE(f.ready());
  p.set_value(false);
  CHECK(f.ready());
  CHECK_FALSE(f.failed());
}

TEST_CASE("many threads and tasks wait for one promise") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  promise<int> p(ex);
  const future<int> f = p.get_future();
  std::atomic<int> sum{0};
  std::vector<std::thread> threads;
  for(int i = 0; i != 3; ++i)
    threads.emplace_back([&] { sum += f.get(); });
  for(int i = 0; i != 100; ++i)
    (void)async(ex, [&] { sum += f.get(); });
  std::thread keeper([p = std::move(p)]() mutable { p.set_value(1); });
  ex.wait();
  for(auto& t : threads)
    t.join();
  keeper.join();
  CHECK(sum.load() == 103);
}
