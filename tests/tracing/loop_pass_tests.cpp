// Launches that come to a pass whose answers are not known, from several threads, while the last answer comes: each goes
// on once, either at once or when it is told.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/flow.hpp>

using namespace rondo;
using detail::crew;
using detail::iterated_loop;
using detail::loop_pass;
using detail::turn_wait;

namespace {

struct waiting : turn_wait {
  std::atomic<int> went_on{0};
};

constexpr std::uint64_t answers = 3;
constexpr std::size_t each = 40;

void come_to(loop_pass& pass, std::vector<waiting>& launches) {
  for(waiting& w : launches) {
    w.go_on = [](turn_wait& self, crew*) {
      static_cast<waiting&>(self).went_on.fetch_add(1, std::memory_order_relaxed);
    };
    if(pass.may_begin() || !pass.park(w))
      w.went_on.fetch_add(1, std::memory_order_relaxed);
  }
}

} // namespace

TEST_CASE("launches that wait for a pass go on once, whoever comes first") {
  executor ex({.workers = 1});
  flow f(ex);
  const int rounds = 300;
  for(int round = 0; round != rounds; ++round) {
    iterated_loop loop(f);
    detail::loop_lengths lengths;
    loop.begin_loop({}, nullptr, 100, 0, lengths);
    loop_pass& pass = loop.begin(answers);
    std::vector<std::vector<waiting>> launches(3);
    std::vector<std::thread> threads;
    for(auto& of_thread : launches) {
      of_thread = std::vector<waiting>(each);
      threads.emplace_back([&] { come_to(pass, of_thread); });
    }
    for(std::uint64_t i = 0; i != answers; ++i) {
      if(round % 3 == 1)
        std::this_thread::yield();
      loop.answers.running().advance(nullptr);
    }
    for(std::thread& t : threads)
      t.join();
    for(const auto& of_thread : launches)
      for(const waiting& w : of_thread)
        REQUIRE(w.went_on.load() == 1);
  }
}

TEST_CASE("launches that wait for a pass go on in their order") {
  executor ex({.workers = 1});
  flow f(ex);
  iterated_loop loop(f);
  detail::loop_lengths lengths;
  loop.begin_loop({}, nullptr, 100, 0, lengths);
  loop_pass& pass = loop.begin(1);
  struct numbered : turn_wait {
    std::vector<int>* order;
    int number;
  };
  std::vector<int> order;
  std::vector<numbered> launches(5);
  for(int i = 0; i != 5; ++i) {
    launches[i].order = &order;
    launches[i].number = i;
    launches[i].go_on = [](turn_wait& self, crew*) {
      auto& me = static_cast<numbered&>(self);
      me.order->push_back(me.number);
    };
    REQUIRE(pass.park(launches[i]));
  }
  loop.answers.running().advance(nullptr);
  CHECK(order == std::vector<int>{0, 1, 2, 3, 4});
}

TEST_CASE("the length of a loop is guessed from the last two at that place") {
  detail::loop_lengths lengths;
  const auto here = std::source_location::current();
  const auto there = std::source_location::current();
  lengths.be_of(here);
  CHECK(lengths.expected() == 0);
  lengths.note(300);
  CHECK(lengths.expected() == 0); // one is no series
  lengths.note(310);
  CHECK(lengths.expected() == 300);
  lengths.note(10);
  CHECK(lengths.expected() == 10);
  lengths.be_of(here);
  CHECK(lengths.expected() == 10);
  lengths.be_of(there);
  CHECK(lengths.expected() == 0);
}
