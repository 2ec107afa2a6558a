// Launches that do next to nothing are left to one worker, unless that one is busy with something else.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/flow.hpp>

using namespace rondo;
using detail::short_launches;

namespace {

/// Waits for another thread, but gives up where it would hang.
bool comes(const std::atomic<bool>& flag) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while(!flag && std::chrono::steady_clock::now() < until)
    std::this_thread::yield();
  return flag;
}

} // namespace

TEST_CASE("launches are short when all of the last ones were, and long as soon as one was") {
  short_launches s;
  CHECK(!s.are_for_one_of(2)); // nobody knows
  for(int i = 0; i != 100; ++i)
    s.note(short_launches::least_worth_sharing / 10);
  CHECK(s.are_for_one_of(2));
  CHECK(!s.are_for_one_of(1));  // it has no choice
  CHECK(!s.are_for_one_of(17)); // many hands
  s.note(short_launches::least_worth_sharing);
  CHECK(!s.are_for_one_of(2));
  s.note(0);
  CHECK(s.are_for_one_of(2));
}

TEST_CASE("what is launched behind short launches is run though their worker is busy") {
  const unsigned workers = GENERATE(2U, 3U);
  executor ex(executor_options{.workers = workers, .background = true, .shares_cores = false});
  flow f(ex);
  std::uint64_t values[3] = {};
  std::deque<region<std::uint64_t>> r;
  for(std::uint64_t& v : values)
    r.emplace_back(f, v);
  for(int round = 0; round != 3; ++round) {
    for(int i = 0; i != 20'000; ++i)
      f.submit([](std::uint64_t& v) { ++v; }, write(r[0]));
    std::atomic<bool> has_begun{false};
    std::atomic<bool> may_end{false};
    bool has_come = false;
    f.submit(
      [&](std::uint64_t&) {
        has_begun = true;
        has_come = comes(may_end);
      },
      write(r[1]));
    CHECK(comes(has_begun));
    // Nobody waits for the flow, so it is for the other worker to notice.
    f.submit([&may_end](std::uint64_t&) { may_end = true; }, write(r[2]));
    CHECK(comes(may_end));
    f.wait();
    CHECK(has_come);
  }
  CHECK(values[0] == 60'000);
}

TEST_CASE("a closed loop of short launches ends though one of their workers does something else") {
  executor ex(executor_options{.workers = 2, .background = true, .shares_cores = false});
  flow f(ex);
  std::uint64_t value = 0;
  region r(f, value);
  std::atomic<bool> may_end{false};
  constexpr std::uint64_t passes = 50'000;
  std::atomic<bool> has_come{false};
  f.repeat(passes, [&] {
    f.submit(
      [&](std::uint64_t& v) {
        if(++v == passes / 2) {
          // The worker that runs this is busy; the rest of the loop waits for it, other jobs don't.
          ex.submit([&] { may_end = true; });
          has_come = comes(may_end);
        }
      },
      write(r));
  });
  f.wait();
  CHECK(has_come);
  CHECK(value == passes);
}
