#include <algorithm>
#include <list>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <vector>

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
using rondo::when_all;
using rondo::when_any;

TEST_CASE("when_all of a range gives all values in its order") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  std::vector<future<int>> parts;
  for(int i = 0; i != 100; ++i)
    parts.push_back(async(ex, [i] { return i; }));
  const future<std::vector<int>> all = when_all(parts);
  const auto& values = all.get();
  REQUIRE(values.size() == 100);
  CHECK(std::is_sorted(values.begin(), values.end()));
  CHECK(all.then([](const std::vector<int>& v) { return std::accumulate(v.begin(), v.end(), 0); })
          .get() == 4950);
  CHECK(parts[7].get() == 7);
}

TEST_CASE("when_all takes ranges that go away, constant ones and other containers") {
  executor ex(2);
  promise<int> p(ex);
  const auto make = [&] { return std::vector<future<int>>{p.get_future(), make_ready(2)}; };
  const auto constant = make();
  const future<int> array[] = {p.get_future(), make_ready(2)};
  const auto vector = make();
  const std::list<future<int>> list(vector.begin(), vector.end());
  std::vector<future<std::vector<int>>> all;
  all.push_back(when_all(make()));
  all.push_back(when_all(constant));
  all.push_back(when_all(array));
  all.push_back(when_all(list));
  p.set_value(1);
  all.push_back(when_all(make()));
  all.push_back(when_all(constant));
  all.push_back(when_all(array));
  all.push_back(when_all(list));
  for(const auto& f : all)
    CHECK(f.get() == std::vector<int>{1, 2});
}

TEST_CASE("when_all of nothing is ready at once") {
  CHECK(when_all(std::vector<future<int>>()).get().empty());
  const future<void> f = when_all(std::vector<future<void>>());
  CHECK(f.ready());
}

TEST_CASE("when_all of a range of future<void> is a future<void>") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  std::atomic<int> runs{0};
  std::vector<future<void>> parts;
  for(int i = 0; i != 50; ++i)
    parts.push_back(async(ex, [&] { ++runs; }));
  const future<void> all = when_all(parts);
  all.get();
  CHECK(runs.load() == 50);
}

TEST_CASE("when_all of references gives references") {
  int x = 1;
  int y = 2;
  std::vector<future<int&>> parts{make_ready<int&>(x), make_ready<int&>(y)};
  const auto all = when_all(parts);
  CHECK(&all.get()[1].get() == &y);
  const auto both = when_all(make_ready<int&>(x), make_ready<int&>(y));
  CHECK(&std::get<0>(both.get()).get() == &x);
}

TEST_CASE("when_all leaves values that cannot be copied where they are") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  std::vector<future<std::unique_ptr<int>>> parts;
  for(int i = 0; i != 10; ++i)
    parts.push_back(async(ex, [i] { return std::make_unique<int>(i); }));
  const auto all = when_all(std::move(parts));
  int sum = 0;
  for(const future<std::unique_ptr<int>>& f : all.get()) {
    CHECK(f.ready());
    sum += *f.get();
  }
  CHECK(sum == 45);
}

TEST_CASE("when_all of some futures gives a tuple") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  const future<int> a = async(ex, [] { return 1; });
  const future<std::string> b = async(ex, [] { return std::string("b"); });
  const future<void> c = async(ex, [] {});
  const future<std::unique_ptr<int>> d = async(ex, [] { return std::make_unique<int>(4); });
  const auto all = when_all(a, b, c, d);
  const auto& [x, y, nothing, z] = all.get();
  (void)nothing;
  CHECK(x == 1);
  CHECK(y == "b");
  CHECK(*z.get() == 4);
  CHECK(std::get<0>(when_all(make_ready(3)).get()) == 3);
}

TEST_CASE("when_all fails with the first failure in order, after all are ready") {
  executor ex(2);
  promise<int> a(ex);
  promise<int> b(ex);
  promise<int> c(ex);
  const std::vector<future<int>> parts{a.get_future(), b.get_future(), c.get_future()};
  const future<std::vector<int>> all = when_all(parts);
  const auto pack = when_all(parts[0], parts[1], parts[2]);
  c.set_exception(mishap_ptr(3));
  a.set_value(1);
  CHECK_FALSE(all.ready());
  CHECK_FALSE(pack.ready());
  b.set_exception(mishap_ptr(2));
  CHECK(mishap_of(all) == 2);
  CHECK(mishap_of(pack) == 2);
  CHECK(mishap_of(when_all(parts)) == 2);
}

TEST_CASE("when_all of a cancelled future is cancelled") {
  promise<int> p;
  p.set_cancelled();
  CHECK(when_all(p.get_future(), make_ready(1)).cancelled());
  CHECK(when_all(std::vector{p.get_future(), make_ready(1)}).cancelled());
}

TEST_CASE("when_all of something invalid is refused") {
  CHECK_THROWS_AS(when_all(future<int>(), make_ready(1)), std::logic_error);
  CHECK_THROWS_AS(when_all(std::vector<future<int>>(3)), std::logic_error);
  CHECK_THROWS_AS(when_any(std::vector<future<int>>(3)), std::logic_error);
  CHECK_THROWS_AS(when_any(make_ready(1), future<int>()), std::logic_error);
}

TEST_CASE("when_any tells which one was first") {
  executor ex(2);
  promise<int> a(ex);
  promise<void> b(ex);
  const future<int> fa = a.get_future();
  const future<void> fb = b.get_future();
  const future<std::size_t> first = when_any(fa, fb);
  CHECK_FALSE(first.ready());
  b.set_value();
  CHECK(first.ready());
  CHECK(first.get() == 1);
  a.set_value(1);
  CHECK(first.get() == 1);
  CHECK(when_any(fa, fb).get() == 0);
}

TEST_CASE("when_any of a range, whose future goes away before the others are ready") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  for(int round = 0; round != 20; ++round) {
    std::vector<promise<int>> promises;
    std::vector<future<int>> parts;
    for(int i = 0; i != 10; ++i) {
      promises.emplace_back(ex);
      parts.push_back(promises.back().get_future());
    }
    {
      const auto first = when_any(parts);
      const auto unused = when_any(parts);
      promises[3].set_value(1);
      CHECK(first.get() == 3);
    }
    for(std::size_t i = 0; i != promises.size(); ++i)
      if(i != 3)
        promises[i].set_value(1);
  }
}

TEST_CASE("when_any is ready with a failure too") {
  executor ex(1);
  promise<int> a(ex);
  promise<int> b(ex);
  const std::vector<future<int>> parts{a.get_future(), b.get_future()};
  const auto first = when_any(parts);
  b.set_exception(mishap_ptr(1));
  CHECK(first.get() == 1);
  CHECK(mishap_of(parts[1]) == 1);
  a.set_value(0);
}

TEST_CASE("when_any of futures that go away learns of a broken promise") {
  std::optional<promise<int>> p(std::in_place);
  const auto first = when_any(std::vector<future<int>>{p->get_future()});
  CHECK_FALSE(first.ready());
  p.reset();
  CHECK(first.ready());
}

TEST_CASE("when_any of nothing is refused") {
  CHECK_THROWS_AS(when_any(std::vector<future<int>>()), std::invalid_argument);
}

TEST_CASE("when_any while tasks end on all workers") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  int wrong = 0;
  for(int round = 0; round != scaled(300, 30); ++round) {
    std::vector<future<int>> parts;
    for(int i = 0; i != 6; ++i)
      parts.push_back(async(ex, [i] { return i; }));
    const auto first = when_any(parts);
    const std::size_t i = first.get();
    if(i >= parts.size() || !parts[i].ready())
      ++wrong;
  }
  CHECK(wrong == 0);
}

TEST_CASE("when_all of very many futures") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  constexpr int many = scaled(100'000, 2000);
  std::vector<future<int>> parts;
  parts.reserve(many);
  for(int i = 0; i != many; ++i)
    parts.push_back(async(ex, [i] { return i % 10; }));
  const auto all = when_all(std::move(parts));
  CHECK(std::accumulate(all.get().begin(), all.get().end(), 0) == many / 10 * 45);
}

TEST_CASE("when_all of when_all, as deep as one likes") {
  executor ex(2);
  promise<int> p(ex);
  future<int> f = p.get_future();
  const future<int> one = make_ready(1);
  future<std::tuple<int, int>> pair = when_all(f, one);
  constexpr int depth = scaled(100'000, 10'000);
  std::vector<future<void>> chain{async(
    ex, [](int) {}, f)};
  for(int i = 0; i != depth; ++i)
    chain.push_back(when_all(std::vector<future<void>>{chain.back()}));
  p.set_value(1);
  chain.back().get();
  CHECK(std::get<1>(pair.get()) == 1);
}

TEST_CASE("when_any lets go of a future that is never ready when another one was first") {
  executor ex(1);
  promise<void> p(ex);
  const future<void> stop = p.get_future();
  std::size_t sum = 0;
  // What waits for a decision that has not come stays, and is told.
  promise<int> q(ex);
  const future<std::size_t> undecided = when_any(q.get_future(), stop);
  int told = 0;
  std::vector<future<void>> others;
  for(int i = 0; i != 10'000; ++i) {
    sum += when_any(stop, make_ready<int>(i)).get();
    if(i % 100 == 0)
      others.push_back(stop.then([&told] { ++told; }));
  }
  CHECK(sum == 10'000);
  CHECK_FALSE(undecided.ready());
  p.set_value();
  CHECK(undecided.get() == 1);
  q.set_value(0);
  for(auto& f : others)
    f.get();
  CHECK(told == 100);
}

TEST_CASE("continuations that are swept, added and fired at the same time are all told once") {
  executor ex({.workers = 3, .background = true});
  for(int round = 0; round != scaled(200, 30); ++round) {
    promise<void> p(ex);
    const future<void> stop = p.get_future();
    std::atomic<int> told{0};
    std::vector<future<int>> all;
    for(int t = 0; t != 3; ++t)
      all.push_back(async(ex, [&, t] {
        int asked = 0;
        std::vector<future<void>> then;
        std::vector<future<std::size_t>> any;
        promise<int> never(ex);
        for(int i = 0; i != 200; ++i) {
          if(i % 7 == t) {
            then.push_back(stop.then([&told] { ++told; }));
            ++asked;
          }
          if(i % 11 == t)
            any.push_back(when_any(never.get_future(), stop));
          (void)when_any(stop, make_ready<int>(i)).get();
        }
        for(auto& f : then)
          f.get();
        for(auto& f : any)
          asked += f.get() == 1 ? 0 : 1'000'000;
        never.set_value(1);
        return asked;
      }));
    if(round % 2 == 0)
      std::this_thread::yield();
    p.set_value();
    int asked = 0;
    for(auto& f : all)
      asked += f.get();
    CHECK(told.load() == asked);
  }
}
