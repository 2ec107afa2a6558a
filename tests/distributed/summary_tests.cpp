// What a run was like, in words.

#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>

#include <catch2/catch.hpp>
#include <rondo/distributed/summary.hpp>
#include <rondo/futures.hpp>
#include <rondo/rondo.hpp>

#include "ranks.hpp"

using namespace rondo;

namespace {

/// The first number of the line that begins with these words.
double number_in(const std::string& text, const std::string& line) {
  const std::size_t at = text.find(line);
  REQUIRE(at != std::string::npos);
  return std::strtod(text.c_str() + text.find_first_of("0123456789", at), nullptr);
}

} // namespace

TEST_CASE("the summary counts a task where it runs, also one that goes on as another worker") {
  const auto one_rank = make_local_transports(1);
  executor ex({.workers = 2, .background = true, .shares_cores = true});
  scheduler s(ex, *one_rank.front());
  run_summary summary(s);
  promise<void> p(ex);
  const future<void> f = p.get_future();
  std::atomic<int> first{-1};
  std::atomic<bool> is_held{false};
  std::atomic<bool> may_end{false};
  std::atomic<int> last{-1};
  ex.submit([&] {
    first.store(static_cast<int>(this_worker()->index()));
    f.wait();
    last.store(static_cast<int>(this_worker()->index()));
  });
  while(first.load() < 0)
    std::this_thread::yield();
  // Its worker is held by others, so that the other one goes on with it: both run one until it has.
  for(int i = 0; i != 2; ++i)
    ex.submit([&] {
      if(static_cast<int>(this_worker()->index()) == first.load()) {
        is_held.store(true);
        while(!may_end.load())
          std::this_thread::yield();
      }
      else
        while(!is_held.load())
          std::this_thread::yield();
    });
  while(!is_held.load())
    std::this_thread::yield();
  p.set_value();
  while(last.load() < 0)
    std::this_thread::yield();
  may_end.store(true);
  ex.wait();
  CHECK(last.load() != first.load());
  const std::string text = summary.text();
  CHECK(number_in(text, "tasks") >= 3);
  CHECK(number_in(text, "working") <= 100);
}

TEST_CASE("workers that come while a summary is made are in it") {
  const auto one_rank = make_local_transports(1);
  executor ex({.workers = 2, .background = true, .shares_cores = true});
  scheduler s(ex, *one_rank.front());
  run_summary summary(s);
  ex.resize(6);
  std::atomic<int> inside{0};
  for(int i = 0; i != 6; ++i) // each on its own worker
    ex.submit([&] {
      inside.fetch_add(1);
      while(inside.load() != 6)
        std::this_thread::yield();
    });
  ex.wait();
  CHECK(number_in(summary.text(), "tasks") >= 6);
}
