#include <algorithm>
#include <atomic>
#include <list>
#include <stdexcept>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/core/algorithm.hpp>

#include "algorithm_executors.hpp"

namespace {

template<class I>
concept can_find =
  requires(rondo::executor& ex, I i) { rondo::find_if(ex, i, i, [](int) { return true; }); };

static_assert(can_find<std::vector<int>::iterator>);
static_assert(!can_find<std::list<int>::iterator>);

const auto is_one = [](int e) { return e == 1; };

} // namespace

TEST_CASE("find_if finds the first of many matches") {
  on_executors([](rondo::executor& ex) {
    std::vector<int> v(100'000);
    for(const std::size_t where : {0, 1, 99, 33'333, 50'000, 99'999}) {
      std::fill(v.begin(), v.end(), 0);
      for(std::size_t i = where; i < v.size(); i += 777)
        v[i] = 1;
      const auto expected = v.begin() + static_cast<std::ptrdiff_t>(where);
      CHECK(rondo::find_if(ex, v.begin(), v.end(), is_one) == expected);
      CHECK(rondo::find_if(ex, v.begin(), v.end(), is_one, rondo::static_chunks()) == expected);
      CHECK(rondo::find_if(ex, v.begin(), v.end(), is_one, rondo::dynamic_chunks(10)) == expected);
    }
  });
}

TEST_CASE("find_if gives the end if nothing matches or there is nothing") {
  on_executors([](rondo::executor& ex) {
    for(const std::size_t n : interesting_lengths) {
      const std::vector<int> v(n, 0);
      CHECK(rondo::find_if(ex, v.begin(), v.end(), is_one) == v.end());
    }
  });
}

TEST_CASE("find_if does not look far behind a match") {
  on_executors([](rondo::executor& ex) {
    std::vector<int> v(10'000'000);
    v[1000] = 1;
    std::atomic<long> calls{0};
    const auto found = rondo::find_if(ex, v.begin(), v.end(), [&](int e) {
      calls.fetch_add(1, std::memory_order_relaxed);
      return e == 1;
    });
    CHECK(found == v.begin() + 1000);
    if(ex.workers() == 1)
      CHECK(calls == 1001);
    else
      CHECK(calls < 10'000'000);
  });
}

TEST_CASE("an exception of the predicate reaches the caller of find_if") {
  on_executors([](rondo::executor& ex) {
    const std::vector<int> v(10'000);
    CHECK_THROWS_AS(rondo::find_if(ex, v.begin(), v.end(), [](int) -> bool { throw 1; }), int);
  });
}

TEST_CASE("find_if without an executor works inside of a loop") {
  on_executors([](rondo::executor& ex) {
    std::vector<int> v(1000);
    v[500] = 1;
    std::atomic<int> right{0};
    rondo::for_each_index(ex, rondo::extents{50}, [&](std::size_t) {
      if(rondo::find_if(v.begin(), v.end(), is_one) - v.begin() == 500)
        ++right;
    });
    CHECK(right == 50);
  });
}
