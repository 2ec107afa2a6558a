// How much was worked at which time.

#include <cstdint>
#include <numeric>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

#include "work_over_time.hpp"

using rondo::detail::work_over_time;
using rondo::detail::work_slices;

namespace {

double sum_of(const work_slices& w) {
  return std::accumulate(w.worked.begin(), w.worked.end(), 0.0);
}

} // namespace

TEST_CASE("short tasks count where they end, long ones all along") {
  work_over_time w;
  w.begin(1000, 10);
  w.add(1003, 2);
  w.add(1009, 3);
  w.add(1014, 4);
  w.add(1047, 30);
  const work_slices all = w.copy(1);
  CHECK(all.seconds_each == 10);
  CHECK(all.worked == std::vector<double>{5, 7, 10, 10, 7});
}

TEST_CASE("slices get longer, and nothing is lost") {
  work_over_time w;
  w.begin(0, 1);
  double sum = 0;
  std::uint64_t now = 0;
  for(int i = 0; i != 1000; ++i) {
    now += 7;
    w.add(now, 5);
    sum += 5;
  }
  work_slices all = w.copy(1);
  CHECK(all.seconds_each == 128);
  CHECK(sum_of(all) == sum);
  for(std::size_t i = 1; i + 1 < all.worked.size(); ++i)
    CHECK(all.worked[i] == Approx(128 * 5 / 7.0).margin(6));
  // After a long time, and of a task that has taken all of it.
  w.add(1'000'000, 1'000'000 - now);
  all = w.copy(1);
  CHECK(sum_of(all) == sum + 1'000'000 - static_cast<double>(now));
  CHECK(all.seconds_each == 16384);
}

TEST_CASE("before time begins nothing is noted, and it may begin anew") {
  work_over_time w;
  w.add(100, 50);
  CHECK(w.copy(1).worked.empty());
  w.begin(1000, 10);
  w.add(1005, 50); // it began before
  CHECK(w.copy(1).worked == std::vector<double>{5});
  w.begin(2000, 10);
  CHECK(w.copy(1).worked.empty());
}

TEST_CASE("others read while slices get longer") {
  work_over_time w;
  w.begin(0, 1);
  constexpr std::uint64_t steps = 20'000;
  std::thread worker([&w] {
    for(std::uint64_t i = 1; i <= steps; ++i)
      w.add(i, 1);
  });
  double before = 0;
  while(before < steps) {
    const double now = sum_of(w.copy(1));
    CHECK(now >= before);
    before = now;
  }
  worker.join();
  CHECK(before == steps);
}

TEST_CASE("slices of two workers are added at the length of the longer ones") {
  work_slices a{2, {1, 2, 1}};
  a += {4, {4, 0, 2}};
  CHECK(a.seconds_each == 4);
  CHECK(a.worked == std::vector<double>{7, 1, 2});
  CHECK(a.between(2, 6) == Approx(4));
  CHECK(a.between(12, 20) == 0);
  a += {};
  CHECK(a.worked.size() == 3);
}
