#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <list>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/core/algorithm.hpp>

#include "algorithm_executors.hpp"

namespace {

/// Numbers whose sum depends on the order of the additions.
std::vector<double> awkward(std::size_t n) {
  std::vector<double> x(n);
  std::mt19937_64 random(n);
  for(double& e : x)
    e = std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 60) - 90);
  return x;
}

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

std::string letters(std::size_t n) {
  std::string all(n, ' ');
  for(std::size_t i = 0; i != n; ++i)
    all[i] = static_cast<char>('a' + i % 26);
  return all;
}

template<class I>
concept can_reduce = requires(rondo::executor& ex, I i) { rondo::reduce(ex, i, i); };

static_assert(can_reduce<std::vector<int>::const_iterator>);
static_assert(!can_reduce<std::list<int>::iterator>);

} // namespace

TEST_CASE("reduce gives the sum") {
  on_executors([](rondo::executor& ex) {
    for(const std::size_t n : interesting_lengths) {
      std::vector<long> v(n);
      std::iota(v.begin(), v.end(), 1L);
      const long m = static_cast<long>(n);
      CHECK(rondo::reduce(ex, v.begin(), v.end()) == m * (m + 1) / 2);
      CHECK(rondo::reduce(ex, v.begin(), v.end(), 10L) == m * (m + 1) / 2 + 10);
    }
  });
}

TEST_CASE("reduce of doubles has the same bits for any number of workers and any chunking") {
  for(const std::size_t n : {5, 33, 4097, 100'003, 1'000'000}) {
    const auto x = awkward(n);
    std::vector<double> sums;
    on_executors([&](rondo::executor& ex) {
      for(int repeat = 0; repeat != 5; ++repeat)
        sums.push_back(rondo::reduce(ex, x.begin(), x.end(), 0.0));
      sums.push_back(
        rondo::reduce(ex, x.begin(), x.end(), 0.0, std::plus<>(), rondo::static_chunks()));
      sums.push_back(
        rondo::reduce(ex, x.begin(), x.end(), 0.0, std::plus<>(), rondo::dynamic_chunks(1)));
    });
    for(const double sum : sums)
      CHECK(same_bits(sum, sums[0]));
    const double serial = std::accumulate(x.begin(), x.end(), 0.0);
    CHECK(std::abs(sums[0] - serial) <= 1e-9 * serial);
  }
}

TEST_CASE("reduce keeps the order of operands that do not commute") {
  on_executors([](rondo::executor& ex) {
    for(const std::size_t n : {0, 1, 2, 3, 64, 65, 1000, 5000}) {
      const std::string all = letters(n);
      const std::string joined = rondo::transform_reduce(ex, all.begin(), all.end(),
        std::string(">"), std::plus<>(), [](char c) { return std::string(1, c); });
      CHECK(joined == ">" + all);
    }
  });
}

TEST_CASE("reduce of an empty range gives the initial value") {
  on_executors([](rondo::executor& ex) {
    const std::vector<int> none;
    CHECK(rondo::reduce(ex, none.begin(), none.end(), 7) == 7);
    CHECK(rondo::reduce(ex, none.begin(), none.end()) == 0);
    CHECK(rondo::transform_reduce(ex, none.begin(), none.end(), none.begin(), 7) == 7);
  });
}

TEST_CASE("the type of the initial value is that of the result") {
  on_executors([](rondo::executor& ex) {
    const std::vector<unsigned char> bytes(100'000, 200);
    CHECK(rondo::reduce(ex, bytes.begin(), bytes.end(), 0L) == 20'000'000L);
    const std::vector<float> halves(10'000, 0.5F);
    CHECK(rondo::reduce(ex, halves.begin(), halves.end(), 0.0) == 5000.0);
  });
}

TEST_CASE("reduce works with values that can only be moved") {
  using box = std::unique_ptr<long>;
  on_executors([](rondo::executor& ex) {
    for(const std::size_t n : {1, 10, 1000, 30'000}) {
      std::vector<long> v(n, 3);
      const auto add = [](box a, box b) {
        *a += *b;
        return a;
      };
      const auto boxed = [](long e) { return std::make_unique<long>(e); };
      box sum =
        rondo::transform_reduce(ex, v.begin(), v.end(), std::make_unique<long>(1), add, boxed);
      CHECK(*sum == static_cast<long>(3 * n + 1));
      sum = rondo::transform_reduce(
        ex, v.begin(), v.end(), std::make_unique<long>(1), add, boxed, rondo::static_chunks());
      CHECK(*sum == static_cast<long>(3 * n + 1));
    }
  });
}

TEST_CASE("an exception in a reduction reaches the caller") {
  on_executors([](rondo::executor& ex) {
    std::vector<int> v(10'000, 1);
    v[5000] = -1;
    const auto add = [](int a, int b) {
      if(b < 0)
        throw std::runtime_error("negative");
      return a + b;
    };
    CHECK_THROWS_WITH(rondo::reduce(ex, v.begin(), v.end(), 0, add), "negative");
    CHECK_THROWS_WITH(
      rondo::reduce(ex, v.begin(), v.end(), 0, add, rondo::guided_chunks()), "negative");
    CHECK(rondo::reduce(ex, v.begin(), v.end(), 0) == 9998);
  });
}

TEST_CASE("transform_reduce folds what a function makes of each element or pair") {
  on_executors([](rondo::executor& ex) {
    for(const std::size_t n : interesting_lengths) {
      std::vector<long> a(n), b(n, 2);
      std::iota(a.begin(), a.end(), 0L);
      const long m = static_cast<long>(n);
      CHECK(rondo::transform_reduce(ex, a.begin(), a.end(), b.begin(), 5L) == m * (m - 1) + 5);
      CHECK(rondo::transform_reduce(ex, a.begin(), a.end(), 0L, std::plus<>(),
              [](long e) { return -e; }) == -(m * (m - 1) / 2));
      CHECK(rondo::transform_reduce(
              ex, a.begin(), a.end(), b.begin(), 0L, [](long x, long y) { return std::max(x, y); },
              [](long x, long y) { return x + y; }) == (n == 0 ? 0 : m + 1));
    }
  });
}

TEST_CASE("reductions can be nested in loops") {
  on_executors([](rondo::executor& ex) {
    const std::vector<std::vector<int>> rows(40, std::vector<int>(500, 1));
    const long sum = rondo::transform_reduce(ex, rows.begin(), rows.end(), 0L, std::plus<>(),
      [](const std::vector<int>& row) { return rondo::reduce(row.begin(), row.end(), 0L); });
    CHECK(sum == 20'000);
  });
}
