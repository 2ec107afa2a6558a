#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/core/fork_join.hpp>
#include <rondo/core/scope.hpp>

#include "configurations.hpp"

using rondo::executor;

namespace {

#if defined(RONDO_SANITIZED)
constexpr int rounds = 4;
#else
constexpr int rounds = 100;
#endif

/// A hash of position: the trees are random, and the same each time.
std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ x >> 30U) * 0xbf58476d1ce4e5b9U;
  x = (x ^ x >> 27U) * 0x94d049bb133111ebU;
  return x ^ x >> 31U;
}

/// The number of leaves below a node; every node decides by its hash what it is.
std::uint64_t serial(std::uint64_t node, int depth) {
  if(depth == 0)
    return 1;
  std::uint64_t sum = 0;
  const auto children = mix(node) % 5;
  for(std::uint64_t i = 0; i != children; ++i)
    sum += serial(mix(node) + i, depth - 1);
  return sum + (children == 0 ? 1 : 0);
}

std::uint64_t parallel(executor& ex, std::uint64_t node, int depth) {
  if(depth == 0)
    return 1;
  const auto hash = mix(node);
  const auto children = hash % 5;
  std::atomic<std::uint64_t> sum{children == 0 ? 1U : 0U};
  const auto child = [&](std::size_t i) { sum += parallel(ex, hash + i, depth - 1); };
  switch(hash >> 32U & 3U) {
  case 0:
    rondo::join_n(children, child);
    break;
  case 1: {
    rondo::scope s(ex);
    for(std::size_t i = 0; i != children; ++i)
      s.spawn({.worker = static_cast<int>(i) - 1}, [&child, i] { child(i); });
    s.wait();
    break;
  }
  case 2: {
    std::size_t i = 0;
    for(; i + 2 <= children; i += 2)
      rondo::join([&] { child(i); }, [&] { child(i + 1); });
    if(i != children)
      child(i);
    break;
  }
  default:
    for(std::size_t i = 0; i != children; ++i)
      child(i);
  }
  if(hash % 64 == 0)
    std::this_thread::yield();
  return sum.load();
}

} // namespace

TEST_CASE("random trees of joins, scopes and calls have the leaves that serial ones have") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  for(std::uint64_t seed = 1; seed <= rounds; ++seed) {
    const auto expected = serial(seed, 9);
    if(ex.run([&] { return parallel(ex, seed, 9); }) != expected)
      FAIL("seed " << seed);
  }
}

TEST_CASE("random trees from several threads at a time, on more workers than cores") {
  executor ex({.workers = 8, .spin = std::chrono::microseconds(20)});
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for(std::uint64_t t = 0; t != 3; ++t)
    threads.emplace_back([&, t] {
      for(std::uint64_t seed = 1; seed <= rounds; ++seed)
        if(ex.run([&] { return parallel(ex, seed + 100 * t, 8); }) != serial(seed + 100 * t, 8))
          wrong.fetch_add(1);
    });
  for(auto& t : threads)
    t.join();
  CHECK(wrong.load() == 0);
}

TEST_CASE("workers that fall asleep between small bursts miss none of them") {
  executor ex({.workers = 4, .background = true, .spin = std::chrono::microseconds(0)});
  std::atomic<int> runs{0};
  int submitted = 0;
  for(int burst = 0; burst != rounds * 100; ++burst) {
    for(int i = 0; i != 1 + burst % 6; ++i, ++submitted)
      ex.submit([&] { runs.fetch_add(1); });
    if(burst % 3 != 0)
      ex.wait();
    else // nobody waits: the workers must come by themselves
      while(runs.load() != submitted)
        std::this_thread::yield();
  }
  CHECK(runs.load() == submitted);
}

TEST_CASE("stolen forks wake their owners, who sleep at once") {
  executor ex({.workers = 4, .background = true, .spin = std::chrono::microseconds(0)});
  std::atomic<int> calls{0};
  for(int round = 0; round != rounds * 50; ++round)
    ex.run([&] {
      rondo::join_n(6, [&](std::size_t) {
        rondo::join([&] { calls.fetch_add(1); },
          [&] {
            std::this_thread::yield();
            calls.fetch_add(1);
          });
      });
    });
  CHECK(calls.load() == rounds * 50 * 12);
}
