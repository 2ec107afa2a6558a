#include <cstring>
#include <functional>
#include <list>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/core/algorithm.hpp>

#include "algorithm_executors.hpp"

namespace {

template<class I>
concept can_scan = requires(rondo::executor& ex, I i) { rondo::inclusive_scan(ex, i, i, i); };

static_assert(can_scan<std::vector<int>::iterator>);
static_assert(!can_scan<std::list<int>::iterator>);

} // namespace

TEST_CASE("scans give all partial sums, also in place") {
  on_executors([](rondo::executor& ex) {
    for(const std::size_t n : interesting_lengths) {
      CAPTURE(n);
      std::vector<long> v(n), out(n), expected(n);
      for(std::size_t i = 0; i != n; ++i)
        v[i] = static_cast<long>(i % 7) - 2;

      std::inclusive_scan(v.begin(), v.end(), expected.begin());
      CHECK(rondo::inclusive_scan(ex, v.begin(), v.end(), out.begin()) == out.end());
      CHECK(out == expected);

      std::inclusive_scan(v.begin(), v.end(), expected.begin(), std::plus<>(), 100L);
      rondo::inclusive_scan(ex, v.begin(), v.end(), out.begin(), std::plus<>(), 100L);
      CHECK(out == expected);

      std::exclusive_scan(v.begin(), v.end(), expected.begin(), 100L);
      CHECK(rondo::exclusive_scan(ex, v.begin(), v.end(), out.begin(), 100L) == out.end());
      CHECK(out == expected);

      out = v;
      rondo::exclusive_scan(ex, out.begin(), out.end(), out.begin(), 100L);
      CHECK(out == expected);

      std::inclusive_scan(v.begin(), v.end(), expected.begin());
      out = v;
      rondo::inclusive_scan(ex, out.begin(), out.end(), out.begin());
      CHECK(out == expected);
    }
  });
}

TEST_CASE("scans keep the order of operands that do not commute") {
  on_executors([](rondo::executor& ex) {
    std::vector<std::string> v(300), inclusive(300), exclusive(300), expected(300);
    for(std::size_t i = 0; i != v.size(); ++i)
      v[i] = std::string(1, static_cast<char>('a' + i % 26));
    std::partial_sum(v.begin(), v.end(), expected.begin());
    rondo::inclusive_scan(ex, v.begin(), v.end(), inclusive.begin());
    CHECK(inclusive == expected);
    rondo::exclusive_scan(ex, v.begin(), v.end(), exclusive.begin(), std::string("-"));
    CHECK(exclusive.front() == "-");
    CHECK(exclusive.back() == "-" + expected[298]);
  });
}

TEST_CASE("scans of doubles have the same bits for any number of workers") {
  std::vector<double> x(300'000);
  std::mt19937_64 random(1);
  for(double& e : x)
    e = static_cast<double>(random()) * 1e-10;
  std::vector<std::vector<double>> results;
  on_executors([&](rondo::executor& ex) {
    for(int repeat = 0; repeat != 5; ++repeat) {
      results.emplace_back(x.size());
      rondo::inclusive_scan(ex, x.begin(), x.end(), results.back().begin());
    }
  });
  for(const auto& result : results)
    CHECK(std::memcmp(result.data(), results[0].data(), x.size() * sizeof(double)) == 0);
}

TEST_CASE("an exception in a scan reaches the caller") {
  on_executors([](rondo::executor& ex) {
    std::vector<int> v(100'000, 1);
    v[60'000] = -1;
    const auto add = [](int a, int b) {
      if(b == -1)
        throw std::runtime_error("minus one");
      return a + b;
    };
    std::vector<int> out(v.size());
    CHECK_THROWS_WITH(rondo::inclusive_scan(ex, v.begin(), v.end(), out.begin(), add), "minus one");
    CHECK_THROWS_WITH(
      rondo::exclusive_scan(ex, v.begin(), v.end(), out.begin(), 0, add), "minus one");
  });
}

TEST_CASE("scans can be nested in loops, and without an executor") {
  on_executors([](rondo::executor& ex) {
    std::vector<std::vector<int>> rows(20, std::vector<int>(2000, 1));
    rondo::for_each(ex, rows.begin(), rows.end(), [](std::vector<int>& row) {
      rondo::inclusive_scan(
        row.begin(), row.end(), row.begin(), [](int a, int b) { return a + b; });
    });
    for(const auto& row : rows)
      CHECK(row.back() == 2000);
  });
}
