// Passes of a trace that take turns between templates are left to the flow, which finds the period.

#include <cstdint>
#include <deque>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/flow.hpp>
#include <rondo/futures.hpp>

#include "random_programs.hpp"

using namespace rondo;
using random_programs::mix;

namespace {

constexpr std::size_t width = 12;

/// Values in several buffers, each made from the buffer before it; buffers change places from pass to pass.
class buffers {
public:
  explicit buffers(std::size_t count, unsigned workers = 2, bool find_repeats = true)
      : ex_(executor_options{.workers = workers, .shares_cores = false}),
        f_(ex_, {.find_repeats = find_repeats}), values_(count, std::vector<std::uint64_t>(width)),
        expected_(values_), regions_(count) {
    for(std::size_t b = 0; b != count; ++b)
      for(std::uint64_t& v : values_[b])
        regions_[b].emplace_back(f_, v);
  }

  void pass(std::uint64_t number) {
    const std::size_t from = number % values_.size();
    const std::size_t to = (number + 1) % values_.size();
    for(std::size_t i = 0; i != width; ++i) {
      const std::size_t next = (i + 1) % width;
      f_.submit([number](const std::uint64_t& a, const std::uint64_t& b,
                  std::uint64_t& c) { c = mix(c, mix(a, b) + number); },
        read(regions_[from][i]), read(regions_[from][next]), write(regions_[to][i]));
      expected_[to][i] =
        mix(expected_[to][i], mix(expected_[from][i], expected_[from][next]) + number);
    }
  }
  void guarded(std::uint64_t first, std::uint64_t end) {
    for(std::uint64_t p = first; p != end; ++p) {
      const auto guard = t_.make_guard(f_);
      pass(p);
    }
  }
  /// Other launches, which no pass has.
  void launch_once(std::uint64_t what) {
    f_.submit([what](std::uint64_t& x) { x = mix(x, what); }, write(regions_[0][what % width]));
    expected_[0][what % width] = mix(expected_[0][what % width], what);
  }
  [[nodiscard]] bool are_right() {
    f_.wait();
    return values_ == expected_;
  }

  rondo::flow& flow() { return f_; }
  region<std::uint64_t>& first() { return regions_[0][0]; }
  trace& passes() { return t_; }

private:
  executor ex_;
  rondo::flow f_;
  std::vector<std::vector<std::uint64_t>> values_, expected_;
  std::vector<std::deque<region<std::uint64_t>>> regions_;
  trace t_{"turns"};
};

} // namespace

TEST_CASE("passes whose buffers change places are left to the flow, which replays the period") {
  const std::size_t count = GENERATE(2U, 3U);
  const unsigned workers = GENERATE(1U, 2U, 4U);
  CAPTURE(count, workers);
  buffers b(count, workers);
  b.guarded(0, 600);
  CHECK(b.are_right());
  const trace_statistics s = b.passes().statistics();
  CHECK(s.left > 500);
  CHECK(s.passes == 600);
  CHECK(s.passes == s.recorded + s.replayed + s.left);
  CHECK(s.templates == 0);
  CHECK(b.flow().repeats().launches > 400 * width);
  CHECK_THAT(b.passes().text(), Catch::Contains("were left to the flow, which finds the period"));
}

TEST_CASE("a flow that does not look for repeats is left nothing") {
  buffers b(2, 2, false);
  b.guarded(0, 200);
  CHECK(b.are_right());
  CHECK(b.passes().statistics().left == 0);
  CHECK(b.passes().statistics().replayed == 198);
}

TEST_CASE("a pass that differs once in a while is replayed by the trace") {
  const std::uint64_t period = GENERATE(3U, 10U);
  buffers b(2);
  for(std::uint64_t p = 0; p != 300; ++p) {
    const auto guard = b.passes().make_guard(b.flow());
    b.pass(2 * p); // the buffers stay where they are
    if(p % period == 0)
      b.launch_once(5);
  }
  CHECK(b.are_right());
  CHECK(b.passes().statistics().left == 0);
}

TEST_CASE("where the flow finds no period passes are the trace's again") {
  buffers b(2);
  random_programs::dice dice(3);
  for(std::uint64_t p = 0; p != 2000; ++p) {
    b.guarded(p, p + 1);
    // So often that there is no loop.
    for(unsigned i = dice.below(40); i != 0; --i)
      b.launch_once(dice.below(1000));
  }
  CHECK(b.are_right());
  const trace_statistics s = b.passes().statistics();
  CHECK(s.left > 50);
  CHECK(s.left < 500);
  CHECK(s.replayed > 1000);
  CHECK_THAT(b.passes().text(), Catch::Contains("found no period"));
}

TEST_CASE("what a pass that is left does otherwise is right, too") {
  buffers b(2);
  b.guarded(0, 100);
  {
    const auto guard = b.passes().make_guard(b.flow());
    b.pass(100);
    b.flow().submit([](std::uint64_t&) { throw std::runtime_error("fails"); }, write(b.first()));
  }
  CHECK_THROWS_WITH(b.flow().wait(), "fails");
  b.passes().skip();
  b.guarded(101, 201);
  CHECK(b.are_right());
  b.passes().reset();
  CHECK(b.passes().statistics().passes == 0);
  b.guarded(201, 301);
  CHECK(b.are_right());
  CHECK(b.passes().statistics().left != 0);
}

TEST_CASE("a trace may be reset in a pass that is left, and its flow may end in one") {
  buffers b(2);
  b.guarded(0, 100);
  REQUIRE(b.passes().statistics().left != 0);
  {
    const auto guard = b.passes().make_guard(b.flow());
    b.pass(100);
    b.passes().reset();
    b.pass(101);
  }
  b.guarded(102, 202);
  CHECK(b.are_right());
  CHECK(b.passes().statistics().left != 0);

  trace t;
  for(int flows = 0; flows != 2; ++flows) {
    executor ex(2);
    std::vector<std::uint64_t> values(2);
    std::optional<flow> f(ex);
    std::deque<region<std::uint64_t>> regions;
    for(std::uint64_t& v : values)
      regions.emplace_back(*f, v);
    const auto pass = [&](int p) {
      f->submit([](std::uint64_t& x) { ++x; }, write(regions[p % 2 == 0 ? 0 : 1]));
    };
    for(int p = 0; p != 60; ++p) {
      const auto guard = t.make_guard(*f);
      pass(p);
    }
    CHECK(t.statistics().left != 0);
    const auto guard = t.make_guard(*f);
    pass(0);
    f->wait();
    regions.clear();
    f.reset();
    CHECK(values == std::vector<std::uint64_t>{31, 30});
  }
}

TEST_CASE("a guard inside of one that is left is refused") {
  buffers b(2);
  b.guarded(0, 100);
  REQUIRE(b.passes().statistics().left != 0);
  const auto guard = b.passes().make_guard(b.flow());
  CHECK_THROWS_WITH(b.guarded(100, 101), Catch::Contains("inside of another guard of it"));
  CHECK(b.are_right());
}

TEST_CASE("passes of an inner trace are not left while there is a guard around them") {
  buffers b(2);
  trace outer("outer");
  for(std::uint64_t p = 0; p != 50; ++p) {
    const auto guard = outer.make_guard(b.flow());
    b.guarded(2 * p, 2 * p + 2);
  }
  CHECK(b.are_right());
  CHECK(b.passes().statistics().left == 0);
}

TEST_CASE("passes that take turns end when their loop does") {
  buffers b(2);
  std::uint64_t launched = 0;
  const auto passes = b.flow().iterate(b.passes(),
    [&](std::uint64_t p) {
      if(p < 150)
        b.pass(p); // what comes behind does not run, but is launched
      ++launched;
      return make_ready(p == 149);
    },
    {.max = 10'000});
  CHECK(b.are_right());
  CHECK(passes.get() == 150);
  CHECK(launched >= 150);
}
