// Launches of the body of `repeat` that go before the loop, once.

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/flow.hpp>

using namespace rondo;

namespace {

/// Launches something, and says which of the kept launches that is.
template<class F>
detail::kept_launches kept(flow& f, const F& launch) {
  const std::size_t first = f.kept().value();
  launch();
  return {first, f.kept().value()};
}

} // namespace

TEST_CASE("launches that go before a closed loop run once, and what reads them in each pass") {
  for(const unsigned workers : {1U, 2U, 4U})
    for(const std::uint64_t passes : {1U, 2U, 100U}) {
      executor ex(workers);
      flow f(ex);
      long factor = 1, other = 1, x = 0, y = 0;
      long made = 0;
      region rf(f, factor), ro(f, other), rx(f, x), ry(f, y);
      CHECK(!f.kept());
      f.submit([](long& a) { a = 10; }, write(rf));
      f.repeat(passes, [&] {
        std::vector<detail::kept_launches> first;
        CHECK(f.kept() == 0);
        first.push_back(kept(f, [&] {
          f.submit(
            [&made](long& a) {
              ++made;
              a *= 3;
            },
            write(rf));
        }));
        f.submit([](const long& a, long& b) { b += a; }, read(rf), write(rx));
        first.push_back(kept(f, [&] {
          f.submit([](const long& a, long& b) { b = a + 5; }, read(rf), write(ro));
          f.submit([](long& a) { a *= 2; }, write(ro));
        }));
        f.submit(
          [](const long& a, const long& b, long& c) { c += a + b; }, read(ro), read(rx), write(ry));
        CHECK(f.kept() == 5);
        f.launch_before_loop(first);
        CHECK(f.kept() == 2);
      });
      CHECK(!f.kept());
      f.submit([](long& a) { a += 1; }, write(ry));
      f.wait();
      const auto n = static_cast<long>(passes);
      CHECK(made == 1);
      CHECK(factor == 30);
      CHECK(x == 30 * n);
      CHECK(y == 70 * n + 30 * n * (n + 1) / 2 + 1);
    }
}

TEST_CASE("they may be all that the body launches") {
  executor ex(2);
  flow f(ex);
  long x = 0;
  region rx(f, x);
  f.repeat(10, [&] {
    const auto all = kept(f, [&] { f.submit([](long& a) { ++a; }, write(rx)); });
    f.launch_before_loop(std::vector{all});
  });
  f.wait();
  CHECK(x == 1);
}

TEST_CASE("a body with a loop in it keeps nothing behind that") {
  executor ex(2);
  flow f(ex);
  long x = 0, y = 0;
  region rx(f, x), ry(f, y);
  int calls = 0;
  f.repeat(3, [&] {
    ++calls;
    const bool is_kept = f.kept().has_value();
    CHECK(is_kept == (calls == 1));
    const std::size_t first = f.kept().value_or(0);
    f.submit([](long& a) { ++a; }, write(rx));
    f.repeat(4, [&] {
      const auto once = kept(f, [&] { f.submit([](long& a) { a += 100; }, write(rx)); });
      f.submit([](const long& a, long& b) { b += a; }, read(rx), write(ry));
      f.launch_before_loop(std::vector{once});
    });
    CHECK(!f.kept());
    f.launch_before_loop(
      std::vector{detail::kept_launches{first, first + 1}}); // they run in each pass
  });
  f.wait();
  CHECK(calls == 3);
  CHECK(x == 303);
  CHECK(y == 4 * (101 + 202 + 303));
}

TEST_CASE("one of them that fails ends the loop") {
  for(const unsigned workers : {1U, 3U}) {
    executor ex(workers);
    flow f(ex);
    long x = 0, y = 0;
    region rx(f, x), ry(f, y);
    f.repeat(1000, [&] {
      const auto once = kept(f,
        [&] { f.submit([](long&) { throw std::runtime_error("no coefficients"); }, write(rx)); });
      f.submit([](const long& a, long& b) { b += a + 1; }, read(rx), write(ry));
      f.launch_before_loop(std::vector{once});
    });
    CHECK_THROWS_WITH(f.wait(), Catch::Contains("no coefficients"));
    CHECK(y == 0);
    f.submit([](long& b) { b = 7; }, write(ry)); // the flow goes on
    f.wait();
    CHECK(y == 7);
  }
}

TEST_CASE("in passes that are launched in vain they don't run") {
  executor ex(2);
  flow f(ex);
  long made = 0, x = 0, y = 0;
  region rx(f, x), ry(f, y);
  const auto passes = f.iterate(
    [&](std::uint64_t pass) {
      f.repeat(5, [&] {
        const auto once = kept(f, [&] {
          f.submit(
            [&made](long& a) {
              ++made;
              a += 1;
            },
            write(rx));
        });
        f.submit([](const long& a, long& b) { b += a; }, read(rx), write(ry));
        f.launch_before_loop(std::vector{once});
      });
      return f.submit([pass](const long&) { return pass == 6; }, read(ry));
    },
    {.max = 50});
  CHECK(passes.get() == 7);
  f.wait();
  CHECK(made == 7);
  CHECK(y == 5 * (1 + 2 + 3 + 4 + 5 + 6 + 7));
}
