// Launches with more accesses than a word has bits.

#include <cstddef>
#include <deque>
#include <utility>

#include <catch2/catch.hpp>
#include <rondo/flow.hpp>

TEST_CASE("a launch of forty accesses and a future gets each value in its place") {
  rondo::executor ex({.workers = 2});
  rondo::flow flow(ex);
  std::deque<long> values;
  std::deque<rondo::region<long>> regions;
  for(long i = 0; i != 40; ++i)
    regions.emplace_back(flow, values.emplace_back(i), "value");
  long sum = 0;
  const auto weigh = [&sum](const auto&... v) {
    long weight = 0;
    ((sum += ++weight * v), ...);
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    flow.submit(weigh, rondo::read(regions[I])..., rondo::make_ready(1000L));
  }(std::make_index_sequence<40>());
  flow.wait();
  long expected = 41 * 1000;
  for(long i = 0; i != 40; ++i)
    expected += (i + 1) * i;
  CHECK(sum == expected);
}
