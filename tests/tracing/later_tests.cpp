// Tasks that end later than their function.

#include <stdexcept>
#include <vector>

#include "clerk.hpp"

#include <catch2/catch.hpp>
#include <rondo/flow.hpp>
#include <rondo/futures.hpp>

using namespace rondo;

TEST_CASE("what waits for a task that ends later runs when it has been told") {
  for(const unsigned workers : {1U, 2U, 4U}) {
    clerk c;
    executor ex(workers);
    flow f(ex, {.find_repeats = false});
    long n = 0;
    long sum = 0;
    region rn(f, n);
    region rs(f, sum);
    for(int i = 0; i != 1000; ++i) {
      f.submit(ends_later([&](completion done, long& x) {
        ++x;
        c.hand(done);
      }),
        write(rn));
      f.submit([](const long& x, long& s) { s += x; }, read(rn), write(rs));
    }
    f.wait();
    CHECK(n == 1000);
    CHECK(sum == 1000 * 1001 / 2);
  }
}

TEST_CASE("a task may have ended before its function returns") {
  executor ex(2);
  flow f(ex);
  long n = 0;
  region rn(f, n);
  for(int i = 0; i != 500; ++i)
    f.submit(ends_later([](completion done, long& x) {
      ++x;
      done();
    }),
      write(rn));
  f.wait();
  CHECK(n == 500);
}

TEST_CASE("tasks that end later are replayed, found, repeated and iterated like others") {
  for(const unsigned workers : {1U, 3U}) {
    clerk c;
    executor ex(workers);
    flow f(ex);
    long n = 0;
    long sum = 0;
    region rn(f, n);
    region rs(f, sum);
    const auto pass = [&] {
      f.submit(ends_later("ask",
                 [&](completion done, long& x) {
                   ++x;
                   c.hand(done);
                 }),
        write(rn));
      f.submit([](const long& x, long& s) { s += x; }, read(rn), write(rs));
    };
    trace t;
    for(int i = 0; i != 100; ++i) {
      const auto g = t.make_guard();
      pass();
    }
    for(int i = 0; i != 100; ++i)
      pass();
    f.repeat(100, pass);
    const auto passes = f.iterate(
      [&](std::uint64_t i) {
        pass();
        return f.submit([i](const long&) { return i == 9; }, read(rn));
      },
      {.max = 100});
    CHECK(passes.get() == 10);
    f.wait();
    CHECK(n == 310);
    CHECK(sum == 310 * 311 / 2);
  }
}

TEST_CASE("tasks that end later wait for futures and values like others") {
  clerk c;
  executor ex(2);
  flow f(ex);
  long n = 0;
  region rn(f, n);
  promise<long> p;
  f.submit(ends_later([&](completion done, long& x, long by, std::vector<long> v) {
    x = by + v.at(0);
    c.hand(done);
  }),
    write(rn), p.get_future(), std::vector<long>{5});
  p.set_value(37);
  f.wait();
  CHECK(n == 42);
}

TEST_CASE("tasks that end later and fail, or come after a failure, end") {
  clerk c;
  for(const unsigned workers : {1U, 2U}) {
    executor ex(workers);
    flow f(ex);
    long n = 0;
    region rn(f, n);
    const auto count = [&] {
      f.submit(ends_later([&](completion done, long& x) {
        if(x == 3)
          throw std::runtime_error("three");
        ++x;
        c.hand(done);
      }),
        write(rn));
    };
    for(int i = 0; i != 10; ++i)
      count();
    CHECK_THROWS_WITH(f.wait(), "three");
    CHECK(n == 3);
    n = 0;
    f.repeat(10, count);
    CHECK_THROWS_WITH(f.wait(), "three");
    CHECK(n == 3);
  }
}
