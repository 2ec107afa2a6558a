#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/futures.hpp>

#include "core/configurations.hpp"
#include "support.hpp"

using rondo::async;
using rondo::coroutine;
using rondo::executor;
using rondo::future;
using rondo::make_ready;
using rondo::promise;

namespace {

coroutine<int> constant(int i) { co_return i; }

coroutine<int> sum(future<int> a, future<int> b) {
  const int x = co_await a;
  const int y = co_await b;
  co_return x + y;
}

coroutine<> set(int& to, future<int> value) { to = co_await value; }

coroutine<int&> pick(int& a) { co_return a; }

coroutine<int> fails(int i) {
  if(i >= 0)
    throw mishap(i);
  co_return i;
}

} // namespace

TEST_CASE("a coroutine is started by async, and its value is that of the future") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  CHECK(async(ex, constant, 4).get() == 4);
  CHECK(async(ex, constant(5)).get() == 5);
  const future<int> f = async(ex, sum, async(ex, [] { return 1; }), make_ready(2));
  CHECK(f.get() == 3);
  int x = 0;
  const future<void> g = async(ex, set, std::ref(x), f);
  g.get();
  CHECK(x == 3);
  future<int&> h = async(ex, pick, std::ref(x));
  CHECK(&h.get() == &x);
  CHECK(async(ex, {.name = "named"}, sum, f, f).get() == 6);
}

TEST_CASE("a coroutine that nobody starts does nothing and leaks nothing") {
  const auto p = std::make_shared<int>(1);
  {
    const auto t = [](std::shared_ptr<int> q) -> coroutine<int> { co_return *q; }(p);
    CHECK(p.use_count() == 2);
  }
  CHECK(p.use_count() == 1);
  const coroutine<int> nothing;
}

TEST_CASE("a coroutine at rest occupies no worker") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  promise<int> p(ex);
  const future<int> f = async(ex, sum, p.get_future(), p.get_future());
  CHECK(async(ex, [] { return 1; }).get() == 1);
  CHECK_FALSE(f.ready());
  std::thread other([&] { p.set_value(21); });
  CHECK(f.get() == 42);
  other.join();
}

TEST_CASE("a coroutine waits for others, as many levels deep as there is memory") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  struct tree {
    static coroutine<long> leaves(int depth) {
      if(depth == 0)
        co_return 1;
      const long left = co_await leaves(depth - 1);
      co_return left + co_await leaves(depth - 1);
    }
  };
  // Where calls at the end are not made jumps, as without optimization, every step stays on the stack.
  const int depth = scaled(10, 5);
  CHECK(async(ex, &tree::leaves, depth).get() == 1L << depth);
}

TEST_CASE("a loop of co_await needs no more stack than one") {
#ifdef __OPTIMIZE__
  constexpr int many = scaled(100'000, 1000); // tail calls are an optimization
#else
  constexpr int many = 1000;
#endif
  executor ex(1);
  const auto loop = []() -> coroutine<long> {
    long n = 0;
    for(int i = 0; i != many; ++i)
      n += co_await constant(1);
    co_return n;
  };
  CHECK(async(ex, loop).get() == many);
  const auto ready = []() -> coroutine<long> {
    const future<int> one = make_ready(1);
    long n = 0;
    for(int i = 0; i != many; ++i)
      n += co_await one;
    co_return n;
  };
  CHECK(async(ex, ready).get() == many);
}

TEST_CASE("co_await throws what the future or the coroutine failed with") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  const future<int> f = async(ex, fails, 3);
  CHECK(mishap_of(f) == 3);
  const auto handles = [](future<int> x) -> coroutine<int> {
    int n = 0;
    try {
      n = co_await x;
    }
    catch(const mishap& m) {
      n = m.number;
    }
    try {
      co_await fails(n * 10);
    }
    catch(const mishap& m) {
      n += m.number;
    }
    co_return n;
  };
  CHECK(async(ex, handles, f).get() == 33);
  const auto passes_on = []() -> coroutine<> { co_await fails(7); };
  CHECK(mishap_of(async(ex, passes_on)) == 7);
}

TEST_CASE("a coroutine that throws cancelled is cancelled") {
  executor ex(1);
  const auto stops = []() -> coroutine<int> {
    throw rondo::cancelled();
    co_return 1;
  };
  const future<int> f = async(ex, stops);
  f.wait();
  CHECK(f.cancelled());
}

TEST_CASE("co_await of a future that goes away gives the value itself") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  const auto takes = [](executor& e) -> coroutine<std::unique_ptr<int>> {
    std::unique_ptr<int> p = co_await async(e, [] { return std::make_unique<int>(5); });
    future<std::unique_ptr<int>> f = async(e, [] { return std::make_unique<int>(6); });
    const std::unique_ptr<int>& stays = co_await f;
    *p += *stays;
    const std::unique_ptr<int> q = co_await std::move(f);
    *p += *q;
    co_return p;
  };
  auto f = async(ex, takes, std::ref(ex));
  CHECK(*std::move(f).get() == 17);
}

TEST_CASE("a coroutine that takes values starts when they are there") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  promise<int> p(ex);
  std::atomic<bool> started{false};
  const auto body = [&started](int x) -> coroutine<int> {
    started = true;
    co_return x + 1;
  };
  const future<int> f = async(ex, body, p.get_future());
  CHECK(async(ex, [] { return 1; }).get() == 1);
  CHECK_FALSE(started.load());
  p.set_value(1);
  CHECK(f.get() == 2);
}

TEST_CASE("a coroutine that takes a failed future starts and can handle that") {
  executor ex(1);
  const auto body = [](future<int> f) -> coroutine<int> {
    try {
      co_return co_await f;
    }
    catch(const mishap& m) {
      co_return m.number;
    }
  };
  CHECK(async(ex, body, async(ex, []() -> int { throw mishap(4); })).get() == 4);
}

TEST_CASE("a coroutine may call get() like any task") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  const auto body = [](executor& e, int depth, auto self) -> coroutine<int> {
    if(depth == 0)
      co_return 0;
    const future<int> f = async(e, self, std::ref(e), depth - 1, self);
    const int x = depth % 2 == 0 ? f.get() : co_await f;
    co_return x + 1;
  };
  CHECK(async(ex, body, std::ref(ex), 50, body).get() == 50);
}

TEST_CASE("very many coroutines are at rest at once") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  constexpr int many = scaled(100'000, 2000);
  promise<int> p(ex);
  const future<int> f = p.get_future();
  std::vector<future<int>> all;
  all.reserve(many);
  for(int i = 0; i != many; ++i)
    all.push_back(async(ex, sum, f, make_ready(i % 10)));
  async(ex, [&p] { p.set_value(1); }).get();
  long total = 0;
  for(auto& g : all)
    total += g.get();
  CHECK(total == many + many / 10 * 45);
}

TEST_CASE("what a coroutine has captured is gone before its future is ready") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  const auto p = std::make_shared<int>(1);
  int late = 0;
  for(int i = 0; i != 100; ++i) {
    promise<int> start(ex);
    const auto body = [](std::shared_ptr<int> q, future<int> f) -> coroutine<int> {
      co_return *q + co_await f;
    };
    const future<int> f = async(ex, body, p, start.get_future());
    start.set_value(1);
    f.wait();
    late += p.use_count() != 1 ? 1 : 0;
  }
  CHECK(late == 0);
}

TEST_CASE("a task of no coroutine is refused, by whoever is to run it") {
  executor ex(2);
  CHECK_THROWS_AS(async(ex, coroutine<int>()), std::logic_error);
  coroutine<int> moved = constant(1);
  CHECK(async(ex, std::move(moved)).get() == 1);
  CHECK_THROWS_AS(async(ex, std::move(moved)), std::logic_error); // NOLINT: that is what is tested
  CHECK_THROWS_AS(async(ex, [] { return coroutine<int>(); }).get(), std::logic_error);
  const auto awaits = []() -> coroutine<int> { co_return co_await coroutine<int>(); };
  CHECK_THROWS_AS(async(ex, awaits).get(), std::logic_error);
  const auto goes_on = []() -> coroutine<int> {
    try {
      co_await coroutine<>();
    }
    catch(const std::logic_error&) {
      co_return 2;
    }
    co_return 1;
  };
  CHECK(async(ex, goes_on).get() == 2);
}

namespace {
coroutine<future<int>> later(executor& ex, int i) {
  co_return async(ex, [i] { return i; });
}
coroutine<coroutine<int>> inner(int i) { co_return constant(i); }
coroutine<future<void>> later_nothing(executor& ex, int& to) {
  co_return async(ex, [&to] { to = 4; });
}
coroutine<future<int>> fails_before(int i) {
  if(i != 0)
    throw mishap(i);
  co_return future<int>();
}
} // namespace

TEST_CASE("a coroutine may return a future or a coroutine: what counts is the value in the end") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  const future<int> a = async(ex, later, std::ref(ex), 3);
  const future<int> b = async(ex, inner, 5);
  const future<int> c = async(ex, [&]() -> coroutine<future<int>> { return later(ex, 6); });
  CHECK(a.get() == 3);
  CHECK(b.get() == 5);
  CHECK(c.get() == 6);
  int to = 0;
  const future<void> d = async(ex, later_nothing, std::ref(ex), std::ref(to));
  d.get();
  CHECK(to == 4);
  CHECK_THROWS_AS(async(ex, fails_before, 2).get(), mishap);
  CHECK_THROWS_AS(async(ex, fails_before, 0).get(), std::logic_error); // a future of nothing
}
