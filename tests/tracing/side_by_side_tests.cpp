// Closed loops with few long launches among short ones: no worker in a long one keeps what lets another one go on.

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>

#include <catch2/catch.hpp>
#include <rondo/core/ticks.hpp>
#include <rondo/flow.hpp>
#include <rondo/tracing/long_steps.hpp>

using namespace rondo;

namespace {

constexpr int passes = 100;
constexpr int learnt = 10;    ///< How long launches take.
constexpr int least_met = 80; ///< Of all since then.

/// What long launches of a pass know of each other.
class meetings {
public:
  /// The launch takes long, and until the other one of the pass has begun, but not for ever.
  void meet(std::size_t i, int pass) {
    constexpr std::uint64_t most = 1000 * detail::long_steps::least;
    // The second one is the longer one, so the worker of the first one has something to wait for.
    const std::uint64_t least = (4 + 4 * i) * detail::long_steps::least;
    const std::uint64_t began = detail::ticks();
    const auto took = [began] { return detail::ticks() - began; };
    begun_[i].store(pass, std::memory_order_relaxed);
    const auto has_met = [&] { return begun_[1 - i].load(std::memory_order_relaxed) == pass; };
    while(took() < least || (!has_met() && took() < most))
      std::this_thread::yield();
    have_met_[static_cast<std::size_t>(pass)][i] = has_met();
  }
  /// Passes whose long launches have run at the same time, since it is known how long they take.
  [[nodiscard]] int count() const {
    return static_cast<int>(
      std::count(have_met_.begin() + learnt, have_met_.end(), std::array{true, true}));
  }

private:
  std::array<std::atomic<int>, 2> begun_{-1, -1}; ///< In this pass.
  std::array<std::array<bool, 2>, passes>
    have_met_{}; ///< Each has seen that the other one has begun.
};

/// What a step over particles in two colors is: short launches prepare a long one for each color, and take what that has left
/// for the other color. So both long ones of a pass may run at the same time, and those of two passes may not.
class two_long_ones {
public:
  two_long_ones(bool has_lanes, int shorts)
      : shorts_(shorts), ex_({.workers = 2, .shares_cores = !has_lanes}) {}

  void run() {
    flow_.repeat(passes, [this] { launch_pass(); });
    flow_.wait();
  }

  [[nodiscard]] int met() const { return met_.count(); }
  [[nodiscard]] bool is_right() const {
    return held_ == std::array{2 * passes, 2 * passes} &&
           halo_ == std::array{shorts_ * passes, shorts_ * passes};
  }

private:
  void launch_pass() {
    for(int n = 0; n != shorts_; ++n)
      for(region<int>& halo : halos_)
        flow_.submit(named("copy", [](int& h) { ++h; }), write(halo));
    for(region<int>& left : lefts_)
      flow_.submit(named("clear", [](int& l) { l = 0; }), write(left));
    for(std::size_t i = 0; i != 2; ++i)
      flow_.submit(named("long",
                     [this, i](int& held, int& left, const int&) {
                       met_.meet(i, held / 2);
                       ++held;
                       left = 1;
                     }),
        write(helds_[i]), write(lefts_[i]), read(halos_[i]));
    for(std::size_t i = 0; i != 2; ++i)
      flow_.submit(named("append", [](int& held, const int& left) { held += left; }),
        write(helds_[i]), read(lefts_[1 - i]));
  }

  const int shorts_;
  executor ex_;
  flow flow_{ex_};
  std::array<int, 2> halo_{}, left_{}, held_{};
  std::array<region<int>, 2> halos_{
    region<int>{flow_, halo_[0], "halo"}, region<int>{flow_, halo_[1], "halo"}};
  std::array<region<int>, 2> lefts_{
    region<int>{flow_, left_[0], "left"}, region<int>{flow_, left_[1], "left"}};
  std::array<region<int>, 2> helds_{
    region<int>{flow_, held_[0], "held"}, region<int>{flow_, held_[1], "held"}};
  meetings met_;
};

/// Of four launches that may run at the same time the first two take long: with lanes, both are in the same one.
class two_of_one_lane {
public:
  explicit two_of_one_lane(bool has_lanes) : ex_({.workers = 2, .shares_cores = !has_lanes}) {}

  void run() {
    flow_.repeat(passes, [this] { launch_pass(); });
    flow_.wait();
  }
  [[nodiscard]] int met() const { return met_.count(); }
  [[nodiscard]] bool is_right() const {
    return turn_ == passes && done_ == std::array{passes, passes, passes, passes};
  }

private:
  void launch_pass() {
    for(std::size_t i = 0; i != 4; ++i)
      flow_.submit(named("work",
                     [this, i](int& done, const int& turn) {
                       if(i < 2)
                         met_.meet(i, turn);
                       ++done;
                     }),
        write(dones_[i]), read(turns_));
    flow_.submit(named("turn", [](int& t, const int&, const int&, const int&, const int&) { ++t; }),
      write(turns_), read(dones_[0]), read(dones_[1]), read(dones_[2]), read(dones_[3]));
  }

  executor ex_;
  flow flow_{ex_};
  int turn_ = 0;
  std::array<int, 4> done_{};
  region<int> turns_{flow_, turn_, "turn"};
  std::array<region<int>, 4> dones_{region<int>{flow_, done_[0], "done"},
    region<int>{flow_, done_[1], "done"}, region<int>{flow_, done_[2], "done"},
    region<int>{flow_, done_[3], "done"}};
  meetings met_;
};

} // namespace

// A worker may be kept from working at any time, so some passes may not be as they should. Where long launches keep back what is
// short, it depends on chance how many are: so there are several loops.
TEST_CASE("the long launches of a pass of a closed loop run side by side") {
  const bool has_lanes = GENERATE(false, true);
  const int shorts = GENERATE(1, 10);
  CAPTURE(has_lanes, shorts);
  for(int loop = 0; loop != 3; ++loop) {
    two_long_ones all(has_lanes, shorts);
    all.run();
    CHECK(all.is_right());
    CHECK(all.met() >= least_met);
  }
}

TEST_CASE("a worker with nothing to do takes one of two long launches of another lane") {
  const bool has_lanes = GENERATE(false, true);
  CAPTURE(has_lanes);
  two_of_one_lane all(has_lanes);
  all.run();
  CHECK(all.is_right());
  CHECK(all.met() >= least_met);
}
