// Several workers: what a message lets go on is run while other workers are in long launches, whichever has claimed it.

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/core/poll_pace.hpp>
#include <rondo/flow.hpp>
#include <rondo/tracing/later.hpp>

#include "numbered_mail.hpp"

using namespace rondo;

namespace {

/// In each pass a chain of messages, and long launches that have nothing to do with it. These don't end before the
/// chain of their pass has, unless all workers are in one, or the others find nothing to do for long: then nobody runs the
/// chain.
class chain_beside_works {
public:
  static constexpr int links = 30;
  static constexpr std::size_t others = 16;

  chain_beside_works(unsigned workers, bool shares_cores)
      : workers_(workers), ex_({.workers = workers, .shares_cores = shares_cores}) {
    for(int& w : works_)
      regions_.emplace_back(flow_, w, "work");
  }

  /// Of so many passes.
  [[nodiscard]] bool is_right(int passes) const {
    return links_ == links * passes && gathered_ == others * static_cast<std::size_t>(passes) &&
           std::all_of(works_.begin(), works_.end(), [passes](int w) { return w == passes; });
  }
  [[nodiscard]] int starved_passes() const {
    return static_cast<int>(std::count(starved_.begin(), starved_.end(), true));
  }
  [[nodiscard]] flow& home() { return flow_; }

  void launch_pass() {
    for(int i = 0; i != links; ++i) {
      flow_.submit(ends_later("receive", receive{&post_}), write(chain_));
      flow_.submit(named("link",
                     [this](int& last) {
                       post_.take();
                       last = links_.fetch_add(1) + 1;
                     }),
        write(chain_));
    }
    for(region<int>& r : regions_)
      flow_.submit(named("work", [this](const int&, int& w) { work(w); }), read(turn_), write(r));
    for(region<int>& r : regions_)
      flow_.submit(
        named("gather", [this](const int&, int&) { ++gathered_; }), read(r), write(chain_));
    // The next pass comes after all of this one.
    flow_.submit(named("turn", [](const int&, int& t) { ++t; }), read(chain_), write(turn_));
  }

private:
  void work(int& pass) {
    constexpr std::uint64_t least = 8 * detail::poll_pace::interval;
    constexpr std::uint64_t most = 100 * least;
    const auto began = detail::ticks();
    const auto took = [began] { return detail::ticks() - began; };
    const auto has_chain_ended = [&] { return links_ >= (pass + 1) * links; };
    ++in_works_;
    while(took() < least || (!has_chain_ended() && in_works_ != workers_ && took() < most))
      std::this_thread::yield();
    if(!has_chain_ended())
      starved_[static_cast<std::size_t>(pass)] = true;
    --in_works_;
    ++pass;
  }

  const unsigned workers_;
  executor ex_;
  numbered_mail post_{ex_};
  flow flow_{ex_};
  int chain_end_ = 0;
  region<int> chain_{flow_, chain_end_, "chain"};
  int turns_ = 0;
  region<int> turn_{flow_, turns_, "turn"};
  std::vector<int> works_ = std::vector<int>(others, 0);
  std::deque<region<int>> regions_;
  std::atomic<int> links_{0};
  std::atomic<unsigned> in_works_{0};
  std::size_t gathered_ = 0;
  std::array<std::atomic<bool>, 64> starved_{};
};

constexpr int passes = 24;
constexpr int most_starved =
  passes - 2; // where nothing is done about it, all of them, nearly always
constexpr int most_attempts = 5;

/// Starved passes. Where other programs keep the workers from their cores even the best way of running leaves most
/// passes starved, though not again and again: the run with the fewest counts, until one has few enough.
template<class Run>
int starved_passes(unsigned workers, bool shares_cores, Run run) {
  int fewest = passes;
  for(int attempt = 0; attempt != most_attempts && fewest >= most_starved; ++attempt) {
    chain_beside_works all(workers, shares_cores);
    run(all);
    all.home().wait();
    CHECK(all.is_right(passes));
    fewest = std::min(fewest, all.starved_passes());
  }
  return fewest;
}

} // namespace

// The first passes tell how long launches take; and a worker may be kept from working at any time. So some are
// starved; if long launches keep back what is short, nearly all are.

TEST_CASE("a chain of messages in a closed loop goes on while other workers are in long launches") {
  const bool has_lanes = GENERATE(false, true);
  const unsigned workers = GENERATE(2U, 3U);
  CAPTURE(has_lanes, workers);
  const int starved = starved_passes(workers, !has_lanes,
    [](chain_beside_works& all) { all.home().repeat(passes, [&] { all.launch_pass(); }); });
  CHECK(starved < most_starved);
}

TEST_CASE("a chain of messages in a plain loop goes on while other workers are in long launches") {
  const bool has_lanes = GENERATE(false, true);
  CAPTURE(has_lanes);
  const int starved = starved_passes(2, !has_lanes, [](chain_beside_works& all) {
    for(int i = 0; i != passes; ++i)
      all.launch_pass();
  });
  CHECK(starved < most_starved);
}
