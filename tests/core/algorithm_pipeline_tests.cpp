#include <atomic>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/core/algorithm.hpp>

#include "algorithm_executors.hpp"

namespace {

/// 0, 1, ..., n - 1.
auto count_to(int n) {
  return [i = 0, n]() mutable -> std::optional<int> {
    return i != n ? std::optional(i++) : std::nullopt;
  };
}

const auto square = [](int i) { return i * i; };
const auto drop = [](auto&&) {};

template<class... Stages>
concept can_pipe = requires(rondo::executor& ex, Stages... s) { rondo::pipeline(ex, 1, s...); };

using counter = decltype(count_to(1));
using square_stage = decltype(rondo::parallel(square));
using text_stage = decltype(rondo::parallel([](const std::string&) {}));

static_assert(can_pipe<counter, square_stage>);
static_assert(!can_pipe<counter>, "there must be a stage behind the source");
static_assert(
  !can_pipe<decltype([] { return 1; }), square_stage>, "the source must be able to end");
static_assert(!can_pipe<counter, square_stage, text_stage>, "stages must fit together");
static_assert(!can_pipe<counter, decltype(square)>, "a stage says whether it is serial");

} // namespace

TEST_CASE("a serial stage sees all items in the order of the source") {
  on_executors([](rondo::executor& ex) {
    for(const std::size_t tokens : {1, 2, 3, 16, 1000}) {
      CAPTURE(tokens);
      std::vector<std::string> seen;
      rondo::pipeline(ex, tokens, count_to(500), rondo::parallel(square),
        rondo::parallel([](int i) { return std::to_string(i); }),
        rondo::serial([&](std::string s) { seen.push_back(std::move(s)); }));
      REQUIRE(seen.size() == 500);
      for(int i = 0; i != 500; ++i)
        CHECK(seen[static_cast<std::size_t>(i)] == std::to_string(i * i));
    }
  });
}

TEST_CASE("several serial stages may work on different items but never on two at a time") {
  on_executors([](rondo::executor& ex) {
    std::atomic<int> inside_a{0}, inside_b{0}, crowds{0};
    int next_a = 0, next_b = 0, disorder = 0;
    rondo::pipeline(ex, 8, count_to(2000), rondo::serial([&](int i) {
      if(++inside_a != 1)
        ++crowds;
      if(i != next_a++)
        ++disorder;
      --inside_a;
      return i;
    }),
      rondo::parallel([](int i) { return i; }), rondo::serial([&](int i) {
        if(++inside_b != 1)
          ++crowds;
        if(i != next_b++)
          ++disorder;
        --inside_b;
      }));
    CHECK(next_a == 2000);
    CHECK(next_b == 2000);
    CHECK(crowds == 0);
    CHECK(disorder == 0);
  });
}

TEST_CASE("there are never more items on their way than tokens") {
  on_executors([](rondo::executor& ex) {
    std::atomic<int> under_way{0}, most{0};
    int i = 0;
    rondo::pipeline(
      ex, 3,
      [&]() -> std::optional<int> {
        if(i == 1000)
          return std::nullopt;
        const int now = ++under_way;
        int seen = most.load();
        while(seen < now && !most.compare_exchange_weak(seen, now)) {
        }
        return i++;
      },
      rondo::parallel([](int k) {
        if(k % 50 == 0)
          std::this_thread::yield();
        return k;
      }),
      rondo::serial([](int k) { return k; }), rondo::parallel([&](int) { --under_way; }));
    CHECK(under_way == 0);
    CHECK(most <= 3);
  });
}

TEST_CASE("items may be of types that can only be moved") {
  on_executors([](rondo::executor& ex) {
    long sum = 0;
    rondo::pipeline(
      ex, 4,
      [i = 0]() mutable -> std::optional<std::unique_ptr<int>> {
        if(i == 100)
          return std::nullopt;
        return std::make_unique<int>(i++);
      },
      rondo::parallel([](std::unique_ptr<int> p) { return p; }),
      rondo::serial([&](std::unique_ptr<int> p) { sum += *p; }));
    CHECK(sum == 4950);
  });
}

TEST_CASE("a source that is empty from the beginning makes an empty pipeline") {
  on_executors([](rondo::executor& ex) {
    int calls = 0;
    rondo::pipeline(ex, 4, count_to(0), rondo::serial([&](int) { ++calls; }));
    CHECK(calls == 0);
  });
}

TEST_CASE("an exception of any stage or of the source reaches the caller and ends the pipeline") {
  on_executors([](rondo::executor& ex) {
    const auto throw_at_100 = [](int i) {
      if(i == 100)
        throw std::runtime_error("hundred");
      return i;
    };
    std::atomic<int> passed{0};
    const auto count = [&](int) { ++passed; };
    CHECK_THROWS_WITH(rondo::pipeline(ex, 4, count_to(1'000'000), rondo::parallel(throw_at_100),
                        rondo::serial(count)),
      "hundred");
    CHECK(passed <= 100);
    CHECK_THROWS_WITH(rondo::pipeline(ex, 4, count_to(1'000'000), rondo::serial(throw_at_100),
                        rondo::parallel(count)),
      "hundred");
    CHECK_THROWS_WITH(rondo::pipeline(
                        ex, 4, []() -> std::optional<int> { throw std::runtime_error("source"); },
                        rondo::serial(count)),
      "source");
  });
}

TEST_CASE("items under way when a stage throws are destroyed") {
  on_executors([](rondo::executor& ex) {
    const auto token = std::make_shared<int>(0);
    int i = 0;
    CHECK_THROWS_AS(rondo::pipeline(
                      ex, 8, [&]() -> std::optional<std::shared_ptr<int>> { return token; },
                      rondo::parallel([](std::shared_ptr<int> p) { return p; }),
                      rondo::serial([&](std::shared_ptr<int>) {
                        if(++i == 50)
                          throw 1;
                      })),
      int);
    CHECK(token.use_count() == 1);
  });
}

TEST_CASE("a pipeline without tokens is refused") {
  rondo::executor ex(1);
  CHECK_THROWS_AS(rondo::pipeline(ex, 0, count_to(3), rondo::serial(drop)), std::invalid_argument);
}

TEST_CASE("pipelines can be nested in loops and in stages of pipelines") {
  on_executors([](rondo::executor& ex) {
    std::atomic<long> sum{0};
    rondo::for_each_index(ex, rondo::extents{5}, [&](std::size_t) {
      rondo::pipeline(4, count_to(10), rondo::parallel([&](int) {
        rondo::pipeline(2, count_to(10), rondo::parallel([](int i) { return i; }),
          rondo::serial([&](int i) { sum += i; }));
      }));
    });
    CHECK(sum == 5 * 10 * 45);
  });
}
