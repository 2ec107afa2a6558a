// Chains of launches in one flow, launched by turns, so that what a worker claims has pieces of all of them.

#include <atomic>
#include <chrono>
#include <thread>

#include <catch2/catch.hpp>
#include <rondo/core/worker.hpp>
#include <rondo/flow.hpp>

using namespace rondo;

namespace {

/// Returns false if it has not come to be within seconds.
template<class Condition>
bool comes_to_be(Condition is_so) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while(!is_so()) {
    if(std::chrono::steady_clock::now() > until)
      return false;
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  return true;
}

} // namespace

TEST_CASE("of two chains in one flow each has a worker if there are two") {
  executor ex(executor_options{.workers = 2, .shares_cores = false});
  flow f(ex, {.find_repeats = false});
  int a = 0;
  int b = 0;
  int other = 0;
  region ra(f, a);
  region rb(f, b);
  region ro(f, other);
  // Of short launches many are claimed at a time.
  for(int i = 0; i != 2000; ++i)
    f.submit([](int& x) { ++x; }, write(ro));
  f.wait();

  std::atomic<bool> is_held{false};
  std::atomic<bool> may_go{false};
  std::atomic<int> in_a{0};
  std::atomic<int> in_b{0};
  std::atomic<bool> is_last_run{false};
  std::atomic<bool> is_side_by_side{true};
  f.submit(
    [&](int&) {
      is_held = true;
      comes_to_be([&] { return may_go.load(); });
    },
    write(ro));
  REQUIRE(comes_to_be([&] { return is_held.load(); }));

  constexpr int links = 200;
  constexpr int meeting = 100; // behind all that is claimed at first
  for(int i = 0; i != links; ++i) {
    f.submit(
      [&, i](int&) {
        if(
          i ==
          0) { // the other worker claims the rest, none of which may run, and finds nothing more to do
          may_go = true;
          comes_to_be([&] { return is_last_run || in_b != 0; });
          if(is_last_run)
            comes_to_be([] { return detail::worker_here().tasks().hungry(); });
        }
        if(i == meeting && !comes_to_be([&] { return in_b >= meeting; }))
          is_side_by_side = false;
        ++in_a;
      },
      write(ra));
    f.submit(
      [&, i](int&) {
        if(i == meeting && !comes_to_be([&] { return in_a >= meeting; }))
          is_side_by_side = false;
        ++in_b;
      },
      write(rb));
  }
  f.submit([&] { is_last_run = true; });
  f.wait();
  CHECK(is_side_by_side);
  CHECK(in_a == links);
  CHECK(in_b == links);
}
