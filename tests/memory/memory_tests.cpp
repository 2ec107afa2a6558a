#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include <catch2/catch.hpp>
#include <rondo/core/executor.hpp>
#include <rondo/core/fork_join.hpp>
#include <rondo/core/scope.hpp>
#include <rondo/core/split_deque.hpp>

#include "allocations.hpp"

using rondo::executor;
using rondo::job;
using rondo::split_deque;

namespace {

/// A body that carries `size` bytes.
template<std::size_t size>
struct carrying {
  std::array<std::byte, size> load{};
  void operator()() {}
};

template<std::size_t size>
using plain = rondo::detail::task_of<carrying<size>, rondo::detail::plain_task>;
template<std::size_t size>
using with_options = rondo::detail::task_of<carrying<size>, rondo::detail::task_extras>;

static_assert(sizeof(plain<48>) <= 64, "a task with a 48-byte capture is one cache line");
static_assert(sizeof(with_options<48>) <= 128, "and two with options");
static_assert(rondo::detail::fits_node<plain<112>>(rondo::detail::large_node));
static_assert(!rondo::detail::fits_node<plain<113>>(rondo::detail::large_node));

constexpr int many = 5000;

} // namespace

TEST_CASE("tasks from outside allocate nothing once their memory is there") {
  const auto workers = GENERATE(1U, 2U, 4U);
  executor ex(workers);
  CHECK(allocations_of([&] {
    for(int i = 0; i != many; ++i)
      ex.submit(carrying<48>{});
    ex.wait();
  }) == 0);
}

TEST_CASE("tasks from workers allocate nothing once their memory is there") {
  const auto workers = GENERATE(1U, 2U, 4U);
  executor ex(workers);
  CHECK(allocations_of([&] {
    ex.run([&] {
      for(int i = 0; i != many; ++i) {
        ex.submit(carrying<48>{});
        ex.submit({.worker = i % 4, .name = "large"}, carrying<48>{});
      }
    });
    ex.wait();
  }) == 0);
}

TEST_CASE("tasks of a scope allocate nothing once their memory is there") {
  const auto workers = GENERATE(1U, 2U);
  executor ex(workers);
  CHECK(allocations_of([&] {
    rondo::scope s(ex);
    for(int i = 0; i != many; ++i)
      s.spawn(carrying<16>{});
    s.wait();
  }) == 0);
}

TEST_CASE("forks allocate nothing at all, stolen or not") {
  const auto workers = GENERATE(1U, 2U, 4U);
  executor ex(workers);
  CHECK(allocations_of([&] {
    ex.run([] {
      rondo::join_n(many, [](std::size_t) {});
      rondo::join([] { rondo::join([] {}, [] {}); }, [] { return 1; }, [] {});
    });
  }) == 0);
}

TEST_CASE("a body too large for a node is taken from the heap and given back") {
  executor ex(2);
  CHECK(allocations_of([&] {
    for(int i = 0; i != 100; ++i)
      ex.submit(carrying<1000>{});
    ex.wait();
  }) == 100);
}

TEST_CASE("an owner that always has something left doesn't grow without end") {
  split_deque d(16, split_deque::overflow::grow);
  job jobs[2]{};
  const auto push = [&d](job* j) {
    if(d.push(j) == nullptr)
      d.push_slow(j);
  };
  push(&jobs[0]);
  const auto before = allocations();
  for(int i = 0; i != 10000; ++i) {
    push(&jobs[1]);
    d.publish_if_bare();
    (void)d.steal();
  }
  CHECK(allocations() == before);
}

TEST_CASE("a wait that cannot leave its stack for want of memory looks by itself") {
  executor ex(1);
  int looks = 0;
  int other = 0;
  const auto seldom = [&](rondo::detail::wait_phase) { return ++looks > 10; };
  CHECK_NOTHROW(ex.run([&] {
    rondo::join(
      [&] {
        const no_memory here;
        rondo::detail::engine_of(ex).wait_on(*rondo::this_worker(), seldom);
      },
      [&] { ++other; });
  }));
  CHECK(looks > 10);
  CHECK(other == 1);
}
