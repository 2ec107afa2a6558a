// Closed loops with few long launches among short ones: no worker in a long one keeps what lets another one go on.

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/core/ticks.hpp>
#include <rondo/flow.hpp>
#include <rondo/tracing/long_steps.hpp>

using namespace rondo;

namespace {

/// What a step over particles in two colors is: short launches prepare a long one for each color, and take what that has left
/// for the other color. So both long ones of a pass may run at the same time, and those of two passes may not.
class two_long_ones {
public:
  two_long_ones(bool has_lanes, int shorts)
      : shorts_(shorts), ex_({.workers = 2, .shares_cores = !has_lanes}) {}

  void run(int passes) {
    have_met_.resize(static_cast<std::size_t>(passes));
    flow_.repeat(static_cast<std::uint64_t>(passes), [this] { launch_pass(); });
    flow_.wait();
  }

  /// Passes from that one on whose long launches have run at the same time.
  [[nodiscard]] int met_since(int pass) const {
    return static_cast<int>(
      std::count(have_met_.begin() + pass, have_met_.end(), std::array{true, true}));
  }
  [[nodiscard]] bool is_right() const {
    const auto passes = static_cast<int>(have_met_.size());
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
                       meet(i, held / 2);
                       ++held;
                       left = 1;
                     }),
        write(helds_[i]), write(lefts_[i]), read(halos_[i]));
    for(std::size_t i = 0; i != 2; ++i)
      flow_.submit(named("append", [](int& held, const int& left) { held += left; }),
        write(helds_[i]), read(lefts_[1 - i]));
  }

  /// It takes long, and until the other one of the pass has begun, but not for ever.
  void meet(std::size_t i, int pass) {
    constexpr std::uint64_t most = 200 * detail::long_steps::least;
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
  std::array<std::atomic<int>, 2> begun_{-1, -1}; ///< In this pass.
  std::vector<std::array<bool, 2>> have_met_;     ///< Each has seen that the other one has begun.
};

constexpr int passes = 40;
constexpr int learnt = 10; ///< How long launches take.
constexpr int least_met = 3;

} // namespace

// A worker may be kept from working at any time, so some passes may not be as they should. If long launches keep back what is
// short, none is.
TEST_CASE("the long launches of a pass of a closed loop run side by side") {
  const bool has_lanes = GENERATE(false, true);
  const int shorts = GENERATE(1, 10);
  CAPTURE(has_lanes, shorts);
  two_long_ones all(has_lanes, shorts);
  all.run(passes);
  CHECK(all.is_right());
  CHECK(all.met_since(learnt) >= least_met);
}
