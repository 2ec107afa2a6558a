// A long body must not keep others from what its worker has offered before. The long bodies here end
// only when all the others have run, which is the other worker's task.

#include <atomic>
#include <chrono>
#include <thread>

#include <catch2/catch.hpp>
#include <rondo/core/algorithm/for_each_index.hpp>
#include <rondo/core/asymmetric_fence.hpp>
#include <rondo/core/executor.hpp>
#include <rondo/core/fork_join.hpp>
#include <rondo/core/graph.hpp>
#include <rondo/core/scope.hpp>

using namespace std::chrono_literals;

namespace {

constexpr int many = 300; // more than the ring of a deque holds

/// Counts short bodies, and lets a long one wait for so many of them.
class crowd {
public:
  void short_body() { ran_.fetch_add(1, std::memory_order_relaxed); }

  /// Whether the others run is seen by `complete`.
  void long_body(int others = many) {
    const auto end = std::chrono::steady_clock::now() + 60s;
    while(ran_.load(std::memory_order_relaxed) < others && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(100us);
    seen_by_long_ = ran_.load(std::memory_order_relaxed);
  }
  [[nodiscard]] bool complete(int others = many) const {
    return seen_by_long_ == others && ran_.load() == others;
  }

private:
  std::atomic<int> ran_{0};
  int seen_by_long_ = -1;
};

void offer_one_by_one(int n, crowd& c) {
  if(n == 0)
    c.long_body();
  else
    rondo::join([n, &c] { offer_one_by_one(n - 1, c); }, [&c] { c.short_body(); });
}

} // namespace

TEST_CASE("a long body hides nothing that its worker has offered") {
  if(!rondo::detail::has_heavy_fence)
    return;
  rondo::executor ex(2U);
  // Also when the other worker sleeps at the beginning, and waits for anything to be shown.
  std::this_thread::sleep_for(GENERATE(0ms, 20ms));
  crowd c;

  SECTION("by nested joins") {
    ex.run([&] { offer_one_by_one(many, c); });
  }
  SECTION("by a single join inside of another one") {
    ex.run([&] {
      rondo::join([&] { rondo::join([&] { c.long_body(2); }, [&] { c.short_body(); }); },
        [&] { c.short_body(); });
    });
    CHECK(c.complete(2));
    return;
  }
  SECTION("by join_n") {
    ex.run([&] {
      rondo::join_n(many + 1, [&](std::size_t i) { i == 0 ? c.long_body() : c.short_body(); });
    });
  }
  SECTION("by a scope") {
    ex.run([&] {
      rondo::scope s;
      for(int i = 0; i != many; ++i)
        s.spawn([&] { c.short_body(); });
      c.long_body();
      s.wait();
    });
  }
  SECTION("by a graph") {
    rondo::graph g;
    auto first = g.add([] {});
    first.precede(g.add([&] { c.long_body(); }));
    for(int i = 0; i != many; ++i)
      first.precede(g.add([&] { c.short_body(); }));
    ex.run(g);
  }
  SECTION("from outside") {
    for(int i = 0; i != many; ++i)
      ex.submit([&] { c.short_body(); });
    c.long_body();
    ex.wait();
  }
  CHECK(c.complete());
}

TEST_CASE("a long element of a loop hides none of the others") {
  if(!rondo::detail::has_heavy_fence)
    return;
  const int at = GENERATE(0, many / 2, many);
  rondo::executor ex(2U);
  crowd c;
  rondo::for_each_index(ex, rondo::extents{std::size_t{many} + 1},
    [&](std::size_t i) { i == std::size_t(at) ? c.long_body() : c.short_body(); });
  CHECK(c.complete());
}

TEST_CASE("several long bodies begin at the same time if there are workers for them") {
  if(!rondo::detail::has_heavy_fence)
    return;
  rondo::executor ex(4U);
  std::this_thread::sleep_for(20ms); // all but this thread sleep
  std::atomic<int> begun{0};
  std::atomic<int> met{0};
  const auto body = [&] {
    begun.fetch_add(1);
    const auto end = std::chrono::steady_clock::now() + 60s;
    while(begun.load() != 4 && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(100us);
    met.fetch_add(begun.load() == 4 ? 1 : 0);
  };
  ex.run([&] { rondo::join([&] { rondo::join([&] { rondo::join(body, body); }, body); }, body); });
  CHECK(met.load() == 4);
}
