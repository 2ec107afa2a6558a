#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <new>

#include <unistd.h>

#include <catch2/catch.hpp>
#include <rondo/flow.hpp>

#include "allocations.hpp"
#include "futures/support.hpp"

using namespace rondo;

namespace {

/// A pass with a bit of everything: reads, writes, folds, and one that commutes.
struct mixed_pass {
  flow& f;
  long values[4]{};
  region<long> a{f, values[0]}, b{f, values[1]}, c{f, values[2]}, d{f, values[3]};

  void operator()(long by) {
    f.submit([by](long& x) { x += by; }, write(a));
    f.submit([](const long& x, long& y) { y ^= x; }, read(a), write(b));
    f.submit([](const long& x, long& y) { y += x; }, read(a), commute(c));
    f.submit([](const long& x, long& y) { y += x; }, read(b), commute(c));
    f.submit([](const long& x, long& part) { part = x; }, read(b), reduce(d));
    f.submit([](const long& x, long& part) { part = x; }, read(c), reduce(d));
    f.submit([] {});
  }
};

constexpr int passes = 1000;

std::size_t resident_bytes() {
  std::size_t all = 0;
  std::size_t resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

} // namespace

TEST_CASE("replayed passes allocate nothing once their memory is there") {
  const auto workers = GENERATE(1U, 2U, 4U);
  const bool background = GENERATE(false, true);
  executor ex({.workers = workers, .background = background});
  flow f(ex);
  mixed_pass pass{f};
  trace t(f);
  const auto round = [&] {
    for(int i = 0; i != passes; ++i) {
      const auto guard = t.make_guard();
      pass(i);
    }
    f.wait();
  };
  CHECK(allocations_of(round) == 0);
  CHECK(t.statistics().recorded == 1);
  CHECK(t.statistics().replayed + 1 == t.statistics().passes);
}

TEST_CASE("passes of two templates, and launches between them, allocate nothing either") {
  executor ex(2);
  flow f(ex);
  mixed_pass pass{f};
  trace t(f);
  trace other(f);
  const auto round = [&] {
    for(int i = 0; i != passes; ++i) {
      {
        const auto guard = t.make_guard();
        if(i % 10 == 9)
          f.submit([](long& x) { x = -x; }, write(pass.d));
        pass(i);
      }
      if(i % 7 == 0) {
        const auto guard = other.make_guard();
        f.submit([](long& x) { ++x; }, write(pass.b));
      }
      if(i % 5 == 0)
        f.submit([](const long&, long& y) { ++y; }, read(pass.d), write(pass.a));
    }
    f.wait();
  };
  CHECK(allocations_of(round) == 0);
  CAPTURE(t.text());
  CHECK(t.statistics().recorded == 2);
  CHECK(t.statistics().diverged == 1);
}

TEST_CASE("the results of replayed launches allocate nothing once their memory is there") {
  executor ex(2);
  flow f(ex);
  long value = 0;
  region r(f, value);
  trace t(f);
  CHECK(allocations_of([&] {
    for(int i = 0; i != passes; ++i) {
      const auto guard = t.make_guard();
      const auto x = f.submit([](long& v) { return ++v; }, write(r));
      f.submit([](long& v, long now) { v += now; }, write(r), x);
      f.submit([](long& v) { v &= 0xff; }, write(r));
    }
    f.wait();
  }) == 0);
}

namespace {

/// Launches a thousand passes, each launch without memory first; the first `with_memory` with it.
void launch_without_memory(flow& f, region<long>& r, int with_memory) {
  trace t(f);
  int refused = 0;
  const auto add = [](long& x) { ++x; };
  for(int i = 0; i != passes; ++i) {
    const auto guard = t.make_guard();
    for(int k = 0; k != 7; ++k)
      if(i < with_memory)
        f.submit(add, write(r));
      else
        try {
          const no_memory here;
          f.submit(add, write(r));
        }
        catch(const std::bad_alloc&) {
          ++refused;
          f.submit(add, write(r));
        }
  }
  f.wait();
  CHECK(refused > 10);
}

} // namespace

// The launch that is not recorded has entered its region, which then waits for it.
TEST_CASE(
  "a recorded launch for which there is no memory throws, and may be launched again", "[.]") {
  executor ex(2);
  flow f(ex);
  long value = 0;
  region r(f, value);
  launch_without_memory(f, r, 0);
  CHECK(value == 7 * passes);
}

// Hangs: the trace takes a launch for which there was no batch as launched.
TEST_CASE("a replayed launch for which there is no memory throws, and may be launched again") {
  executor ex(2);
  flow f(ex);
  long value = 0;
  region r(f, value);
  launch_without_memory(f, r, 2);
  CHECK(value == 7 * passes);
}

TEST_CASE("a trace that replays for long needs no more memory than one that doesn't") {
  if(sanitized) {
    WARN("not tested: sanitizers keep memory of their own");
    return;
  }
  executor ex(2);
  flow f(ex);
  trace t(f);
  int values[5]{};
  region<int> a(f, values[0]);
  region<int> b(f, values[1]);
  const auto run = [&](int n) {
    for(int i = 0; i != n; ++i) {
      const auto guard = t.make_guard();
      f.submit([](int&) {}, write(a));
      f.submit([](const int&) {}, read(a));
      f.submit([](int&) {}, write(b));
      f.submit([](const int&, int&) {}, read(a), write(b));
      f.submit([](int&) {}, write(b));
    }
    f.wait();
  };
  run(20'000);
  const std::size_t before = resident_bytes();
  run(200'000);
  const std::size_t after = resident_bytes();
  CAPTURE(before, after);
  CHECK(before != 0);
  CHECK(after < before + (std::size_t{4} << 20));
  CHECK(t.statistics().replayed == 219'999);
}

TEST_CASE("traces that diverge, begin anew and lose their regions keep nothing") {
  if(sanitized) {
    WARN("not tested: sanitizers keep memory of their own");
    return;
  }
  executor ex(2);
  flow f(ex);
  int value = 0;
  region r(f, value);
  const auto run = [&](int n) {
    for(int i = 0; i != n; ++i) {
      trace t(f);
      int local = 0;
      region mine(f, local);
      for(int pass = 0; pass != 4; ++pass) {
        const auto guard = t.make_guard();
        f.submit([](int&) {}, write(r));
        f.submit([](int&, const int&) {}, write(mine), read(r));
        if(pass == 2)
          f.submit([](int&) {}, write(r));
      }
      f.wait();
      if(i % 3 == 0)
        t.reset();
    }
  };
  run(2000);
  const std::size_t before = resident_bytes();
  run(20'000);
  const std::size_t after = resident_bytes();
  CAPTURE(before, after);
  CHECK(after < before + (std::size_t{4} << 20));
}
