// Several workers: what a message lets go on is run while other workers are in long launches, whoever has claimed it.

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/core/poll_pace.hpp>
#include <rondo/flow.hpp>
#include <rondo/tracing/later.hpp>

using namespace rondo;

namespace {

/// One message at a time; the next one comes after some looks, once the last one has been taken.
class post final : public poller {
public:
  explicit post(executor& ex) : ex_(ex) { ex.attach(*this); }
  ~post() override { ex_.detach(*this); }

  [[nodiscard]] bool is_there() {
    const std::scoped_lock lock(mutex_);
    return is_there_;
  }
  void take() {
    const std::scoped_lock lock(mutex_);
    is_there_ = false;
  }
  void ask(completion done) {
    {
      const std::scoped_lock lock(mutex_);
      if(!is_there_) {
        asked_ = done;
        want(ex_);
        return;
      }
    }
    done();
  }
  void poll() noexcept override {
    std::optional<completion> asked;
    {
      const std::scoped_lock lock(mutex_);
      if(!is_there_ && ++looks_ % 5 == 0)
        is_there_ = true;
      if(is_there_)
        asked = std::exchange(asked_, {});
    }
    if(!asked.has_value())
      return;
    stop_wanting(ex_);
    (*asked)();
  }

private:
  executor& ex_;
  std::mutex mutex_;
  bool is_there_ = false;
  unsigned looks_ = 0;
  std::optional<completion> asked_;
};

struct receive {
  using may_be_ready = void;
  post* from;
  void operator()(completion done, int&) const { from->ask(done); }
  bool is_ready(const int&) const { return from->is_there(); }
  void now(int&) const {}
};

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
  post post_{ex_};
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
constexpr int most_starved = passes * 3 / 4;

} // namespace

// The first passes tell how long launches take; and a worker may be kept from working at any time. So some are
// starved; if long launches keep back what is short, nearly all are.

TEST_CASE("a chain of messages in a closed loop goes on while other workers are in long launches") {
  const bool has_lanes = GENERATE(false, true);
  const unsigned workers = GENERATE(2U, 3U);
  CAPTURE(has_lanes, workers);
  chain_beside_works all(workers, !has_lanes);
  all.home().repeat(passes, [&] { all.launch_pass(); });
  all.home().wait();
  CHECK(all.is_right(passes));
  CHECK(all.starved_passes() < most_starved);
}

TEST_CASE("a chain of messages in a plain loop goes on while other workers are in long launches") {
  const bool has_lanes = GENERATE(false, true);
  CAPTURE(has_lanes);
  chain_beside_works all(2, !has_lanes);
  for(int i = 0; i != passes; ++i)
    all.launch_pass();
  all.home().wait();
  CHECK(all.is_right(passes));
  CHECK(all.starved_passes() < most_starved);
}
