// Launches that may start are run in rows, one right after the other. What one of them does, be it that it fails or leaves
// its stack, must not be missed by those behind it.

#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/flow.hpp>
#include <rondo/futures.hpp>

using namespace rondo;

namespace {

constexpr std::size_t many = 500; // several batches

std::vector<std::size_t> numbers(std::size_t n) {
  std::vector<std::size_t> all(n);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

} // namespace

TEST_CASE("rows: a launch that rests in the middle of a row is waited for by those behind it") {
  const unsigned workers = GENERATE(1U, 2U, 3U);
  const std::size_t rests = GENERATE(1U, 7U, 64U); // every so many launches
  CAPTURE(workers, rests);
  executor ex(workers);
  flow f(ex);
  std::vector<std::size_t> order;
  std::size_t resting = 0;
  std::size_t overtaken = 0;
  {
    region r(f, order);
    for(std::size_t i = 0; i != many; ++i)
      f.submit(
        [&, i](std::vector<std::size_t>& o) {
          overtaken += resting;
          resting = 1;
          if(i % rests == 0)
            async(ex, [] {}).get();
          resting = 0;
          o.push_back(i);
        },
        write(r));
    f.wait();
  }
  CHECK(overtaken == 0);
  CHECK(order == numbers(many));
}

TEST_CASE("rows: those that don't need the one that rests go on, in the same order") {
  executor ex(1);
  flow f(ex);
  std::vector<std::size_t> order;
  std::size_t own = 0;
  region r(f, order);
  region other(f, own);
  promise<void> p;
  future<void> kept = p.get_future();
  bool is_kept = false;
  std::size_t ran_before = 0;
  // Launched beside it, and behind it in the row; the last one keeps the promise.
  f.submit(
    [&](std::size_t& x) {
      kept.get();
      ran_before = order.size();
      x = 1;
    },
    write(other));
  for(std::size_t i = 0; i != many; ++i)
    f.submit([i](std::vector<std::size_t>& o) { o.push_back(i); }, write(r));
  f.submit(
    [&](const std::vector<std::size_t>&) {
      is_kept = true;
      p.set_value();
    },
    read(r));
  std::size_t seen = 0;
  f.submit([&](const std::size_t& x) { seen = x; }, read(other));
  f.wait();
  CHECK(is_kept);
  CHECK(ran_before == many);
  CHECK(seen == 1);
  CHECK(order == numbers(many));
}

TEST_CASE("rows: behind a launch that fails in the middle of a row nothing runs") {
  const unsigned workers = GENERATE(1U, 2U);
  const std::size_t fails = GENERATE(0U, 1U, 63U, 64U, 100U);
  CAPTURE(workers, fails);
  executor ex(workers);
  flow f(ex);
  std::vector<std::size_t> order;
  region r(f, order);
  for(std::size_t i = 0; i != many; ++i)
    f.submit(
      [i, fails](std::vector<std::size_t>& o) {
        if(i == fails)
          throw std::runtime_error("in the middle");
        o.push_back(i);
      },
      write(r));
  CHECK_THROWS_WITH(f.wait(), "in the middle");
  CHECK(order == numbers(fails));
  f.submit([](std::vector<std::size_t>& o) { o.clear(); }, write(r));
  f.wait();
  CHECK(order.empty());
}

TEST_CASE("rows: launches of other kinds between simple ones have their turn") {
  const unsigned workers = GENERATE(1U, 2U);
  CAPTURE(workers);
  executor ex(workers);
  flow f(ex);
  std::size_t value = 0;
  std::size_t wrong = 0;
  region r(f, value);
  for(std::size_t i = 0; i != many; ++i)
    if(i % 5 == 3)
      f.submit([](std::size_t& part) { part += 1; }, reduce(r));
    else if(i % 5 == 4)
      f.submit([](std::size_t& x) { ++x; }, commute(r));
    else if(i % 7 == 0) {
      const future<std::size_t> one = async(ex, [] { return std::size_t{1}; });
      f.submit([](std::size_t& x, const std::size_t& by) { x += by; }, write(r), one);
    }
    else
      f.submit(
        [i, &wrong](std::size_t& x) {
          wrong += x != i ? 1 : 0;
          ++x;
        },
        write(r));
  f.wait();
  CHECK(wrong == 0);
  CHECK(value == many);
}
