#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

#include <catch2/catch.hpp>
#include <rondo/futures.hpp>

#include "core/configurations.hpp"
#include "support.hpp"

using rondo::async;
using rondo::executor;
using rondo::future;
using rondo::make_failed;
using rondo::make_ready;
using rondo::promise;

TEST_CASE("a ready future has its value at once, without any executor") {
  const future<int> f = make_ready(7);
  CHECK(f.valid());
  CHECK(f.ready());
  CHECK_FALSE(f.failed());
  CHECK_FALSE(f.cancelled());
  CHECK(f.get() == 7);
  CHECK(f.get() == 7);
  CHECK(make_ready<std::string>(3U, 'x').get() == "xxx");
  const future<void> nothing = make_ready();
  CHECK(nothing.ready());
  nothing.get();
}

TEST_CASE("copies of a future speak of the same value") {
  const future<std::string> f = make_ready(std::string("a"));
  const future<std::string> g = f; // NOLINT: that is what is tested
  CHECK(&f.get() == &g.get());
  future<std::string> h;
  CHECK_FALSE(h.valid());
  h = g;
  CHECK(&h.get() == &f.get());
  auto& same = h;
  h = same;
  CHECK(h.valid());
}

TEST_CASE("get() of a named future gives a reference to what stays there") {
  future<std::string> f = make_ready(std::string("stays"));
  static_assert(std::is_same_v<decltype(f.get()), const std::string&>);
  CHECK(f.get() == "stays");
  CHECK(f.get() == "stays");
  CHECK(f.valid());
}

TEST_CASE("get() of a future that goes away gives the value itself") {
  static_assert(std::is_same_v<decltype(make_ready(1).get()), int>);
  future<std::unique_ptr<int>> f = make_ready(std::make_unique<int>(5));
  CHECK(*f.get() == 5);
  const std::unique_ptr<int> value = std::move(f).get();
  CHECK(*value == 5);
  CHECK_FALSE(f.valid()); // NOLINT: it is specified
}

TEST_CASE("get() of a future that goes away copies the value if others share it") {
  future<std::string> f = make_ready(std::string("shared"));
  const future<std::string> g = f;
  CHECK(std::move(f).get() == "shared");
  CHECK(g.get() == "shared");
}

TEST_CASE("a value that is shared and cannot be copied stays where it is") {
  future<std::unique_ptr<int>> f = make_ready(std::make_unique<int>(5));
  const future<std::unique_ptr<int>> g = f;
  CHECK_THROWS_AS(std::move(f).get(), std::logic_error);
  CHECK(*g.get() == 5);
}

TEST_CASE("a future of a reference refers to what was given") {
  int x = 1;
  future<int&> f = make_ready<int&>(x);
  static_assert(std::is_same_v<decltype(f.get()), int&>);
  f.get() = 2;
  CHECK(x == 2);
  CHECK(&std::move(f).get() == &x);
  executor ex(1);
  future<int&> g = async(ex, [&x]() -> int& { return x; });
  CHECK(&g.get() == &x);
  future<int&> h = g.then([](int& i) -> int& { return i; });
  CHECK(&h.get() == &x);
}

TEST_CASE("a future of nothing can only be asked whether it is valid") {
  const future<int> f;
  CHECK_FALSE(f.valid());
  CHECK_THROWS_AS(f.ready(), std::logic_error);
  CHECK_THROWS_AS(f.failed(), std::logic_error);
  CHECK_THROWS_AS(f.cancelled(), std::logic_error);
  CHECK_THROWS_AS(f.get(), std::logic_error);
  CHECK_THROWS_AS(f.wait(), std::logic_error);
  CHECK_THROWS_AS(f.then([](int) {}), std::logic_error);
  executor ex(1);
  CHECK_THROWS_AS(async(
                    ex, [](int) {}, f),
    std::logic_error);
  ex.wait(); // nothing was begun
}

TEST_CASE("a failed future throws the same exception at each get(), and wait() does not throw") {
  const future<int> f = make_failed<int>(mishap_ptr(3));
  CHECK(f.ready());
  CHECK(f.failed());
  CHECK_FALSE(f.cancelled());
  CHECK(mishap_of(f) == 3);
  CHECK(mishap_of(f) == 3);
  f.wait();
  CHECK_THROWS_AS(make_failed<void>(mishap_ptr(1)).get(), mishap);
}

TEST_CASE("a future is ready when its task has ended") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  const future<int> f = async(ex, [] { return 6; });
  f.wait();
  CHECK(f.ready());
  CHECK(f.get() == 6);
  const future<int> g = async(ex, []() -> int { throw mishap(4); });
  g.wait();
  CHECK(g.failed());
  CHECK(mishap_of(g) == 4);
}

TEST_CASE("then runs a body with the value and gives the future of what that returns") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  const future<int> f = async(ex, [] { return 6; });
  future<std::string> g =
    f.then([](int i) { return i * 7; }).then([](int i) { return std::to_string(i); });
  CHECK(g.get() == "42");
  int seen = 0;
  future<void> h = g.then([&seen](const std::string& s) { seen = int(s.size()); });
  h.get();
  CHECK(seen == 2);
  CHECK(h.then([] { return 5; }).get() == 5);
}

TEST_CASE("then with a body that takes the future gives it, ready") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  const auto describe = [](const future<int>& f) { return f.failed() ? "failed" : "fine"; };
  const future<int> fails = async(ex, []() -> int { throw mishap(1); });
  const future<int> fine = async(ex, [] { return 1; });
  CHECK(fails.then(describe).get() == std::string("failed"));
  CHECK(fine.then(describe).get() == std::string("fine"));
  CHECK(mishap_of(fails) == 1);
  const future<void> bad = async(ex, [] { throw mishap(2); });
  CHECK(bad.then([](const future<void>& f) { return mishap_of(f); }).get() == 2);
}

TEST_CASE("then does not call a body that takes the value if there is none, and fails likewise") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  bool called = false;
  const future<int> f = async(ex, []() -> int { throw mishap(8); });
  const future<int> g = f.then([&](int i) {
    called = true;
    return i;
  });
  const future<void> h = g.then([&](int) { called = true; });
  CHECK(mishap_of(h) == 8);
  CHECK(mishap_of(g) == 8);
  CHECK_FALSE(called);
}

TEST_CASE("what a then body throws is what its future fails with") {
  executor ex(2);
  const future<int> f = async(ex, [] { return 1; });
  CHECK(mishap_of(f.then([](int i) { throw mishap(i); })) == 1);
  CHECK(f.get() == 1);
}

TEST_CASE("then runs on the executor of the future, or on one that is named") {
  executor a(1);
  executor b({.workers = 2, .background = true});
  const auto here = [] { return &rondo::this_worker()->home(); };
  const future<executor*> f = async(a, here);
  const auto again = [here](executor*) { return here(); };
  CHECK(f.then(again).get() == &a);
  CHECK(f.then(b, again).get() == &b);
  CHECK(make_ready(1).then(b, [here](int) { return here(); }).get() == &b);
  CHECK(make_ready(1).then([here](int) { return here(); }).get() == &rondo::default_executor());
  const auto inside = [here] { return make_ready(1).then([here](int) { return here(); }); };
  CHECK(async(b, inside).get() == &b);
}

TEST_CASE("many bodies may be given to the same future") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  promise<int> p(ex);
  const future<int> f = p.get_future();
  std::vector<future<int>> all;
  for(int i = 0; i != 100; ++i)
    all.push_back(f.then([i](int x) { return x + i; }));
  p.set_value(1000);
  int sum = 0;
  for(auto& g : all)
    sum += g.get();
  CHECK(sum == 104950);
}

TEST_CASE("the body of then is not copied if it can be moved") {
  executor ex(1);
  auto p = std::make_unique<int>(3);
  CHECK(make_ready(4).then(ex, [p = std::move(p)](int i) { return *p * i; }).get() == 12);
}

TEST_CASE("a task that returns a future makes a future of its value") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  future<int> f = async(ex, [&ex] { return async(ex, [] { return 5; }); });
  CHECK(f.get() == 5);
  future<int> g = f.then([&ex](int i) { return async(ex, [i] { return i + 1; }); });
  CHECK(g.get() == 6);
  future<void> h = async(ex, [&ex] { return async(ex, [] { throw mishap(1); }); });
  CHECK(mishap_of(h) == 1);
  auto i = async(ex, [] { return make_ready(std::make_unique<int>(7)); });
  CHECK(*std::move(i).get() == 7);
  CHECK_THROWS_AS(async(ex, [] { return future<int>(); }).get(), std::logic_error);
  future<int> twice =
    async(ex, [&ex] { return async(ex, [&ex] { return async(ex, [] { return 9; }); }); });
  CHECK(twice.get() == 9);
}

TEST_CASE("a future of a future can be unwrapped") {
  executor ex(2);
  promise<future<int>> outer(ex);
  promise<int> inner(ex);
  const future<int> f(outer.get_future());
  CHECK_FALSE(f.ready());
  outer.set_value(inner.get_future());
  CHECK_FALSE(f.ready());
  inner.set_value(3);
  CHECK(f.ready());
  CHECK(f.get() == 3);

  CHECK(future<int>(make_ready<future<int>>(make_ready(2))).get() == 2);
  CHECK(mishap_of(future<int>(make_failed<future<int>>(mishap_ptr(4)))) == 4);
  CHECK(mishap_of(future<int>(make_ready<future<int>>(make_failed<int>(mishap_ptr(5))))) == 5);
  CHECK_THROWS_AS(future<int>(make_ready<future<int>>(future<int>())).get(), std::logic_error);
  CHECK_THROWS_AS(future<int>(future<future<int>>()), std::logic_error);
}

namespace {
future<int> countdown(executor& ex, int n) {
  if(n == 0)
    return make_ready(77);
  return async(ex, [&ex, n] { return countdown(ex, n - 1); });
}
} // namespace

TEST_CASE("a value is handed on through as many futures as there are") {
  executor ex(2);
  CHECK(countdown(ex, scaled(200'000, 20'000)).get() == 77);
}

TEST_CASE("a long chain of then ends, and so does one that fails at its beginning") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  constexpr int length = scaled(20'000, 2000);
  for(const bool fails : {false, true}) {
    promise<int> p(ex);
    future<int> f = p.get_future();
    for(int i = 0; i != length; ++i)
      f = f.then([](int x) { return x + 1; });
    if(fails)
      p.set_exception(mishap_ptr(5));
    else
      p.set_value(0);
    if(fails)
      CHECK(mishap_of(f) == 5);
    else
      CHECK(f.get() == length);
  }
}

TEST_CASE("values die with the last future") {
  const auto count = std::make_shared<int>(0);
  executor ex(2);
  {
    const future<std::shared_ptr<int>> f = async(ex, [count] { return count; });
    f.wait();
    CHECK(count.use_count() == 2);
    const auto g = f; // NOLINT
  }
  ex.wait();
  CHECK(count.use_count() == 1);
}

TEST_CASE("a future may outlive the executor that made its value") {
  future<std::string> f;
  {
    executor ex(2);
    f = async(ex, [] { return std::string(100, 'x'); });
  }
  CHECK(f.ready());
  CHECK(f.get().size() == 100);
}

namespace {
struct alignas(256) wide {
  int value = 0;
  [[nodiscard]] bool is_aligned() const {
    return reinterpret_cast<std::uintptr_t>(this) % alignof(wide) == 0;
  }
};
} // namespace

TEST_CASE("values lie where their type wants them, however large its alignment") {
  executor ex(2);
  for(int i = 0; i != 20; ++i) {
    const future<wide> f = async(ex, [i] { return wide{i}; });
    CHECK(f.get().is_aligned());
    CHECK(f.get().value == i);
    // As an argument, and as what a body has captured.
    const future<bool> kept = async(
      ex,
      [w = wide{i}](const wide& a, const wide& b) {
        return w.is_aligned() && a.is_aligned() && b.is_aligned();
      },
      f, wide{i});
    CHECK(kept.get());
    promise<wide> p;
    p.set_value(wide{i});
    CHECK(p.get_future().get().value == i);
    const future<wide> g = p.get_future();
    CHECK(g.get().is_aligned());
    const auto both = when_all(f, g);
    CHECK(std::get<1>(both.get()).is_aligned());
  }
}
