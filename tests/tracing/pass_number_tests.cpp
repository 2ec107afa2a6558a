// The number of a pass of `repeat`, which its launches take.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/flow.hpp>

using namespace rondo;

namespace {

using numbers = std::vector<std::size_t>;

void note(numbers& all, std::size_t pass) { all.push_back(pass); }
void note_two(numbers& all, std::size_t outer, std::size_t inner) {
  all.push_back(100 * outer + inner);
}
numbers up_to(std::size_t n) {
  numbers all;
  for(std::size_t i = 0; i != n; ++i)
    all.push_back(i);
  return all;
}

} // namespace

TEST_CASE("launches in the body of repeat are given the number of the pass") {
  for(const unsigned workers : {1U, 2U, 4U}) {
    executor ex({.workers = workers});
    flow f(ex);
    constexpr std::size_t chains = 5;
    std::vector<numbers> all(chains);
    std::vector<std::unique_ptr<region<numbers>>> regions;
    for(numbers& n : all)
      regions.push_back(std::make_unique<region<numbers>>(f, n));
    numbers read_only;
    region rr(f, read_only);
    for(int again = 0; again != 3; ++again) {
      f.repeat(1000, [&](pass_number pass) {
        for(auto& r : regions)
          f.submit(note, write(*r), pass);
        f.submit(note, commute(rr), pass);
      });
      f.wait();
      for(numbers& n : all) {
        CHECK(n == up_to(1000));
        n.clear();
      }
      CHECK(read_only == up_to(1000));
      read_only.clear();
    }
  }
}

TEST_CASE(
  "a future in the body of repeat has the number of the last pass, and none has one if there is "
  "no pass") {
  executor ex({.workers = 2});
  flow f(ex);
  future<std::size_t> last;
  f.repeat(7, [&](pass_number pass) { last = f.submit([](std::size_t n) { return n; }, pass); });
  CHECK(last.get() == 6);
  f.repeat(0, [&](pass_number) { FAIL("there is no pass"); });
  f.repeat(1, [&](auto pass) { last = f.submit([](std::size_t n) { return n; }, pass); });
  CHECK(last.get() == 0);
}

TEST_CASE("in loops in loops the number is that of the loop whose body was given it") {
  for(const unsigned workers : {1U, 3U}) {
    executor ex({.workers = workers});
    flow f(ex);
    numbers all, outer_only, of_when;
    region ra(f, all), ro(f, outer_only), rw(f, of_when);
    f.repeat(4, [&](pass_number outer) {
      f.submit(note, write(ro), outer);
      f.repeat(3, [&](pass_number inner) { f.submit(note_two, write(ra), outer, inner); });
      f.when(f.submit([](std::size_t k) { return k % 2 == 1; }, outer),
        [&] { f.submit(note, write(rw), outer); });
      f.repeat(2, [&] { f.submit(note, write(ro), outer); });
    });
    f.wait();
    numbers expected;
    for(std::size_t o = 0; o != 4; ++o)
      for(std::size_t i = 0; i != 3; ++i)
        expected.push_back(100 * o + i);
    CHECK(all == expected);
    CHECK(outer_only == numbers{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3});
    CHECK(of_when == numbers{1, 3});
  }
}

TEST_CASE(
  "passes of repeat are counted anew in each pass of iterate, those launched in vain are not "
  "counted, and iterate in repeat has both") {
  for(const unsigned workers : {1U, 3U}) {
    executor ex({.workers = workers});
    flow f(ex);
    numbers all, inner;
    region ra(f, all), ri(f, inner);
    for(int again = 0; again != 3; ++again) {
      const future<std::uint64_t> passes = f.iterate(
        [&](std::uint64_t k) {
          f.repeat(
            3, [&](pass_number pass) { f.submit(note_two, write(ra), std::size_t(k), pass); });
          return f.submit([](const numbers& n) { return n.back() / 100 == 4; }, read(ra));
        },
        {.max = 1000});
      f.repeat(2, [&](pass_number pass) {
        const future<std::uint64_t> n = f.iterate(
          [&](std::uint64_t k) {
            f.submit(note_two, write(ri), pass, std::size_t(k));
            return f.submit([](const numbers& i) { return i.back() % 100 == 1; }, read(ri));
          },
          {.max = 100});
        f.submit([](std::uint64_t) {}, n);
      });
      CHECK(passes.get() == 5);
      f.wait();
      numbers expected;
      for(std::size_t o = 0; o != 5; ++o)
        for(std::size_t i = 0; i != 3; ++i)
          expected.push_back(100 * o + i);
      CHECK(all == expected);
      CHECK(inner == numbers{0, 1, 100, 101});
      all.clear();
      inner.clear();
    }
  }
}

TEST_CASE("the number is right in the guard of a trace, and after a pass that has failed") {
  executor ex({.workers = 2});
  flow f(ex);
  numbers all;
  region ra(f, all);
  trace t;
  for(int k = 0; k != 20; ++k) {
    const auto guard = t.make_guard();
    f.repeat(5, [&](pass_number pass) { f.submit(note, write(ra), pass); });
  }
  f.wait();
  REQUIRE(all.size() == 100);
  for(std::size_t i = 0; i != 100; ++i)
    CHECK(all[i] == i % 5);
  all.clear();
  f.repeat(100, [&](pass_number pass) {
    f.submit(
      [](numbers& n, std::size_t p) {
        n.push_back(p);
        if(p == 3)
          throw std::runtime_error("in the fourth");
      },
      write(ra), pass);
  });
  CHECK_THROWS_WITH(f.wait(), "in the fourth");
  CHECK(all == up_to(4));
  CHECK_THROWS_WITH(
    f.repeat(2, [](pass_number) { throw std::runtime_error("in the body"); }), "in the body");
  all.clear();
  f.repeat(6, [&](pass_number pass) { f.submit(note, write(ra), pass); });
  f.wait();
  CHECK(all == up_to(6));
}
