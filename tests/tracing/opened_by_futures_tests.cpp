// Launches in the body of `repeat` that take futures made in it: the passes are launched one by one then.

#include <cstdint>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/flow.hpp>
#include <rondo/futures.hpp>

using namespace rondo;

namespace {

/// Of the passes of the loop, what was computed in each, and what was made of it in the same one.
struct sums {
  executor ex;
  flow f{ex};
  long x = 1, y = 0;
  std::vector<long> seen;
  region<long> rx{f, x}, ry{f, y};
  region<std::vector<long>> rs{f, seen};

  explicit sums(unsigned workers) : ex({.workers = workers}) {}
  future<long> next() {
    return f.submit([](long& a) { return a = a % 1000 * 3 + 1; }, write(rx));
  }
  void take(const future<long>& value) {
    f.submit([](std::vector<long>& all, long v) { all.push_back(v); }, write(rs), value);
  }
  void change(const future<long>& value) {
    f.submit([](long& a, long v) { a += v % 5; }, write(rx), value);
  }
};

/// The same without Rondo: `of` makes of the value what `take` sees.
template<class F>
std::vector<long> by_hand(int passes, const F& of) {
  long x = 1;
  std::vector<long> seen;
  for(int k = 0; k != passes; ++k) {
    x = x % 1000 * 3 + 1;
    seen.push_back(of(x));
    x += of(x) % 5;
  }
  return seen;
}

/// Makes it in each of these ways, in the body.
template<class F, class Of>
void check(const F& make, const Of& of) {
  for(const unsigned workers : {1U, 2U, 4U})
    for(const int passes : {1, 2, 40}) {
      sums s(workers);
      int calls = 0;
      s.f.repeat(static_cast<std::uint64_t>(passes), [&] {
        ++calls;
        const future<long> made = make(s.next());
        s.take(made);
        s.change(made);
      });
      s.f.wait();
      CHECK(s.seen == by_hand(passes, of));
      CHECK(calls == passes);
    }
}

} // namespace

TEST_CASE("a launch of the body takes the future of another one") {
  check([](const future<long>& f) { return f; }, [](long x) { return x; });
}

TEST_CASE("a launch of the body takes what was made of such a future") {
  const auto twice = [](long x) { return 2 * x; };
  check([&](const future<long>& f) { return f.then(twice); }, twice);
  check(
    [&](const future<long>& f) { return f.then(twice).then(twice); }, [](long x) { return 4 * x; });
  check(
    [](const future<long>& f) {
      return when_all(f, f).then(
        [](const std::tuple<long, long>& t) { return std::get<0>(t) + std::get<1>(t) + 1; });
    },
    [](long x) { return 2 * x + 1; });
  check(
    [](const future<long>& f) {
      return f.then([](long x) { return make_ready<long>(x + 7); }); // a future in a future
    },
    [](long x) { return x + 7; });
}

TEST_CASE("a launch of the body takes what tasks and promises make in it") {
  for(const unsigned workers : {1U, 2U}) {
    sums s(workers);
    long n = 0;
    s.f.repeat(30, [&] {
      ++n;
      s.take(async(s.ex, [n] { return n; }));
      promise<long> p;
      const future<long> f = p.get_future();
      s.take(f);
      p.set_value(10 * n);
    });
    s.f.wait();
    std::vector<long> expected;
    for(long k = 1; k <= 30; ++k)
      expected.insert(expected.end(), {k, 10 * k});
    CHECK(s.seen == expected);
  }
}

TEST_CASE(
  "futures that were made before the body, and stay the same, are taken by launches that are kept "
  "from the second pass on") {
  sums s(2);
  int calls = 0;
  const future<long> before = s.next().then([](long x) { return x + 100; });
  const future<long> value = make_ready<long>(7);
  s.f.repeat(30, [&] {
    CHECK(s.f.kept() == 0);
    s.take(value);
    s.take(before);
    s.take(value);
    if(calls == 0)
      CHECK(!s.f.kept());
    else
      CHECK(s.f.kept() == 3);
    ++calls;
  });
  s.f.repeat(1, [&] {
    s.take(before); // there is no other pass
    CHECK(s.f.kept() == 1);
  });
  s.f.wait();
  CHECK(calls == 2);
  CHECK(s.seen.size() == 91);
  CHECK(s.seen.at(87) == 7);
  CHECK(s.seen.at(88) == 104);
}

TEST_CASE("a future that is made with its value in the body has the value of its pass") {
  sums s(2);
  long calls = 0;
  s.f.repeat(30, [&] { s.take(make_ready<long>(++calls)); });
  s.f.wait();
  REQUIRE(s.seen.size() == 30);
  for(long k = 0; k != 30; ++k)
    CHECK(s.seen.at(static_cast<std::size_t>(k)) == k + 1);
}

TEST_CASE("variables that change places, or come from two passes before") {
  for(const unsigned workers : {1U, 2U})
    for(const bool takes_both : {false, true}) {
      sums s(workers);
      future<long> a = make_ready<long>(1), b = s.next();
      s.f.repeat(7, [&] {
        s.take(a);
        if(takes_both)
          s.take(b);
        std::swap(a, b);
      });
      s.f.wait();
      std::vector<long> expected;
      for(int k = 0; k != 7; ++k) {
        expected.push_back(k % 2 == 0 ? 1 : 4);
        if(takes_both)
          expected.push_back(k % 2 == 0 ? 4 : 1);
      }
      CHECK(s.seen == expected);
    }
  sums s(2);
  future<long> a = make_ready<long>(1), b = make_ready<long>(2);
  s.f.repeat(6, [&] {
    s.take(b);
    b = a;
    a = s.next();
  });
  s.f.wait();
  CHECK(s.seen == std::vector<long>{2, 1, 4, 13, 40, 121});
}

TEST_CASE("a future of the loop before is a value in the next one") {
  sums s(2);
  future<long> last;
  s.f.repeat(30, [&] { last = s.next().then([](long x) { return x; }); });
  int calls = 0;
  for(int k = 0; k != 3; ++k)
    s.f.repeat(10, [&] {
      ++calls;
      s.take(last);
    });
  s.f.wait();
  CHECK(calls == 6);
  CHECK(s.seen == std::vector<long>(30, last.get()));
}

TEST_CASE("a variable has the future of the pass before") {
  for(const unsigned workers : {1U, 2U, 4U})
    for(const int passes : {1, 2, 3, 40}) {
      sums s(workers);
      int calls = 0;
      future<long> v = passes % 2 == 0 ? make_ready<long>(4) : s.next();
      if(passes % 2 == 0)
        s.next();
      const future<long> same = make_ready<long>(3).then([](long x) { return x; });
      s.f.repeat(static_cast<std::uint64_t>(passes), [&] {
        ++calls;
        s.take(same);
        s.take(v);
        v = s.next().then([](long x) { return x + 1; });
      });
      s.f.wait();
      std::vector<long> expected;
      long x = 4;
      for(int k = 0; k != passes; ++k) {
        expected.insert(expected.end(), {3, k == 0 ? x : x + 1});
        x = x % 1000 * 3 + 1;
      }
      CHECK(s.seen == expected);
      CHECK(calls == passes);
    }
}

TEST_CASE("what was kept before the future was taken is launched once in each pass") {
  for(const unsigned workers : {1U, 3U}) {
    sums s(workers);
    s.f.repeat(25, [&] {
      for(int k = 0; k != 5; ++k)
        s.f.submit([](long& a) { ++a; }, write(s.ry));
      const future<long> y = s.f.submit([](const long& a) { return a; }, read(s.ry));
      s.f.submit([](long& a) { ++a; }, write(s.ry));
      s.take(y);
      s.f.submit([](long& a) { a += 4; }, write(s.ry));
    });
    s.f.wait();
    CHECK(s.y == 250);
    for(long k = 0; k != 25; ++k)
      CHECK(s.seen.at(static_cast<std::size_t>(k)) == 10 * k + 5);
  }
}

TEST_CASE("futures of passes in loops in loops are those of their own pass") {
  for(const unsigned workers : {1U, 2U}) {
    sums s(workers);
    s.f.repeat(4, [&] {
      const future<long> outer = s.next();
      s.f.repeat(3, [&] {
        s.take(outer); // a value here
        s.take(s.next());
      });
      s.take(outer.then([](long x) { return -x; }));
    });
    s.f.wait();
    std::vector<long> expected;
    long x = 1;
    const auto next = [&x] { return x = x % 1000 * 3 + 1; };
    for(int k = 0; k != 4; ++k) {
      const long outer = next();
      for(int i = 0; i != 3; ++i) {
        expected.push_back(outer);
        expected.push_back(next());
      }
      expected.push_back(-outer);
    }
    CHECK(s.seen == expected);
  }
}

TEST_CASE("a failure in a pass ends a loop whose passes are launched one by one") {
  sums s(2);
  s.f.repeat(1000, [&] {
    const future<long> x = s.next().then([](long v) {
      if(v > 1000)
        throw std::runtime_error("too much");
      return v;
    });
    s.take(x);
  });
  CHECK_THROWS_WITH(s.f.wait(), "too much");
}

TEST_CASE("stamps of futures are compared across the end of their numbers") {
  using detail::stamps;
  const std::uint64_t begin = stamps::next();
  CHECK(stamps::is_since(begin, begin));
  CHECK(!stamps::is_since(0, begin));
  const std::uint64_t before = begin == 1 ? stamps::most : begin - 1;
  CHECK(!stamps::is_since(before, begin));
  for(std::uint64_t k = 0; k != stamps::most + 5; ++k) {
    const std::uint64_t now = stamps::next();
    CHECK(now >= 1);
    CHECK(now <= stamps::most);
    if(!stamps::is_since(now, now) || stamps::is_since(now == 1 ? stamps::most : now - 1, now) ||
       stamps::now() != now)
      FAIL(now);
  }
}
