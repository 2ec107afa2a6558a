// More workers than a word has bits: each of them runs launches of a flow.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/flow.hpp>

#include "ring.hpp"

using namespace rondo;
using namespace ring_program;

namespace {

constexpr unsigned many = 150;

/// Bodies that end when so many of them run at the same time, each on a worker of its own. Where fewer workers run launches
/// they give up some time, so that a test fails instead of hanging.
class meeting {
public:
  explicit meeting(unsigned expected) : expected_(expected) {}
  void attend() {
    ++here_;
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while(here_ < expected_ && std::chrono::steady_clock::now() < until)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if(here_ < expected_)
      here_ = expected_; // the others need not wait as well
    else
      ++met_;
  }
  [[nodiscard]] unsigned met() const { return met_; }

private:
  const unsigned expected_;
  std::atomic<unsigned> here_{0};
  std::atomic<unsigned> met_{0};
};

/// So many regions, and launches that write one each.
struct row {
  row(flow& f, std::size_t n) : values(n, 0) {
    for(std::uint64_t& v : values)
      regions.emplace_back(f, v);
  }
  std::vector<std::uint64_t> values;
  std::deque<region<std::uint64_t>> regions;
};

executor_options workers(unsigned n) { return {.workers = n, .shares_cores = false}; }

} // namespace

TEST_CASE("all workers run launches of a flow, however many there are") {
  executor ex(workers(many));
  flow f(ex);
  row all(f, many);
  meeting m(many);
  for(auto& r : all.regions)
    f.submit(
      [&m](std::uint64_t& v) {
        m.attend();
        ++v;
      },
      write(r));
  f.wait();
  CHECK(m.met() == many);
  CHECK(all.values == std::vector<std::uint64_t>(many, 1));
}

TEST_CASE("all workers run launches of a closed loop") {
  executor ex(workers(many));
  flow f(ex);
  row all(f, many);
  meeting m(many);
  f.repeat(3, [&] {
    for(auto& r : all.regions)
      f.submit(
        [&m](std::uint64_t& v) {
          if(++v == 1)
            m.attend();
        },
        write(r));
  });
  f.wait();
  CHECK(m.met() == many);
  CHECK(all.values == std::vector<std::uint64_t>(many, 3));
}

TEST_CASE("loops in lanes of more than 64 workers have the result of the program") {
  const std::size_t width = GENERATE(70U, 200U);
  CAPTURE(width);
  constexpr std::uint64_t passes = 40;
  const auto expected = by_hand(width, passes);
  const auto task = sleeping(1024);
  {
    ring points(width, 100);
    CHECK(points.replay(passes, task) == expected);
  }
  ring points(width, 100);
  CHECK(points.repeat(passes, task) == expected);
}

TEST_CASE("a flow has a crew for each worker that its executor gets later, and none for those it "
          "has lost") {
  executor ex(workers(2));
  flow f(ex);
  row all(f, many);
  for(const unsigned n : {many, 3U, 80U, 1U}) {
    ex.resize(n);
    // So many that a new batch begins, which is when a flow counts the workers; and so long that crews claim one
    // at a time.
    for(int i = 0; i != 300; ++i)
      f.submit([](std::uint64_t&) { std::this_thread::sleep_for(std::chrono::microseconds(50)); },
        write(all.regions[0]));
    f.wait();
    meeting m(n);
    for(unsigned i = 0; i != n; ++i)
      f.submit(
        [&m](std::uint64_t& v) {
          m.attend();
          ++v;
        },
        write(all.regions[i]));
    f.wait();
    CHECK(m.met() == n);
  }
  CHECK(all.values[0] == 4);
  CHECK(all.values[many - 1] == 1);
}
