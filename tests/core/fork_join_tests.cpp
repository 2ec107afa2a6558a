#include <array>
#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/core/fork_join.hpp>
#include <rondo/core/scope.hpp>

#include "configurations.hpp"

using rondo::executor;
using rondo::join;
using rondo::join_n;
using rondo::nothing;

namespace {

/// Waits until another thread has begun a body, so that it is certainly stolen.
class rendezvous {
public:
  void arrive() { arrived_.store(true); }
  void wait() const {
    while(!arrived_.load())
      std::this_thread::yield();
  }

private:
  std::atomic<bool> arrived_{false};
};

long fib(long n) {
  if(n < 2)
    return n;
  auto [a, b] = join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

} // namespace

TEST_CASE("results come back in the order of the bodies") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  ex.run([] {
    const auto [a, b, c, d] =
      join([] { return 1; }, [] { return std::string("two"); }, [] {}, [] { return 4.0; });
    CHECK(a == 1);
    CHECK(b == "two");
    CHECK(c == nothing{});
    CHECK(d == 4.0);
  });
  CHECK(ex.run([] { return fib(18); }) == 2584);
}

TEST_CASE("a join of bodies that return nothing returns nothing") {
  static_assert(std::is_void_v<decltype(join([] {}, [] {}))>);
  static_assert(std::is_void_v<decltype(join([] {}, [] {}, [] {}))>);
  static_assert(std::is_same_v<decltype(join([] {}, [] { return 1; })), std::tuple<nothing, int>>);
}

TEST_CASE("references come back as references") {
  executor ex(2);
  int x = 1;
  const int y = 2;
  int z = 3;
  ex.run([&] {
    const auto first = [&]() -> int& { return x; };
    const auto second = [&]() -> const int& { return y; };
    const auto third = [&]() -> int& { return z; };
    static_assert(
      std::is_same_v<decltype(join(first, second, third)), std::tuple<int&, const int&, int&>>);
    const auto [a, b, c] = join(first, second, third);
    a = 10;
    c = 30;
    CHECK(&b == &y);
  });
  CHECK(x == 10);
  CHECK(z == 30);
}

TEST_CASE("a reference comes back from a thief too") {
  executor ex({.workers = 2, .background = true});
  int x = 1;
  ex.run([&] {
    rendezvous stolen;
    const auto [a, b] = join(
      [&] {
        stolen.wait();
        return 0;
      },
      [&]() -> int& {
        stolen.arrive();
        return x;
      });
    b = 5;
  });
  CHECK(x == 5);
}

TEST_CASE("results may be of types that can only be moved, stolen or not") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  ex.run([&] {
    rendezvous stolen;
    auto [a, b] = join(
      [&] {
        if(options.workers > 1 && options.background)
          stolen.wait();
        return std::make_unique<int>(1);
      },
      [&] {
        stolen.arrive();
        return std::make_unique<int>(2);
      });
    CHECK(*a == 1);
    CHECK(*b == 2);
  });
}

TEST_CASE("without thieves the bodies are called in order") {
  executor ex(1);
  std::string order;
  ex.run([&] {
    join([&] { order += 'a'; }, [&] { order += 'b'; }, [&] { order += 'c'; });
    join_n(5, [&](std::size_t i) { order += static_cast<char>('0' + i); });
  });
  CHECK(order == "abc01234");
}

TEST_CASE("the first body is called by the caller itself") {
  executor ex({.workers = 3, .background = true, .spin = std::chrono::microseconds(0)});
  ex.run([] {
    const auto caller = std::this_thread::get_id();
    for(int i = 0; i != 100; ++i) {
      std::thread::id first;
      join([&] { first = std::this_thread::get_id(); }, [] {});
      if(first != caller)
        FAIL("the first body ran elsewhere");
    }
  });
}

TEST_CASE("join throws the first exception in the order of the bodies, when all have ended") {
  FOR_EACH_CONFIGURATION(options);
  const auto throwing = GENERATE(1U, 2U, 4U, 3U, 6U, 7U); // as bits
  executor ex(options);
  std::array<std::atomic<int>, 3> begun{};
  std::array<std::atomic<int>, 3> ended{};
  const auto body = [&](unsigned i) {
    struct at_end {
      std::atomic<int>& count;
      ~at_end() { count.fetch_add(1); }
    } const end{ended[i]};
    begun[i].fetch_add(1);
    if((throwing >> i & 1U) != 0)
      throw std::runtime_error(std::string(1, static_cast<char>('0' + i)));
  };
  const std::string first(1, static_cast<char>('0' + __builtin_ctz(throwing)));
  for(int round = 0; round != 5; ++round) {
    std::string caught;
    try {
      ex.run([&] { join([&] { body(0); }, [&] { body(1); }, [&] { body(2); }); });
    }
    catch(const std::runtime_error& e) {
      caught = e.what();
    }
    CHECK(caught == first);
    for(int i = 0; i != 3; ++i)
      CHECK(begun[i].load() == ended[i].load());
    CHECK(begun[0].load() == round + 1);
  }
}

TEST_CASE("bodies after the one that throws are not called if nobody has begun them") {
  executor ex(1);
  int called = 0;
  const auto fail = [] { throw std::runtime_error("stop"); };
  ex.run([&] {
    CHECK_THROWS_WITH(join(
                        fail, [&] { ++called; }, [&] { ++called; }),
      "stop");
    CHECK_THROWS_WITH(join([&] { ++called; }, fail, [&] { ++called; }), "stop");
    CHECK_THROWS_WITH(join_n(10,
                        [&](std::size_t i) {
                          if(i == 3)
                            throw std::runtime_error("stop");
                          ++called;
                        }),
      "stop");
  });
  CHECK(called == 4);
}

TEST_CASE("an exception comes back from a thief, also when the caller's own body throws") {
  executor ex({.workers = 2, .background = true});
  const bool own_too = GENERATE(false, true);
  std::atomic<bool> thief_ended{false};
  const auto joined = [&] {
    rendezvous stolen;
    join(
      [&] {
        stolen.wait();
        if(own_too)
          throw std::runtime_error("own");
      },
      [&] {
        struct at_end {
          std::atomic<bool>& flag;
          ~at_end() { flag.store(true); }
        } const end{thief_ended};
        stolen.arrive();
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        throw std::runtime_error("stolen");
      });
  };
  CHECK_THROWS_WITH(ex.run(joined), own_too ? "own" : "stolen");
  CHECK(thief_ended.load());
}

TEST_CASE("a result that nobody wants is destroyed") {
  executor ex({.workers = 2, .background = true});
  const auto counted = std::make_shared<int>(0);
  const auto joined = [&] {
    rendezvous stolen;
    join(
      [&] {
        stolen.wait();
        throw std::runtime_error("own");
      },
      [&] {
        stolen.arrive();
        return counted;
      });
  };
  CHECK_THROWS(ex.run(joined));
  CHECK(counted.use_count() == 1);
}

TEST_CASE("join_n makes each call once, whatever the number") {
  const auto n = GENERATE(0, 1, 2, 15, 16, 17, 255, 256, 257, 1000);
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  std::vector<std::atomic<int>> calls(static_cast<std::size_t>(n));
  ex.run([&] { join_n(calls.size(), [&](std::size_t i) { calls[i].fetch_add(1); }); });
  bool once = true;
  for(auto& c : calls)
    once = once && c.load() == 1;
  CHECK(once);
}

TEST_CASE("join_n of a million") {
  const auto workers = GENERATE(1U, 2U, 8U);
  executor ex(workers);
  std::vector<unsigned char> calls(1'000'000);
  ex.run([&] { join_n(calls.size(), [&](std::size_t i) { ++calls[i]; }); });
  CHECK(calls == std::vector<unsigned char>(1'000'000, 1));
}

TEST_CASE("join_n throws the exception of the lowest index that threw, when all have ended") {
  const auto n = GENERATE(2, 16, 17, 1000);
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  std::atomic<int> running{0};
  std::string caught;
  try {
    ex.run([&] {
      join_n(static_cast<std::size_t>(n), [&](std::size_t i) {
        struct in {
          std::atomic<int>& count;
          explicit in(std::atomic<int>& c) : count(c) { count.fetch_add(1); }
          ~in() { count.fetch_sub(1); }
        } const inside(running);
        if(i >= 1)
          throw std::runtime_error(std::to_string(i));
      });
    });
  }
  catch(const std::runtime_error& e) {
    caught = e.what();
  }
  CHECK(running.load() == 0);
  // Index 1 is called by the caller right after 0, unless a thief has it.
  CHECK(caught == "1");
}

TEST_CASE("joins nest in joins, scopes and tasks") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  std::atomic<long> sum{0};
  for(int t = 0; t != 4; ++t)
    ex.submit([&] {
      join_n(5, [&](std::size_t) {
        rondo::scope s(ex);
        for(int i = 0; i != 3; ++i)
          s.spawn([&] { sum += fib(10); });
        join([&] { sum += fib(8); }, [&] { s.wait(); });
      });
    });
  ex.wait();
  CHECK(sum.load() == 4 * 5 * (3 * 55 + 21));
}

namespace {

long depth_first(long depth) {
  if(depth == 0)
    return 0;
  auto [below, here] = join([depth] { return depth_first(depth - 1); }, [] { return 1L; });
  return below + here;
}

} // namespace

TEST_CASE("a recursion deeper than a worker remembers offers is computed all the same") {
  // The stack of a sanitized build is the limit there, not that of the offers.
#if defined(RONDO_SANITIZED)
  constexpr long depth = 2000;
#else
  constexpr long depth = 20000;
#endif
  FOR_EACH_CONFIGURATION(configured);
  rondo::executor_options options = configured;
  options.stack_size = std::size_t{8} << 20U;
  executor ex(options);
  CHECK(ex.run([=] { return depth_first(depth); }) == depth);
}

TEST_CASE("more offers at a time than there is room for are made as far as there is") {
  // 9 bodies a level, in a recursion that multiplies them: beyond the 65536 that fit.
  executor ex(2);
  std::atomic<long> leaves{0};
  const auto level = [&](auto& self, int depth) -> void {
    if(depth == 0) {
      leaves.fetch_add(1);
      return;
    }
    join_n(16, [&](std::size_t i) { self(self, i == 0 ? depth - 1 : 0); });
  };
#if defined(RONDO_SANITIZED)
  constexpr int deep = 500;
#else
  constexpr int deep = 5000; // 75000 offers open at the bottom
#endif
  ex.run([&] { level(level, deep); });
  CHECK(leaves.load() == 15L * deep + 1);
}

TEST_CASE("outside of any executor join and join_n enter the default one") {
  CHECK(fib(15) == 610);
  std::atomic<int> calls{0};
  join_n(20, [&](std::size_t) { calls.fetch_add(1); });
  CHECK(calls.load() == 20);
  CHECK(rondo::this_worker() == nullptr);
}

TEST_CASE("a body on offer is run by its owner while that one waits for something else") {
  executor ex(1);
  bool called = false;
  ex.run([&] { join([&] { ex.wait_until([&] { return called; }); }, [&] { called = true; }); });
  CHECK(called);
}

namespace {

/// Calls `body` with most of the stack in use.
template<class Body>
[[gnu::noinline]] void call_deep(Body&& body) {
  volatile char much[5U << 20U];
  much[0] = 1;
  body();
  much[1] = much[0];
}

} // namespace

TEST_CASE("a task waits on a stack that is nearly full as on any other") {
  executor ex({.workers = 2, .background = true, .stack_size = std::size_t{6} << 20U});
  std::atomic<int> runs{0};
  ex.run([&] {
    call_deep([&] {
      rondo::scope s(ex);
      rendezvous stolen;
      std::atomic<bool> spawned{false};
      join(
        [&] {
          stolen.wait();
          for(int i = 0; i != 100; ++i)
            s.spawn([&] { runs.fetch_add(1); });
          spawned.store(true); // and now waits for the thief, who waits for these tasks
        },
        [&] {
          stolen.arrive();
          while(!spawned.load())
            std::this_thread::yield();
          s.wait();
        });
    });
  });
  CHECK(runs.load() == 100);
}
