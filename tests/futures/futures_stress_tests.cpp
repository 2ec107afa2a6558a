#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/core/fork_join.hpp>
#include <rondo/futures.hpp>

#include "core/configurations.hpp"
#include "support.hpp"

using rondo::async;
using rondo::coroutine;
using rondo::executor;
using rondo::future;
using rondo::promise;

namespace {

/// The value of a node of a random tree of futures; each node decides by its hash how it is made.
std::uint64_t serial(std::uint64_t node, int depth) {
  const auto h = mix(node);
  if(depth == 0)
    return h % 100;
  std::uint64_t sum = 1;
  for(std::uint64_t i = 0; i != h % 4; ++i)
    sum += serial(h + i, depth - 1);
  return sum;
}

using value = std::uint64_t;

future<value> made(executor& ex, std::uint64_t node, int depth);

coroutine<value> by_coroutine(executor& ex, std::uint64_t h, int depth) {
  value sum = 1;
  for(std::uint64_t i = 0; i != h % 4; ++i)
    sum += co_await made(ex, h + i, depth - 1);
  co_return sum;
}

/// Keeps promises from outside of the executor.
class keeper {
public:
  keeper() : thread_([this] { work(); }) {}
  ~keeper() {
    stop_ = true;
    thread_.join();
  }
  future<value> keep(executor& ex, value v) {
    promise<value> p(ex);
    auto f = p.get_future();
    const std::lock_guard lock(mutex_);
    open_.emplace_back(std::move(p), v);
    return f;
  }

private:
  void work() {
    while(!stop_) {
      std::vector<std::pair<promise<value>, value>> mine;
      {
        const std::lock_guard lock(mutex_);
        mine.swap(open_);
      }
      for(auto& [p, v] : mine)
        p.set_value(v);
      std::this_thread::yield();
    }
  }
  std::mutex mutex_;
  std::vector<std::pair<promise<value>, value>> open_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

keeper* outside = nullptr;

value total(const std::vector<value>& v) {
  value sum = 1;
  for(const value x : v)
    sum += x;
  return sum;
}

future<value> made(executor& ex, std::uint64_t node, int depth) {
  const auto h = mix(node);
  if(depth == 0)
    switch(h >> 32U & 3U) {
    case 0:
      return rondo::make_ready<value>(h % 100);
    case 1:
      return outside->keep(ex, h % 100);
    default:
      return async(ex, [h] { return h % 100; });
    }
  const auto child = [&ex, h, depth](std::uint64_t i) { return made(ex, h + i, depth - 1); };
  const auto children = [child, h] {
    std::vector<future<value>> all;
    for(std::uint64_t i = 0; i != h % 4; ++i)
      all.push_back(child(i));
    return all;
  };
  switch(h >> 32U & 7U) {
  case 0: // a task that waits
    return async(ex, [child, h] {
      value sum = 1;
      for(std::uint64_t i = 0; i != h % 4; ++i)
        sum += child(i).get();
      return sum;
    });
  case 1: // a task that launches first and waits then
    return async(ex, [children] {
      value sum = 1;
      for(const auto& f : children())
        sum += f.get();
      return sum;
    });
  case 2:
    return when_all(children()).then(ex, total);
  case 3:
    return async(ex, by_coroutine, std::ref(ex), h, depth);
  case 4: // a task that returns a future
    return async(ex, [children, &ex] { return when_all(children()).then(ex, total); });
  case 5: { // one after the other
    future<value> sum = rondo::make_ready<value>(1U);
    for(std::uint64_t i = 0; i != h % 4; ++i)
      sum = async(
        ex, [](value a, value b) { return a + b; }, sum, child(i));
    return sum;
  }
  case 6: // parts of a join that wait
    return async(ex, [child, h] {
      std::atomic<value> sum{1};
      rondo::join_n(h % 4, [&](std::size_t i) { sum += child(i).get(); });
      return sum.load();
    });
  default: { // whichever is first, then all
    const auto all = children();
    if(all.empty())
      return rondo::make_ready<value>(1U);
    return when_any(all).then(ex, [all](std::size_t i) {
      value sum = 1 + all[i].get();
      for(std::size_t k = 0; k != all.size(); ++k)
        sum += k == i ? 0 : all[k].get();
      return sum;
    });
  }
  }
}

} // namespace

TEST_CASE("random trees of futures of all kinds have the values that serial ones have") {
  FOR_EACH_CONFIGURATION(options);
  keeper k;
  outside = &k;
  executor ex(options);
  for(std::uint64_t seed = 1; seed <= std::uint64_t(scaled(40, 5)); ++seed)
    if(made(ex, seed, 8).get() != serial(seed, 8))
      FAIL("seed " << seed);
  ex.wait();
}

TEST_CASE("random trees of futures from several threads at a time, on two executors") {
  keeper k;
  outside = &k;
  executor a({.workers = 8, .spin = std::chrono::microseconds(20)});
  executor b({.workers = 2, .background = true});
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for(std::uint64_t t = 0; t != 3; ++t)
    threads.emplace_back([&, t] {
      for(std::uint64_t seed = 1; seed <= std::uint64_t(scaled(60, 6)); ++seed) {
        const auto node = seed + 1000 * t;
        executor& ex = seed % 2 == 0 ? a : b;
        executor& other = seed % 2 == 0 ? b : a;
        const auto expected = serial(node, 7);
        const auto f = made(ex, node, 7);
        const auto g = async(other, [&ex, node] { return made(ex, node, 7).get(); });
        if(f.get() != expected || g.get() != expected)
          ++wrong;
      }
    });
  for(auto& t : threads)
    t.join();
  CHECK(wrong.load() == 0);
}

TEST_CASE("promises are kept while others begin to wait, ask and let go") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  std::atomic<std::uint64_t> sum{0};
  constexpr int rounds = scaled(3000, 200);
  for(int i = 0; i != rounds; ++i) {
    promise<value> p(ex);
    const future<value> f = p.get_future();
    (void)async(ex, [p = std::move(p)]() mutable { p.set_value(1); });
    for(int k = 0; k != 2; ++k)
      (void)async(ex, [f, &sum] { sum += f.get(); });
    (void)f.then([&sum](value v) { sum += v; });
    if(i % 16 == 0)
      sum += f.get();
  }
  ex.wait();
  CHECK(sum.load() == 3 * rounds + (rounds + 15) / 16);
}
