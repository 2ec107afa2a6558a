// Calls of `repeat` whose body launches what a call before has launched: what was found out about that is used again.

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/flow.hpp>
#include <rondo/futures.hpp>

#include "random_programs.hpp"
#include "trace_support.hpp"

using namespace rondo;

namespace {

struct sum_of {
  long identity(const long&) const { return 0; }
  void operator()(long& into, long part) const { into += part; }
};

} // namespace

TEST_CASE("a body that is launched again runs with what it has now") {
  for(const unsigned workers : {1U, 2U, 4U}) {
    executor ex(workers);
    flow f(ex);
    std::uint64_t x = 1;
    std::uint64_t y = 2;
    region rx(f, x);
    region ry(f, y);
    std::uint64_t expected_x = 1;
    std::uint64_t expected_y = 2;
    for(std::uint64_t step = 0; step != 200; ++step) {
      f.repeat(7, [&] {
        f.submit([step](std::uint64_t& v) { v = random_programs::mix(v, step); }, write(rx));
        f.submit([](const std::uint64_t& a, std::uint64_t& b,
                   std::uint64_t by) { b = random_programs::mix(a ^ by, b); },
          read(rx), write(ry), 3 * step);
      });
      for(int i = 0; i != 7; ++i) {
        expected_x = random_programs::mix(expected_x, step);
        expected_y = random_programs::mix(expected_x ^ (3 * step), expected_y);
      }
      if(step % 3 == 0) { // something in between, that has the regions
        f.submit([](std::uint64_t& v) { ++v; }, write(rx));
        ++expected_x;
      }
      if(step % 5 == 0)
        f.wait();
    }
    f.wait();
    CHECK(x == expected_x);
    CHECK(y == expected_y);
    CHECK(f.repeats_again() > 30);
  }
}

TEST_CASE("a body is another one with another region, function, place, or number of passes") {
  executor ex(1);
  flow f(ex);
  long x = 0;
  long y = 0;
  region rx(f, x);
  region ry(f, y);
  const auto run = [&](std::uint64_t passes, region<long>& on, bool adds_two) {
    f.repeat(passes, [&] {
      if(adds_two)
        f.submit([](long& v) { v += 2; }, write(on));
      else
        f.submit([](long& v) { ++v; }, write(on));
    });
    f.wait();
  };
  run(10, rx, false);
  run(10, ry, false);
  run(10, rx, true);
  run(11, rx, false);
  f.repeat(10, [&] { f.submit([](long& v) { ++v; }, write(rx)); });
  f.wait();
  CHECK(f.repeats_again() == 0);
  CHECK(x == 10 + 20 + 11 + 10);
  CHECK(y == 10);
  run(10, ry, false); // they come in turns
  run(11, rx, false);
  run(10, rx, false);
  CHECK(f.repeats_again() == 3);
  CHECK(x == 51 + 21);
  CHECK(y == 20);
}

TEST_CASE("results of a body that runs again are those of its last pass") {
  for(const unsigned workers : {1U, 2U}) {
    executor ex(workers);
    flow f(ex);
    long x = 0;
    region rx(f, x);
    for(long step = 0; step != 400; ++step) {
      future<long> last;
      f.repeat(4, [&] {
        last = f.submit(
          [](long& v, long by) {
            v += by;
            return v;
          },
          write(rx), step);
      });
      CHECK(last.get() == 2 * step * (step + 1));
    }
    CHECK(f.repeats_again() > 100); // without a wait, batch by batch
  }
}

TEST_CASE("what a body has kept ends with its loop, though that may run again") {
  executor ex(1);
  flow f(ex);
  long x = 0;
  region rx(f, x);
  for(int step = 0; step != 3; ++step) {
    const auto kept = std::make_shared<int>(step);
    f.repeat(5, [&] { f.submit([kept](long& v) { v += *kept; }, write(rx)); });
    f.wait();
    CHECK(kept.use_count() == 1);
  }
  CHECK(x == 5 * 3);
  CHECK(f.repeats_again() == 2);
}

TEST_CASE("a loop whose region has ended does not run again") {
  for(const unsigned workers : {1U, 2U}) {
    executor ex(workers);
    flow f(ex);
    long y = 0;
    region ry(f, y);
    std::vector<std::optional<region<long>>> room(1);
    for(int step = 0; step != 20; ++step) {
      long x = 0;
      auto& rx = room[0].emplace(f, x); // at the same place each time
      f.repeat(3, [&] {
        f.submit([](long& v) { ++v; }, write(rx));
        f.submit([](const long& a, long& b) { b += a; }, read(rx), write(ry));
      });
      f.wait();
      CHECK(x == 3);
      CHECK(y == 6 * (step + 1));
      room[0].reset();
    }
    CHECK(f.repeats_again() == 0);
  }
}

TEST_CASE("the end of a region waits for none but its own, though a loop that has run names it") {
  executor ex(2);
  flow f(ex);
  promise<void> gate;
  long x = 0;
  long y = 0;
  region ry(f, y);
  {
    region rx(f, x);
    f.repeat(3, [&] { f.submit([](long& v) { ++v; }, write(rx)); });
    f.wait();
    f.submit([](long& v, future<void>) { v = 1; }, write(ry), gate.get_future());
  } // would wait for the gate
  CHECK(x == 3);
  gate.set_value();
  f.wait();
  CHECK(y == 1);
}

TEST_CASE("after a failure a body runs again as if for the first time") {
  for(const unsigned workers : {1U, 2U, 4U}) {
    executor ex(workers);
    flow f(ex);
    long x = 0;
    region rx(f, x);
    for(int step = 0; step != 40; ++step) {
      const bool fails = step % 4 == 2;
      x = 0;
      f.repeat(100, [&] {
        f.submit(
          [](long& v, bool throws) {
            if(++v == 50 && throws)
              throw std::runtime_error("at 50");
          },
          write(rx), fails);
      });
      f.repeat(3, [&] { f.submit([](long& v) { v += 1000; }, write(rx)); });
      if(fails)
        CHECK_THROWS_WITH(f.wait(), "at 50");
      else
        f.wait();
      CHECK(x == (fails ? 50 : 3100));
    }
  }
}

TEST_CASE("inner loops run again in each pass of the loop around, and not in passes in vain") {
  for(const unsigned workers : {1U, 2U, 4U}) {
    executor ex(workers);
    flow f(ex);
    std::uint64_t x = 1;
    region rx(f, x);
    std::uint64_t expected = 1;
    for(int round = 0; round != 10; ++round) {
      iterate_options options;
      options.max = 100;
      options.lag = 4;
      const future<std::uint64_t> passes = f.iterate(
        [&](std::uint64_t pass) {
          f.repeat(5, [&] {
            f.submit([](std::uint64_t& v, std::uint64_t by) { v = random_programs::mix(v, by); },
              write(rx), pass);
          });
          return f.submit(
            [](const std::uint64_t&, std::uint64_t p) { return p == 12; }, read(rx), pass);
        },
        options);
      f.wait();
      for(std::uint64_t pass = 0; pass != passes.get(); ++pass)
        for(int i = 0; i != 5; ++i)
          expected = random_programs::mix(expected, pass);
      CHECK(x == expected);
    }
  }
}

TEST_CASE("reductions of a body that runs again begin anew") {
  for(const unsigned workers : {1U, 2U, 4U}) {
    executor ex(workers);
    flow f(ex);
    long sum = 0;
    region rs(f, sum);
    std::vector<long> cells(8, 1);
    std::vector<std::unique_ptr<region<long>>> regions;
    for(long& c : cells)
      regions.push_back(std::make_unique<region<long>>(f, c));
    long expected = 0;
    for(int step = 0; step != 60; ++step) {
      f.repeat(6, [&] {
        for(auto& r : regions) {
          f.submit([](long& v) { ++v; }, write(*r));
          f.submit([](const long& v, long& s) { s += v; }, read(*r), reduce(rs, sum_of{}));
        }
      });
      for(int pass = 0; pass != 6; ++pass)
        expected += 8 * (2 + 6 * step + pass);
      if(step % 7 == 0)
        f.wait();
    }
    f.wait();
    CHECK(sum == expected);
  }
}

TEST_CASE("many bodies in turns, of which only some are kept") {
  for(const unsigned workers : {1U, 2U}) {
    executor ex(workers);
    twin cells(ex, 64);
    for(std::uint64_t round = 0; round != 4; ++round)
      for(std::size_t width = 1; width != 40; ++width) {
        cells.home().repeat(1, [&] { cells.steps(0, width, width * round); });
        cells.home().repeat(2, [&] { // twice the same is nothing
          cells.home().submit([](std::uint64_t& v) { v ^= 1; }, write(cells[width]));
        });
      }
    CHECK(cells.is_right());
  }
}

TEST_CASE("regions that end one after the other take along a loop that ends meanwhile") {
  for(const unsigned workers : {1U, 2U})
    for(const bool waits : {true, false}) {
      executor ex(workers);
      flow f(ex);
      long x = 0;
      long y = 0;
      auto rx = std::make_unique<region<long>>(f, x);
      auto ry = std::make_unique<region<long>>(f, y);
      f.repeat(3, [&] {
        f.submit([](long& v) { ++v; }, write(*rx));
        f.submit([](const long& a, long& b) { b += a; }, read(*rx), write(*ry));
      });
      if(waits) {
        f.wait(*rx);
        f.wait(*ry);
      }
      rx.reset();
      ry.reset();
      if(waits)
        f.wait();
      else
        CHECK_THROWS_WITH(
          f.wait(), Catch::Contains("was destroyed while a launch still needed it"));
      CHECK(x == 3);
      CHECK(y == 6);
    }
}

namespace {
/// Does something in some calls of a body only.
struct at_times {
  bool idle;
  [[nodiscard]] bool does_nothing() const { return idle; }
  void operator()(long& v) const {
    if(!idle)
      v += 10;
  }
};
} // namespace

TEST_CASE("a body that leaves the same launches out runs again, and another one does not") {
  for(const unsigned workers : {1U, 2U}) {
    executor ex(workers);
    flow f(ex);
    std::vector<long> cells(6, 0);
    std::vector<std::unique_ptr<region<long>>> regions;
    for(long& c : cells)
      regions.push_back(std::make_unique<region<long>>(f, c));
    std::vector<long> expected(6, 0);
    std::uint64_t called = 0;
    for(std::size_t step = 0; step != 60; ++step) {
      const std::size_t busy = step / 20; // at first 0
      f.repeat(4, [&] {
        for(std::size_t i = 0; i != cells.size(); ++i) {
          f.submit([](long& v) { ++v; }, write(*regions[i]));
          f.submit(at_times{i != busy}, write(*regions[i]));
        }
      });
      for(std::size_t i = 0; i != cells.size(); ++i)
        expected[i] += i == busy ? 44 : 4;
      f.wait();
      CHECK(f.repeats_again() == called);
      called += step % 20 == 19 ? 0 : 1;
    }
    CHECK(cells == expected);
  }
}

TEST_CASE("a body whose launches wait for many others runs again") {
  for(const unsigned workers : {1U, 2U}) {
    executor ex(workers);
    flow f(ex);
    constexpr std::size_t n = 40;
    std::vector<long> from(n, 1);
    std::vector<long> to(n, 0);
    std::vector<std::unique_ptr<region<long>>> rf;
    std::vector<std::unique_ptr<region<long>>> rt;
    for(std::size_t i = 0; i != n; ++i) {
      rf.push_back(std::make_unique<region<long>>(f, from[i]));
      rt.push_back(std::make_unique<region<long>>(f, to[i]));
    }
    for(long step = 0; step != 10; ++step) {
      f.repeat(3, [&] {
        for(auto& r : rf)
          f.submit([](long& v) { ++v; }, write(*r));
        for(std::size_t i = 0; i != n; ++i) {
          std::vector<region_access> all;
          for(auto& r : rf)
            all.push_back(read(*r));
          all.push_back(write(*rt[i]));
          f.submit(
            [&from, &out = to[i], step] {
              for(const long v : from)
                out += v + step;
            },
            all);
        }
      });
      f.wait();
    }
    CHECK(f.repeats_again() == 9);
    long sum = 0;
    for(long step = 0; step != 10; ++step)
      for(long pass = 0; pass != 3; ++pass)
        sum += static_cast<long>(n) * (2 + 3 * step + pass + step);
    CHECK(to == std::vector<long>(n, sum));
  }
}
