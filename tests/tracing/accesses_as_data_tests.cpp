// Launches whose accesses turn out at run time: rondo::region_access.

#include <rondo/flow.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/futures.hpp>

#include "core/configurations.hpp"

using namespace rondo;

namespace {

/// Numbers with a region for each, and launches that mix some of them into others.
struct numbers {
  numbers(flow& f, std::size_t n) : of(f), values(n) {
    for(std::size_t i = 0; i != n; ++i) {
      values[i] = i;
      regions.emplace_back(f, values[i], "number");
    }
  }

  /// What launches number i does, in the order of the program.
  static std::uint64_t mixed(std::uint64_t into, std::uint64_t from) {
    return (into ^ from) * 0x9e3779b97f4a7c15U + 1;
  }

  flow& of;
  std::vector<std::uint64_t> values;
  std::deque<region<std::uint64_t>> regions;
};

struct mix {
  std::size_t into;
  std::vector<std::size_t> from;
};

/// Any number of sources, none twice.
std::vector<mix> mixes(std::uint64_t seed, std::size_t n, std::size_t numbers, std::size_t most) {
  std::vector<mix> all(n);
  for(std::size_t i = 0; i != n; ++i) {
    const auto draw = [&](std::uint64_t at, std::size_t below) {
      std::uint64_t x = (seed * 1'000'003 + i) * 1'009 + at;
      x = (x ^ (x >> 31U)) * 0xbf58476d1ce4e5b9U;
      x = (x ^ (x >> 29U)) * 0x94d049bb133111ebU;
      return static_cast<std::size_t>((x ^ (x >> 32U)) % below);
    };
    all[i].into = draw(0, numbers);
    const std::size_t sources = draw(1, most + 1);
    for(std::size_t k = 0; k != sources; ++k)
      all[i].from.push_back((all[i].into + 1 + (draw(2, numbers) + k) % (numbers - 1)) % numbers);
  }
  return all;
}

std::vector<region_access> accesses_of(const mix& m, numbers& on) {
  std::vector<region_access> list{write(on.regions[m.into])};
  for(const std::size_t from : m.from)
    list.push_back(read(on.regions[from]));
  return list;
}

void run(const mix& m, std::vector<std::uint64_t>& values) {
  for(const std::size_t from : m.from)
    values[m.into] = numbers::mixed(values[m.into], values[from]);
}

/// `m` has to live until it has run.
void launch(const mix& m, numbers& on) {
  on.of.submit([&m, &on] { run(m, on.values); }, accesses_of(m, on));
}

void launch_all(const std::vector<mix>& program, numbers& on) {
  for(const mix& m : program)
    launch(m, on);
}

std::vector<std::uint64_t> one_after_the_other(
  const std::vector<mix>& program, std::size_t n, unsigned passes) {
  std::vector<std::uint64_t> values(n);
  for(std::size_t i = 0; i != n; ++i)
    values[i] = i;
  for(unsigned pass = 0; pass != passes; ++pass)
    for(const mix& m : program)
      run(m, values);
  return values;
}

} // namespace

TEST_CASE("launches with accesses as data run in the order that these ask for") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  for(std::uint64_t seed = 0; seed != 4; ++seed) {
    flow f(ex);
    numbers on(f, 20);
    const std::vector<mix> program = mixes(seed, 500, 20, 12);
    launch_all(program, on);
    f.wait();
    CHECK(on.values == one_after_the_other(program, 20, 1));
  }
}

TEST_CASE("a launch with accesses as data may have many hundreds") {
  executor ex(executor_options{.workers = 2});
  flow f(ex);
  numbers on(f, 1'000);
  const std::vector<mix> program = mixes(7, 60, 1'000, 900);
  for(unsigned pass = 0; pass != 3; ++pass)
    launch_all(program, on);
  f.wait();
  CHECK(on.values == one_after_the_other(program, 1'000, 3));
}

TEST_CASE("accesses as data are found to repeat, traced, and repeated") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  const std::vector<mix> program = mixes(3, 40, 12, 6);
  const auto expected = one_after_the_other(program, 12, 50);
  SECTION("found") {
    flow f(ex);
    numbers on(f, 12);
    for(unsigned pass = 0; pass != 50; ++pass)
      launch_all(program, on);
    f.wait();
    CHECK(on.values == expected);
    CHECK(f.repeats().found != 0);
  }
  SECTION("traced") {
    flow f(ex, {.find_repeats = false});
    numbers on(f, 12);
    trace t;
    for(unsigned pass = 0; pass != 50; ++pass) {
      const auto g = t.make_guard(f);
      launch_all(program, on);
    }
    f.wait();
    CHECK(on.values == expected);
    CHECK(t.statistics().replayed >= 48);
  }
  SECTION("repeated") {
    flow f(ex);
    numbers on(f, 12);
    f.repeat(50, [&] { launch_all(program, on); });
    f.wait();
    CHECK(on.values == expected);
  }
}

TEST_CASE("a pass with other accesses than those recorded is analysed") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  flow f(ex, {.find_repeats = false});
  numbers on(f, 6);
  std::vector<std::uint64_t> expected = on.values;
  const mix same{0, {1, 2, 3}};
  const mix more{0, {1, 2, 3, 4}}; // another number of accesses
  const mix other{0, {1, 2, 5}};   // another region
  trace t;
  for(unsigned pass = 0; pass != 30; ++pass) {
    const auto g = t.make_guard(f);
    const mix& first = pass % 10 == 8 ? more : pass % 10 == 9 ? other : same;
    launch(first, on);
    run(first, expected);
    // The same regions with other modes.
    const bool writes = pass % 7 == 6;
    std::vector<region_access> list{write(on.regions[4])};
    list.push_back(writes ? region_access(write(on.regions[5])) : read(on.regions[5]));
    f.submit(
      [&on, writes] {
        on.values[4] += on.values[5];
        if(writes)
          on.values[5] += 1;
      },
      list);
    expected[4] += expected[5];
    expected[5] += writes ? 1 : 0;
  }
  f.wait();
  CHECK(on.values == expected);
}

TEST_CASE("accesses as data stand beside those of the usual kind, values and futures") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  flow f(ex);
  numbers on(f, 8);
  double sum = 0;
  region rsum(f, sum, "sum");
  promise<int> later;
  const std::vector<region_access> all{
    read(on.regions[0]), read(on.regions[1]), read(on.regions[2])};
  f.submit([&on] { on.values[1] = 10; }, std::vector<region_access>{write(on.regions[1])});
  future<double> result = f.submit(
    [&on](double& s, const int& factor, std::string unit) {
      for(std::size_t i = 0; i != 3; ++i)
        s += static_cast<double>(on.values[i]) * factor;
      return s + static_cast<double>(unit.size());
    },
    write(rsum), later.get_future(), all, std::string("mm"));
  f.submit([&on] { on.values[2] = 0; }, std::vector<region_access>{write(on.regions[2])});
  later.set_value(2);
  CHECK(result.get() == 26);
  f.wait();
  CHECK(sum == 24);
  CHECK(on.values[2] == 0);
}

TEST_CASE("launches that commute on accesses as data have them for themselves") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  flow f(ex);
  numbers on(f, 4);
  for(unsigned pass = 0; pass != 200; ++pass) {
    std::vector<region_access> list;
    for(std::size_t i = pass % 2; i < 4; i += 1 + pass % 3)
      list.push_back(commute(on.regions[i]));
    f.submit(
      [&on, pass] {
        for(std::size_t i = pass % 2; i < 4; i += 1 + pass % 3)
          on.values[i] += 1; // a race, if two of them run at a time
      },
      list);
  }
  f.wait();
  std::vector<std::uint64_t> expected{0, 1, 2, 3};
  for(unsigned pass = 0; pass != 200; ++pass)
    for(std::size_t i = pass % 2; i < 4; i += 1 + pass % 3)
      ++expected[i];
  CHECK(on.values == expected);
}

TEST_CASE("what is told of a launch with many accesses stays short") {
  executor ex(executor_options{.workers = 1});
  flow f(ex, {.find_repeats = false});
  numbers on(f, 40);
  std::vector<region_access> list;
  for(region<std::uint64_t>& r : on.regions)
    list.push_back(read(r));
  trace t;
  for(unsigned pass = 0; pass != 3; ++pass) {
    const auto g = t.make_guard(f);
    f.submit([] {}, list);
    list.resize(pass == 2 ? 39 : 40, list.front());
    f.submit([] {}, list);
  }
  f.wait();
  CHECK_THAT(t.text(), Catch::Matchers::Contains("number read and 28 more)") &&
                         Catch::Matchers::Contains("number read and 27 more)"));
  CHECK(t.text().size() < 2'000);
}

TEST_CASE("nothing is said of regions that something thrown has destroyed") {
  // The text would be that of a region that was destroyed while in use, but only after what was thrown is caught.
  executor ex(executor_options{.workers = 1});
  const mix m{0, {1}};
  const auto launch_and_throw = [&ex, &m] {
    flow f(ex);
    numbers on(f, 2);
    for(unsigned i = 0; i != 100; ++i)
      launch(m, on);
    throw std::runtime_error("thrown by the code that launches");
  };
  CHECK_THROWS_WITH(launch_and_throw(), "thrown by the code that launches");
}

TEST_CASE("an empty list of accesses is none") {
  executor ex(executor_options{.workers = 1});
  flow f(ex);
  int runs = 0;
  for(int i = 0; i != 100; ++i)
    f.submit([&runs] { ++runs; }, std::vector<region_access>());
  f.wait();
  CHECK(runs == 100);
}

TEST_CASE("a list of accesses that can't be is refused with a sentence") {
  executor ex(executor_options{.workers = 1});
  flow f(ex);
  flow other(ex);
  numbers on(f, 2);
  numbers of_other(other, 1);
  const auto nothing = [] {};
  const std::vector<region_access> twice{read(on.regions[0]), write(on.regions[0])};
  CHECK_THROWS_WITH(
    f.submit(nothing, twice), Catch::Matchers::Contains("region 'number' is given twice") &&
                                Catch::Matchers::Contains("accesses_as_data_tests.cpp:"));
  const std::vector<region_access> foreign{read(of_other.regions[0])};
  CHECK_THROWS_WITH(f.submit(nothing, foreign), Catch::Matchers::Contains("another flow"));
  const std::vector<region_access> many(70'000, read(on.regions[0]));
  CHECK_THROWS_WITH(f.submit(nothing, many),
    Catch::Matchers::Contains("70000 accesses as data; there can be 65535"));
  // Nothing is left behind by these.
  const mix good{0, {1}};
  launch(good, on);
  f.wait();
  CHECK(on.values[0] == numbers::mixed(0, 1));
}

TEST_CASE("what a launch with accesses as data throws is that of the flow") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  flow f(ex);
  numbers on(f, 2);
  f.submit(
    [] { throw std::runtime_error("no"); }, std::vector<region_access>{write(on.regions[0])});
  const mix not_run{0, {1}};
  launch(not_run, on);
  CHECK_THROWS_WITH(f.wait(), "no");
  CHECK(on.values[0] == 0);
}

TEST_CASE("threads launch the same function with accesses as data into flows of their own") {
  constexpr unsigned threads = 4;
  std::vector<std::vector<std::uint64_t>> values(threads);
  std::vector<std::thread> all;
  for(unsigned i = 0; i != threads; ++i)
    all.emplace_back([i, &values] {
      executor ex(executor_options{.workers = 1});
      flow f(ex);
      numbers on(f, 16);
      const std::vector<mix> program = mixes(i, 200, 16, 10);
      launch_all(program, on);
      f.wait();
      values[i] = on.values;
    });
  for(std::thread& t : all)
    t.join();
  for(unsigned i = 0; i != threads; ++i)
    CHECK(values[i] == one_after_the_other(mixes(i, 200, 16, 10), 16, 1));
}
