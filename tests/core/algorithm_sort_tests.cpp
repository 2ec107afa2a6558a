#include <algorithm>
#include <atomic>
#include <cmath>
#include <deque>
#include <functional>
#include <initializer_list>
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

template<class I>
concept can_sort = requires(rondo::executor& ex, I i) { rondo::sort(ex, i, i); };

static_assert(can_sort<std::vector<int>::iterator>);
static_assert(!can_sort<std::list<int>::iterator>);
static_assert(!can_sort<std::vector<int>::const_iterator>);

/// Inputs of all the shapes that break quicksorts.
std::vector<std::vector<int>> shapes(std::size_t n) {
  std::vector<std::vector<int>> all(9, std::vector<int>(n));
  std::mt19937 random(static_cast<unsigned>(n));
  for(std::size_t i = 0; i != n; ++i) {
    const int k = static_cast<int>(i), m = static_cast<int>(n);
    all[0][i] = static_cast<int>(random());
    all[1][i] = k;
    all[2][i] = m - k;
    all[3][i] = 5;
    all[4][i] = static_cast<int>(random() % 4);
    all[5][i] = std::min(k, m - k);                                 // up and down
    all[6][i] = k % 1000;                                           // saw
    all[7][i] = i + 10 < n ? k : static_cast<int>(random() % 1000); // sorted but for the end
    all[8][i] = k % 2 == 0 ? k : -k;
  }
  return all;
}

/// Hundreds of ranges that are not divided further; with sanitizers, for which these tests are not optimized, dozens.
#ifdef RONDO_SANITIZED
constexpr std::size_t many = 20'000;
#else
constexpr std::size_t many = 200'000;
#endif

std::vector<int> mixed(std::size_t n) { return std::move(shapes(n)[0]); }

} // namespace

TEST_CASE("sort sorts inputs of all shapes and lengths") {
  on_executors([](rondo::executor& ex) {
    for(const std::size_t n :
      std::initializer_list<std::size_t>{0, 1, 2, 3, 511, 512, 513, 5000, many}) {
      std::size_t shape = 0;
      for(auto& v : shapes(n)) {
        CAPTURE(n, shape);
        auto expected = v;
        std::sort(expected.begin(), expected.end());
        rondo::sort(ex, v.begin(), v.end());
        CHECK(v == expected);
        ++shape;
      }
    }
  });
}

TEST_CASE("sort takes a comparator") {
  on_executors([](rondo::executor& ex) {
    auto v = mixed(many / 4);
    rondo::sort(ex, v.begin(), v.end(), std::greater<>());
    CHECK(std::is_sorted(v.begin(), v.end(), std::greater<>()));
  });
}

TEST_CASE("sort moves elements that cannot be copied") {
  on_executors([](rondo::executor& ex) {
    std::vector<std::unique_ptr<int>> v;
    for(const int e : mixed(many / 2))
      v.push_back(std::make_unique<int>(e));
    const auto less = [](const auto& a, const auto& b) { return *a < *b; };
    rondo::sort(ex, v.begin(), v.end(), less);
    CHECK(std::is_sorted(v.begin(), v.end(), less));
  });
}

TEST_CASE("sort works on strings and in a deque") {
  on_executors([](rondo::executor& ex) {
    std::deque<std::string> v;
    for(const int e : mixed(many / 5))
      v.push_back(std::to_string(e));
    rondo::sort(ex, v.begin(), v.end());
    CHECK(std::is_sorted(v.begin(), v.end()));
  });
}

TEST_CASE("a comparator that throws loses no element but those on their way") {
  on_executors([](rondo::executor& ex) {
    for(const std::size_t when : std::initializer_list<std::size_t>{1, 1000, many / 2, 5 * many}) {
      std::vector<std::unique_ptr<int>> v;
      for(const int e : mixed(many / 2))
        v.push_back(std::make_unique<int>(e));
      std::vector<int> before, after;
      for(const auto& e : v)
        before.push_back(*e);
      std::atomic<std::size_t> calls{0};
      CHECK_THROWS_AS(rondo::sort(ex, v.begin(), v.end(),
                        [&](const auto& a, const auto& b) {
                          if(++calls == when)
                            throw std::runtime_error("enough");
                          return *a < *b;
                        }),
        std::runtime_error);
      // std::sort, which sorts short ranges, may drop the one element that it holds.
      for(const auto& e : v) {
        if(e != nullptr)
          after.push_back(*e);
      }
      CHECK(after.size() + ex.workers() >= before.size());
    }
  });
}

TEST_CASE("sort needs no more than a few comparisons per element if there is little to do") {
  rondo::executor ex(2);
  const auto comparisons = [&](std::vector<int> v) {
    std::atomic<long> calls{0};
    rondo::sort(ex, v.begin(), v.end(), [&](int a, int b) {
      calls.fetch_add(1, std::memory_order_relaxed);
      return a < b;
    });
    CHECK(std::is_sorted(v.begin(), v.end()));
    return static_cast<double>(calls) / static_cast<double>(v.size());
  };
  const auto all = shapes(many);
  CHECK(comparisons(all[1]) <= 1.0);
  CHECK(comparisons(all[2]) <= 2.0);
  CHECK(comparisons(all[3]) <= 1.0);
  CHECK(comparisons(all[4]) <= 10.0);
  CHECK(comparisons(all[0]) <= 30.0);
  CHECK(comparisons(all[5]) <= 60.0);
  CHECK(comparisons(all[6]) <= 60.0);
}

TEST_CASE("sort inside of tasks and loops") {
  on_executors([](rondo::executor& ex) {
    std::vector<std::vector<int>> rows(10, mixed(5000));
    rondo::for_each(ex, rows.begin(), rows.end(),
      [](std::vector<int>& row) { rondo::sort(row.begin(), row.end()); });
    for(const auto& row : rows)
      CHECK(std::is_sorted(row.begin(), row.end()));
  });
}

TEST_CASE("a range partitioned in strips has everything on its side") {
  on_executors([](rondo::executor& ex) {
    for(const std::size_t n : {1, 2, 10, 1000, 4097}) {
      for(const std::size_t strips : {1, 2, 3, 7}) {
        if(strips > n)
          continue;
        for(auto v : shapes(n)) {
          auto kept = v;
          const int pivot = v[n / 2];
          const auto before = [pivot](int e) { return e < pivot; };
          const auto border = ex.run(
            [&] { return rondo::detail::parallel_partition(v.begin(), v.end(), strips, before); });
          CHECK(std::all_of(v.begin(), border, before));
          CHECK(std::none_of(border, v.end(), before));
          std::sort(v.begin(), v.end());
          std::sort(kept.begin(), kept.end());
          CHECK(v == kept);
        }
      }
    }
  });
}
