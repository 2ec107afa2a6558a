#include <atomic>
#include <chrono>
#include <forward_list>
#include <functional>
#include <list>
#include <memory>
#include <ranges>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/core/algorithm.hpp>
#include <rondo/core/fork_join.hpp>

#include "algorithm_executors.hpp"

namespace {

template<class Body>
void with_every_chunking(Body body) {
  body(rondo::auto_chunks());
  body(rondo::static_chunks());
  body(rondo::dynamic_chunks(1));
  body(rondo::dynamic_chunks(100));
  body(rondo::guided_chunks());
  body(rondo::random_chunks(42));
}

template<class I>
concept can_for_each =
  requires(rondo::executor& ex, I i) { rondo::for_each(ex, i, i, [](auto&&) {}); };

static_assert(can_for_each<std::vector<int>::iterator>);
static_assert(can_for_each<const int*>);
static_assert(can_for_each<std::ranges::iterator_t<std::ranges::iota_view<int, int>>>);
static_assert(!can_for_each<std::list<int>::iterator>, "bidirectional iterators are rejected");
static_assert(!can_for_each<std::forward_list<int>::iterator>, "forward iterators are rejected");

void spin(std::chrono::microseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while(std::chrono::steady_clock::now() < end) {
  }
}

} // namespace

TEST_CASE("for_each visits every element exactly once with every chunking") {
  on_executors([](rondo::executor& ex) {
    for(const std::size_t n : interesting_lengths) {
      CAPTURE(n);
      with_every_chunking([&](auto chunks) {
        std::vector<int> visits(n, 0);
        CHECK(rondo::for_each(
          ex, visits.begin(), visits.end(), [](int& v) { ++v; }, chunks));
        CHECK(visits == std::vector<int>(n, 1));
      });
    }
  });
}

TEST_CASE("for_each without an executor runs on that of the worker that calls it") {
  rondo::executor ex(2);
  std::atomic<int> elsewhere{0};
  std::vector<int> v(1000);
  ex.run([&] {
    rondo::for_each(v.begin(), v.end(), [&](int& e) {
      e = 1;
      if(&rondo::this_worker()->home() != &ex)
        ++elsewhere;
    });
  });
  CHECK(elsewhere == 0);
  CHECK(v == std::vector<int>(1000, 1));
}

TEST_CASE("for_each outside of any worker runs on the default executor") {
  std::vector<int> v(1000);
  std::atomic<int> elsewhere{0};
  rondo::for_each(v.begin(), v.end(), [&](int& e) {
    e = 1;
    if(&rondo::this_worker()->home() != &rondo::default_executor())
      ++elsewhere;
  });
  CHECK(elsewhere == 0);
  CHECK(v == std::vector<int>(1000, 1));
}

TEST_CASE("for_each can be nested in loops, joins and tasks") {
  on_executors([](rondo::executor& ex) {
    std::vector<std::vector<int>> rows(50, std::vector<int>(200));
    const auto add_one = [&] {
      rondo::for_each(ex, rows.begin(), rows.end(), [&](std::vector<int>& row) {
        rondo::for_each(row.begin(), row.end(), [](int& e) { ++e; });
      });
    };
    add_one();
    ex.submit(add_one);
    ex.wait();
    ex.run([&] { rondo::join(add_one, [] {}); });
    CHECK(rows == std::vector<std::vector<int>>(50, std::vector<int>(200, 3)));
  });
}

TEST_CASE("for_each from a worker of another executor runs on the one it is given") {
  rondo::executor here(2), there(2);
  std::atomic<int> wrong{0};
  const std::vector<int> v(100);
  here.run([&] {
    rondo::for_each(there, v.begin(), v.end(), [&](int) {
      if(&rondo::this_worker()->home() != &there)
        ++wrong;
    });
  });
  CHECK(wrong == 0);
}

TEST_CASE("an exception in for_each reaches the caller with every chunking") {
  on_executors([](rondo::executor& ex) {
    with_every_chunking([&](auto chunks) {
      std::vector<int> v(10'000);
      v[7000] = 1;
      const auto body = [](int e) {
        if(e == 1)
          throw std::runtime_error("seven thousand");
      };
      CHECK_THROWS_WITH(rondo::for_each(ex, v.begin(), v.end(), body, chunks), "seven thousand");
      // And nothing is left over: the executor works as before.
      std::atomic<int> visits{0};
      rondo::for_each(
        ex, v.begin(), v.end(), [&](int) { ++visits; }, chunks);
      CHECK(visits == 10'000);
    });
  });
}

TEST_CASE("one of many exceptions reaches the caller of for_each") {
  on_executors([](rondo::executor& ex) {
    const std::vector<int> v(1000);
    CHECK_THROWS_AS(rondo::for_each(ex, v.begin(), v.end(), [](int) { throw 1; }), int);
  });
}

TEST_CASE("after an exception for_each leaves out most of the rest") {
  rondo::executor ex(1);
  const std::vector<int> v(10'000'000);
  long visits = 0;
  const auto body = [&](int) {
    if(++visits == 1000)
      throw 1;
  };
  CHECK_THROWS_AS(rondo::for_each(ex, v.begin(), v.end(), body), int);
  CHECK(visits == 1000);
}

TEST_CASE("for_each stops when asked to, and says so") {
  on_executors([](rondo::executor& ex) {
    const auto stops = [&](auto chunks) {
      std::stop_source source;
      std::atomic<int> visits{0};
      std::vector<int> v(1'000'000);
      const bool all = rondo::for_each(
        ex, v.begin(), v.end(),
        [&](int) {
          if(++visits == 100)
            source.request_stop();
        },
        chunks, source.get_token());
      CHECK_FALSE(all);
      CHECK(visits >= 100);
      CHECK(visits < 1'000'000);
    };
    stops(rondo::auto_chunks());
    stops(rondo::static_chunks());
    stops(rondo::dynamic_chunks(100));
    stops(rondo::guided_chunks());
    stops(rondo::random_chunks(3));
  });
}

TEST_CASE("for_each does nothing if it was stopped before, and everything if nobody stops it") {
  on_executors([](rondo::executor& ex) {
    std::stop_source source;
    std::vector<int> v(1000);
    const auto visit = [&](std::stop_token token) {
      return rondo::for_each(
        ex, v.begin(), v.end(), [](int& e) { ++e; }, rondo::auto_chunks(), token);
    };
    CHECK(visit(source.get_token()));
    CHECK(v == std::vector<int>(1000, 1));
    source.request_stop();
    CHECK_FALSE(visit(source.get_token()));
    CHECK(v == std::vector<int>(1000, 1));
  });
}

TEST_CASE("a stop after the last element is no stop") {
  rondo::executor ex(1);
  std::stop_source source;
  std::vector<int> v(100);
  CHECK(rondo::for_each(
    ex, v.begin(), v.end(),
    [&](int& e) {
      if(&e == &v.back())
        source.request_stop();
    },
    rondo::auto_chunks(), source.get_token()));
}

TEST_CASE("a function object with state is shared, not copied") {
  on_executors([](rondo::executor& ex) {
    struct counting {
      std::shared_ptr<std::atomic<int>> calls = std::make_shared<std::atomic<int>>(0);
      void operator()(int) { ++*calls; }
    };
    const counting count;
    const std::vector<int> v(500);
    rondo::for_each(ex, v.begin(), v.end(), count);
    CHECK(*count.calls == 500);
  });
}

TEST_CASE("a mutable function object keeps what it learns between elements") {
  rondo::executor ex(1);
  std::vector<int> v(1000);
  rondo::for_each(ex, v.begin(), v.end(), [n = 0](int& e) mutable { e = n++; });
  CHECK(v.back() == 999);
}

TEST_CASE("auto chunks give work to a worker that runs out of it") {
  rondo::executor ex(2);
  // The second half costs nothing, so the worker that has it must come back for more: else
  // the first half would stay with one worker.
  std::vector<int> v(400);
  std::set<unsigned> seen[2];
  bool helped = false;
  // Again until the system lets both workers run at the same time.
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while(!helped && std::chrono::steady_clock::now() < give_up) {
    std::vector<unsigned> by(v.size());
    rondo::for_each(ex, v.begin(), v.end(), [&](int& e) {
      const auto i = static_cast<std::size_t>(&e - v.data());
      by[i] = rondo::this_worker()->index();
      if(i < 200)
        spin(std::chrono::microseconds(100));
    });
    const std::set<unsigned> expensive(by.begin(), by.begin() + 200);
    helped = expensive.size() == 2;
  }
  CHECK(helped);
}

TEST_CASE("for_each_index visits all combinations of indices once with every chunking") {
  on_executors([](rondo::executor& ex) {
    with_every_chunking([&](auto chunks) {
      std::vector<int> one(97), two(23 * 41), three(7 * 11 * 13);
      CHECK(rondo::for_each_index(
        ex, rondo::extents{97}, [&](std::size_t i) { ++one[i]; }, chunks));
      CHECK(rondo::for_each_index(
        ex, rondo::extents{23, 41}, [&](std::size_t j, std::size_t i) { ++two[j * 41 + i]; },
        chunks));
      CHECK(rondo::for_each_index(
        ex, rondo::extents{7, 11, 13},
        [&](std::size_t k, std::size_t j, std::size_t i) { ++three[(k * 11 + j) * 13 + i]; },
        chunks));
      CHECK(one == std::vector<int>(one.size(), 1));
      CHECK(two == std::vector<int>(two.size(), 1));
      CHECK(three == std::vector<int>(three.size(), 1));
    });
  });
}

TEST_CASE("for_each_index over nothing calls nothing") {
  on_executors([](rondo::executor& ex) {
    with_every_chunking([&](auto chunks) {
      int calls = 0;
      rondo::for_each_index(
        ex, rondo::extents{0}, [&](std::size_t) { ++calls; }, chunks);
      rondo::for_each_index(
        ex, rondo::extents{5, 0}, [&](std::size_t, std::size_t) { ++calls; }, chunks);
      rondo::for_each_index(
        ex, rondo::extents{0, 3, 4}, [&](std::size_t, std::size_t, std::size_t) { ++calls; },
        chunks);
      CHECK(calls == 0);
    });
  });
}

TEST_CASE("for_each_index goes along a line in order") {
  on_executors([](rondo::executor& ex) {
    std::vector<std::size_t> last(10, 0);
    std::atomic<int> disorder{0};
    rondo::for_each_index(
      ex, rondo::extents{10, 1000},
      [&](std::size_t j, std::size_t i) {
        if(i != 0 && last[j] != i - 1)
          ++disorder;
        last[j] = i;
      },
      rondo::dynamic_chunks(1));
    CHECK(disorder == 0);
  });
}

TEST_CASE("for_each_index hands on exceptions and stops") {
  on_executors([](rondo::executor& ex) {
    CHECK_THROWS_AS(rondo::for_each_index(ex, rondo::extents{100, 100},
                      [](std::size_t j, std::size_t i) {
                        if(j == 50 && i == 50)
                          throw 1;
                      }),
      int);
    std::stop_source source;
    source.request_stop();
    CHECK_FALSE(rondo::for_each_index(
      ex, rondo::extents{100}, [](std::size_t) {}, rondo::auto_chunks(), source.get_token()));
  });
}

TEST_CASE("extents that cannot be counted are a length_error") {
  rondo::executor ex(1);
  const std::size_t huge = std::size_t{1} << 33U;
  CHECK_THROWS_AS(
    rondo::for_each_index(ex, rondo::extents{huge, huge}, [](std::size_t, std::size_t) {}),
    std::length_error);
}

TEST_CASE("transform computes a range from one or two others, also in place") {
  on_executors([](rondo::executor& ex) {
    for(const std::size_t n : interesting_lengths) {
      with_every_chunking([&](auto chunks) {
        std::vector<int> a(n), b(n, 2), c(n, -1), expected(n), doubled(n);
        for(std::size_t i = 0; i != n; ++i) {
          a[i] = static_cast<int>(i);
          expected[i] = static_cast<int>(i) + 2;
          doubled[i] = 2 * expected[i];
        }
        CHECK(rondo::transform(
                ex, a.begin(), a.end(), b.begin(), c.begin(), std::plus<>(), chunks) == c.end());
        CHECK(c == expected);
        CHECK(rondo::transform(
                ex, c.begin(), c.end(), c.begin(), [](int e) { return 2 * e; }, chunks) == c.end());
        CHECK(c == doubled);
      });
    }
    std::vector<int> v(10, 1);
    CHECK_THROWS_AS(
      rondo::transform(ex, v.begin(), v.end(), v.begin(), [](int) -> int { throw 1; }), int);
  });
}
