// Who runs what of a closed loop: the choice, and what must hold whatever happens to those who run it.

#include <chrono>
#include <cstdint>
#include <deque>
#include <thread>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/flow.hpp>
#include <rondo/futures.hpp>
#include <rondo/tracing/loop_lanes.hpp>

#include "clerk.hpp"
#include "random_programs.hpp"

using namespace rondo;
using detail::loop_lanes;

namespace {

/// Points in a ring, and a pass in which each is made from its neighbours, twice.
class ring {
public:
  explicit ring(std::size_t width, unsigned workers = 2) : ex_(workers), f_(ex_) {
    for(auto* const values : {&now_, &then_}) {
      values->resize(width);
      for(std::uint64_t i = 0; i != width; ++i)
        (*values)[i] = i;
    }
    for(std::size_t i = 0; i != width; ++i) {
      from_.emplace_back(f_, now_[i]);
      to_.emplace_back(f_, then_[i]);
    }
  }

  template<class Task>
  void launch_pass(const Task& task) {
    launch_half(from_, to_, task);
    launch_half(to_, from_, task);
  }
  template<class Task>
  std::vector<std::uint64_t> repeat(std::uint64_t passes, const Task& task) {
    f_.repeat(passes, [&] { launch_pass(task); });
    f_.wait();
    return now_;
  }
  executor& home() { return ex_; }

  /// What `launch_half` launches, as it is remembered.
  void record(detail::recording& r, std::size_t points) {
    static constexpr detail::access_mode modes[] = {
      detail::access_mode::read, detail::access_mode::read, detail::access_mode::write};
    static constexpr detail::launch_kind kind = {
      .modes = modes, .accesses = 3, .is_plain = true, .ends_by_itself = true};
    for(auto [a, b] : {std::pair(&from_, &to_), std::pair(&to_, &from_)})
      for(std::size_t i = 0; i != points; ++i) {
        detail::region_base* const used[] = {&(*a)[i], &(*a)[(i + 1) % a->size()], &(*b)[i]};
        r.add({&kind, used, {}, "point"});
      }
  }

  /// Two launches for a point each, and so many more for one of the two, in any order.
  void record_one_busy_point(detail::recording& r, std::size_t more) {
    static constexpr detail::access_mode modes[] = {
      detail::access_mode::write, detail::access_mode::commute};
    static constexpr detail::launch_kind one = {
      .modes = &modes[0], .accesses = 1, .is_plain = true, .ends_by_itself = true};
    static constexpr detail::launch_kind any_order = {
      .modes = &modes[1], .accesses = 1, .commuting = 1, .ends_by_itself = true};
    for(std::size_t i = 0; i != 2; ++i) {
      detail::region_base* const used[] = {&from_[i]};
      r.add({&one, used, {}, "point"});
    }
    for(std::size_t i = 0; i != more; ++i) {
      detail::region_base* const used[] = {&from_[0]};
      r.add({&any_order, used, {}, "busy point"});
    }
  }

private:
  using regions = std::deque<region<std::uint64_t>>;

  template<class Task>
  void launch_half(regions& a, regions& b, const Task& task) {
    const std::size_t n = a.size();
    for(std::size_t i = 0; i != n; ++i)
      f_.submit(task, read(a[i]), read(a[(i + 1) % n]), read(a[(i + n - 1) % n]), write(b[i]));
  }

  executor ex_;
  std::vector<std::uint64_t> now_, then_;
  flow f_;
  regions from_, to_;
};

std::uint64_t mixed(std::uint64_t own, std::uint64_t right, std::uint64_t left) {
  return random_programs::mix(own, 3 * right + 5 * left);
}

std::vector<std::uint64_t> by_hand(std::size_t width, std::uint64_t passes) {
  std::vector<std::uint64_t> now(width), then(width);
  for(std::uint64_t i = 0; i != width; ++i)
    now[i] = i;
  for(std::uint64_t half = 0; half != 2 * passes; ++half) {
    for(std::size_t i = 0; i != width; ++i)
      then[i] = mixed(now[i], now[(i + 1) % width], now[(i + width - 1) % width]);
    now.swap(then);
  }
  return now;
}

} // namespace

TEST_CASE("a point stays in its lane, next to its neighbours") {
  ring points(16);
  detail::recording pass;
  points.record(pass, 16);
  const auto made = detail::trace_template::compile(pass, true);
  REQUIRE(made != nullptr);
  for(const unsigned workers : {2U, 4U}) {
    const loop_lanes found = loop_lanes::find(*made, workers);
    CHECK(found.count == workers);
    for(std::uint32_t i = 0; i != 32; ++i)
      CHECK(found.lane_of[i] == i % 16 * workers / 16);
  }
  CHECK(loop_lanes::find(*made, 1).count == 1);
  CHECK(loop_lanes::find(*made, 100).count == 16);
}

TEST_CASE("there are no lanes where launches come one after the other, or can't be shared evenly") {
  ring points(16);
  detail::recording one;
  points.record(one, 1);
  const auto chain = detail::trace_template::compile(one, true);
  CHECK(loop_lanes::find(*chain, 2).count == 1);
  CHECK(loop_lanes::find(*chain, 2).fair_share == detail::batch::most);
  detail::recording three;
  points.record(three, 3);
  const auto uneven_by_one = detail::trace_template::compile(three, true);
  CHECK(loop_lanes::find(*uneven_by_one, 2).count == 2); // two and one
  CHECK(loop_lanes::find(*uneven_by_one, 3).count == 3);
  detail::recording busy;
  points.record_one_busy_point(busy, 6);
  const auto lopsided = detail::trace_template::compile(busy, true);
  CHECK(loop_lanes::find(*lopsided, 2).count == 1);
  CHECK(loop_lanes::find(*lopsided, 2).fair_share == 2);
}

TEST_CASE("lanes wait for each other, however long one of them takes") {
  const unsigned workers = GENERATE(2U, 3U, 4U);
  const std::size_t width = GENERATE(2U, 5U, 16U);
  CAPTURE(workers, width);
  constexpr std::uint64_t passes = 400;
  ring points(width, workers);
  // Now and then a task sleeps for longer than anybody has patience.
  const auto task = [](std::uint64_t own, std::uint64_t right, std::uint64_t left,
                      std::uint64_t& result) {
    result = mixed(own, right, left);
    if(result % 256 == 0)
      std::this_thread::sleep_for(std::chrono::microseconds(result / 256 % 300));
  };
  CHECK(points.repeat(passes, task) == by_hand(width, passes));
}

TEST_CASE("tasks of a lane may leave their stack") {
  const unsigned workers = GENERATE(2U, 3U);
  constexpr std::uint64_t passes = 100;
  ring points(8, workers);
  const auto task = [&](std::uint64_t own, std::uint64_t right, std::uint64_t left,
                      std::uint64_t& result) {
    result = mixed(own, right, left);
    if(result % 16 == 0)
      async(points.home(), [] {}).get();
  };
  CHECK(points.repeat(passes, task) == by_hand(8, passes));
}

TEST_CASE("tasks of a lane may end later, wherever that is told") {
  constexpr std::uint64_t passes = 200;
  constexpr std::size_t width = 6;
  clerk elsewhere;
  executor ex(2);
  flow f(ex);
  std::vector<long> values(width, 0), sums(width, 0);
  std::deque<region<long>> value, sum;
  for(std::size_t i = 0; i != width; ++i) {
    value.emplace_back(f, values[i]);
    sum.emplace_back(f, sums[i]);
  }
  f.repeat(passes, [&] {
    for(std::size_t i = 0; i != width; ++i)
      f.submit(ends_later("later",
                 [&elsewhere](completion done, long& x) {
                   ++x;
                   elsewhere.hand(done);
                 }),
        write(value[i]));
    for(std::size_t i = 0; i != width; ++i)
      f.submit([](const long& own, const long& next, long& to) { to += own + next; },
        read(value[i]), read(value[(i + 1) % width]), write(sum[i]));
  });
  f.wait();
  CHECK(values == std::vector<long>(width, passes));
  CHECK(sums == std::vector<long>(width, passes * (passes + 1)));
}
