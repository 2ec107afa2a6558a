// Closed loops in lanes: where all has ended that a lane has before a launch, nothing of the lane is asked. So
// a launch that has not ended, although its turn was long ago, must be noticed.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/flow.hpp>
#include <rondo/futures.hpp>

using namespace rondo;

namespace {

constexpr std::uint64_t passes = 1200;
constexpr std::size_t lanes = 2;

/// A chain for each lane: the first launch of a pass counts and may rest in the middle of that, the next ones have
/// to find it done.
class chains {
public:
  struct chain {
    std::uint64_t value = 0;
    std::uint64_t pass = 0;
    std::uint64_t wrong = 0;
    std::uint64_t others = 0;
  };

  explicit chains(executor& ex) : f_(ex) {
    for(std::size_t i = 0; i != lanes; ++i) {
      all_.push_back(std::make_unique<chain>());
      regions_.push_back(std::make_unique<region<chain>>(f_, *all_.back()));
      other_regions_.push_back(std::make_unique<region<std::uint64_t>>(f_, all_.back()->others));
    }
  }

  /// Takes its time; the first pass has to wait for that.
  void begin_slowly() {
    for(std::size_t i = 0; i != lanes; ++i) {
      all_[i]->value = ~std::uint64_t{0} / 2;
      f_.submit(
        [](chain& c) {
          std::this_thread::sleep_for(std::chrono::milliseconds(2));
          c.value = 0;
        },
        write(*regions_[i]));
    }
  }

  /// `rest(i, pass)` is called while the value of chain i is a wrong one.
  template<class Rest>
  void repeat(const Rest& rest) {
    f_.repeat(passes, [&] {
      for(std::size_t i = 0; i != lanes; ++i) {
        f_.submit(
          [i, &rest](chain& c) {
            const std::uint64_t pass = c.pass++;
            const std::uint64_t before = c.value;
            c.value = ~std::uint64_t{0};
            rest(i, pass);
            c.value = before + 1;
          },
          write(*regions_[i]));
        f_.submit([](std::uint64_t& x) { ++x; }, write(*other_regions_[i]));
        for(int k = 0; k != 3; ++k)
          f_.submit([](chain& c) { c.wrong += c.value != c.pass ? 1 : 0; }, write(*regions_[i]));
      }
    });
    f_.wait();
  }

  [[nodiscard]] bool are_right() const {
    for(const auto& c : all_)
      if(c->wrong != 0 || c->value != passes || c->others != passes)
        return false;
    return true;
  }

private:
  flow f_;
  std::vector<std::unique_ptr<chain>> all_;
  std::vector<std::unique_ptr<region<chain>>> regions_;
  std::vector<std::unique_ptr<region<std::uint64_t>>> other_regions_;
};

/// Seldom: between rests crews claim more and more. In the first pass as well.
bool rests(std::size_t i, std::uint64_t pass) { return (pass + 20 * i) % 60 == 0; }

} // namespace

TEST_CASE("what comes behind a launch that rests waits for its end, and then needs not ask again") {
  const unsigned workers = GENERATE(1U, 2U, 3U);
  CAPTURE(workers);
  executor ex(workers);
  chains all(ex);
  std::vector<promise<void>> wake[lanes];
  std::atomic<std::uint64_t> at_rest[lanes] = {passes, passes};
  for(auto& of_lane : wake)
    for(std::uint64_t p = 0; p != passes; ++p)
      of_lane.emplace_back(ex);
  // Someone outside: so nobody can help with what is waited for, and the stack is left.
  std::thread keeper([&] {
    for(std::uint64_t p = 0; p != passes; ++p)
      for(std::size_t i = 0; i != lanes; ++i)
        if(rests(i, p)) {
          while(at_rest[i] != p)
            std::this_thread::yield();
          std::this_thread::sleep_for(std::chrono::microseconds(300));
          wake[i][p].set_value();
        }
  });
  all.repeat([&](std::size_t i, std::uint64_t pass) {
    if(!rests(i, pass))
      return;
    at_rest[i] = pass;
    wake[i][pass].get_future().get();
  });
  keeper.join();
  CHECK(all.are_right());
}

TEST_CASE("later passes wait for the first one where that waits for something before the loop") {
  const unsigned workers = GENERATE(1U, 2U, 3U);
  CAPTURE(workers);
  for(int round = 0; round != 5; ++round) {
    executor ex(workers);
    chains all(ex);
    all.begin_slowly();
    all.repeat([](std::size_t, std::uint64_t) {});
    CHECK(all.are_right());
  }
}

TEST_CASE("a lane goes on in its order after others have helped it") {
  executor ex(2);
  chains all(ex);
  // One lane is slow, so that the crew of the other one has time for some of its launches.
  all.repeat([](std::size_t i, std::uint64_t pass) {
    if(i == 0 && pass % 30 == 0)
      std::this_thread::sleep_for(std::chrono::microseconds(200));
  });
  CHECK(all.are_right());
}

TEST_CASE("a failure in a lane keeps what comes behind it there from running") {
  const unsigned workers = GENERATE(1U, 2U);
  CAPTURE(workers);
  executor ex(workers);
  flow f(ex);
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  std::uint64_t late = 0;
  region ra(f, a);
  region rb(f, b);
  f.repeat(passes, [&] {
    f.submit(
      [](std::uint64_t& x) {
        if(++x == 50)
          throw std::runtime_error("fifty");
      },
      write(ra));
    f.submit([&late](std::uint64_t& x) { late += x >= 50 ? 1 : 0; }, write(ra));
    f.submit([](std::uint64_t& x) { ++x; }, write(rb));
    f.submit([](std::uint64_t& x) { ++x; }, write(rb));
  });
  CHECK_THROWS_WITH(f.wait(), Catch::Matchers::Contains("fifty"));
  CHECK(a == 50);
  CHECK(late == 0);
}
