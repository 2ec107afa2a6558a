// Histograms of durations.

#include <cstdint>
#include <random>
#include <vector>

#include <algorithm>
#include <catch2/catch.hpp>
#include <rondo/observe/durations.hpp>

using rondo::detail::durations;

TEST_CASE("each duration has a step whose middle is within a sixteenth of it") {
  std::mt19937_64 random(1);
  for(int i = 0; i != 100'000; ++i) {
    const std::uint64_t ns = random() >> (20 + random() % 40);
    const std::size_t step = durations::step_of(ns);
    REQUIRE(step < durations::steps);
    if(step == durations::steps - 1)
      continue; // everything that is longer
    const double exact = static_cast<double>(ns);
    REQUIRE(durations::middle_of(step) <= 1.0626 * exact);
    REQUIRE(durations::middle_of(step) >= 0.9374 * exact);
  }
}

TEST_CASE("steps grow with durations") {
  std::size_t before = 0;
  for(std::uint64_t ns = 0; ns != 100'000; ++ns) {
    const std::size_t step = durations::step_of(ns);
    REQUIRE(step >= before);
    before = step;
  }
  CHECK(durations::step_of(~std::uint64_t{0}) == durations::steps - 1);
}

TEST_CASE("quantiles and sums are those of the durations, to a sixteenth") {
  std::mt19937_64 random(2);
  durations d;
  std::vector<double> all;
  for(int i = 0; i != 10'001; ++i) {
    const std::uint64_t ns = 100 + random() % 1'000'000;
    d.add(ns);
    all.push_back(static_cast<double>(ns));
  }
  std::ranges::sort(all);
  CHECK(d.count() == all.size());
  for(const double part : {0.05, 0.5, 0.9, 0.99})
    CHECK(d.quantile(part) == Approx(all[static_cast<std::size_t>(part * 10'000)]).epsilon(0.063));
  CHECK(static_cast<double>(d.count_up_to(500'000)) == Approx(0.5 * 10'001).epsilon(0.07));
  CHECK(d.count_up_to(50) == 0);
  CHECK(d.count_up_to(1e9) == d.count());
  double sum = 0;
  for(const double x : all)
    sum += std::min(x, 300'000.0);
  CHECK(d.sum_up_to(300'000) == Approx(sum).epsilon(0.02));
}

TEST_CASE("of nothing there is nothing") {
  const durations none;
  CHECK(none.count() == 0);
  CHECK(none.quantile(0.5) == 0);
  CHECK(none.sum_up_to(1e9) == 0);
}

TEST_CASE("two together are as if all had been added to one") {
  durations a;
  durations b;
  durations both;
  for(std::uint64_t ns = 1; ns < 1'000'000; ns *= 3) {
    (ns % 2 == 0 ? a : b).add(ns);
    both.add(ns);
    a.add(2 * ns);
    both.add(2 * ns);
  }
  a += b;
  CHECK(a.counts == both.counts);
}

TEST_CASE("in another unit they are as many, and take as long") {
  std::mt19937_64 random(3);
  durations ticks;
  durations ns;
  for(int i = 0; i != 10'000; ++i) {
    const std::uint64_t n = 1'000 + random() % 10'000'000;
    ticks.add(n);
    ns.add(static_cast<std::uint64_t>(0.4 * static_cast<double>(n)));
  }
  const durations scaled = ticks.scaled(0.4);
  CHECK(scaled.count() == ns.count());
  for(const double part : {0.1, 0.5, 0.9})
    CHECK(scaled.quantile(part) == Approx(ns.quantile(part)).epsilon(0.13));
}
