// A launch that parks at an event of a lane is told, though its crew advances it without looking.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/tracing/lane_events.hpp>

using namespace rondo;
using detail::lane_events;
using detail::launch_event;

namespace {

struct waiter : detail::turn_wait {
  waiter()
      : turn_wait{nullptr, 0, [](turn_wait& self, detail::crew*) {
                    static_cast<waiter&>(self).is_told.store(true, std::memory_order_release);
                  }} {}
  std::atomic<bool> is_told{false};
};

/// As a crew does it.
class lane {
public:
  explicit lane(std::size_t events) : all_(events), of_lane_(addresses()) {}

  void advance(std::size_t i) {
    if(of_lane_.are_quiet())
      all_[i].advance_alone(nullptr);
    else
      all_[i].advance(nullptr);
  }
  void answer() { of_lane_.answer(nullptr); }
  [[nodiscard]] bool are_quiet() const { return of_lane_.are_quiet(); }

  [[nodiscard]] bool reached(std::size_t i, std::uint64_t turn) const {
    return all_[i].reached(turn);
  }
  /// As a launch of another lane does it. Returns false if it need not wait.
  bool park(waiter& w, std::size_t i, std::uint64_t turn) { return all_[i].park(w, turn); }

private:
  std::vector<launch_event*> addresses() {
    std::vector<launch_event*> found;
    for(launch_event& e : all_)
      found.push_back(&e);
    return found;
  }

  std::vector<launch_event> all_;
  lane_events of_lane_;
};

} // namespace

TEST_CASE("events of a lane are watched from the answer on, until nobody waits any more") {
  lane l(2);
  waiter first;
  waiter second;
  REQUIRE(l.park(first, 0, 1));
  REQUIRE(l.park(second, 1, 2));
  CHECK(l.are_quiet());
  l.answer();
  CHECK_FALSE(l.are_quiet());
  l.advance(0);
  CHECK(first.is_told);
  l.answer();
  CHECK_FALSE(l.are_quiet());
  l.advance(1);
  CHECK_FALSE(second.is_told);
  l.advance(1);
  CHECK(second.is_told);
  l.answer();
  CHECK(l.are_quiet());
}

TEST_CASE("who parks while events of a lane are advanced is told") {
  using namespace std::chrono_literals;
  constexpr std::size_t events = 2;
  constexpr unsigned between_answers = 16;
  const auto deadline = std::chrono::steady_clock::now() + 500ms;
  lane l(events);
  std::vector<std::vector<waiter>> all(events); // who is forgotten stays in its list
  std::atomic<std::size_t> waiting{events};
  std::atomic<std::uint64_t> told{0};
  std::atomic<std::uint64_t> forgotten{0};

  const auto wait_again_and_again = [&](std::size_t i) {
    all[i] = std::vector<waiter>(1 << 16);
    std::uint64_t turn = 1;
    for(waiter& w : all[i]) {
      if(std::chrono::steady_clock::now() > deadline || forgotten != 0)
        break;
      while(l.reached(i, turn))
        ++turn;
      if(!l.park(w, i, turn))
        continue;
      // When the lane has come so far it has answered, and told whom it had to.
      const auto is_told = [&w] { return w.is_told.load(std::memory_order_acquire); };
      while(!is_told() && !l.reached(i, turn + 4 * between_answers))
        std::this_thread::yield();
      if(!is_told())
        std::this_thread::sleep_for(100ms); // the thread that takes it off tells it afterwards
      (is_told() ? told : forgotten).fetch_add(1);
    }
    waiting.fetch_sub(1);
  };
  std::vector<std::thread> others;
  for(std::size_t i = 0; i != events; ++i)
    others.emplace_back(wait_again_and_again, i);
  for(std::uint64_t k = 0; waiting != 0; ++k) {
    for(std::size_t i = 0; i != events; ++i)
      l.advance(i);
    if(k % between_answers == 0)
      l.answer();
  }
  for(std::thread& t : others)
    t.join();
  CHECK(told != 0);
  CHECK(forgotten == 0);
}
