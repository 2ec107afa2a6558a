// Loops without a guard: closed ones, and those that the flow finds by itself.

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "random_programs.hpp"

#include <catch2/catch.hpp>
#include <rondo/flow.hpp>
#include <rondo/futures.hpp>

using namespace rondo;

namespace {

void add_one(long& x) { ++x; }
void add_two(long& x) { x += 2; }

/// Which names the tasks of an executor had.
struct names_told : observer {
  std::mutex mutex;
  std::map<std::string, int> of;
  void task_begin(unsigned, const task_info& what) noexcept override {
    const std::lock_guard lock(mutex);
    ++of[what.name];
  }
};

void shift(const long& from, long& to) { to = 3 * from + to % 1000; }

/// The same one after the other.
void shift_alone(long& a, long& b, long passes) {
  for(long i = 0; i != passes; ++i) {
    shift(a, b);
    shift(b, a);
    a %= 1'000'003;
  }
}

} // namespace

// ---- closed loops --------------------------------------------------------------------------

TEST_CASE("a closed loop has the result of its passes, and its body is called once") {
  for(const unsigned workers : {1U, 2U, 4U})
    for(const long passes : {1L, 2L, 63L, 64L, 1000L}) {
      executor ex(workers);
      flow f(ex);
      long a = 1;
      long b = 2;
      region ra(f, a);
      region rb(f, b);
      int calls = 0;
      f.submit([](long& x) { x = 5; }, write(ra));
      f.repeat(static_cast<std::uint64_t>(passes), [&] {
        ++calls;
        f.submit(shift, read(ra), write(rb));
        f.submit(shift, read(rb), write(ra));
        f.submit([](long& x) { x %= 1'000'003; }, write(ra));
      });
      f.submit([](long& x) { x += 7; }, write(ra));
      f.wait();
      long x = 5;
      long y = 2;
      shift_alone(x, y, passes);
      CHECK(calls == 1);
      CHECK(a == x + 7);
      CHECK(b == y);
    }
}

TEST_CASE("closed loops commute and fold like launches") {
  executor ex(3);
  flow f(ex);
  long sum = 0;
  std::string order;
  region rs(f, sum);
  region ro(f, order);
  struct append {
    std::string identity(const std::string&) const { return {}; }
    void operator()(std::string& into, const std::string& part) const { into += part; }
  };
  f.repeat(100, [&] {
    for(const char c : {'a', 'b', 'c'})
      f.submit(
        [c](long& s, std::string& part) {
          ++s;
          part += c;
        },
        commute(rs), reduce(ro, append{}));
  });
  f.wait();
  CHECK(sum == 300);
  std::string expected;
  for(int i = 0; i != 100; ++i)
    expected += "abc";
  CHECK(order == expected);
}

TEST_CASE("arguments of a closed loop serve all passes, and results are those of the last one") {
  executor ex(2);
  flow f(ex);
  long n = 0;
  region r(f, n);
  future<long> last;
  promise<long> step;
  const future<long> by = step.get_future();
  f.repeat(10, [&] {
    last = f.submit(
      [](long& x, std::vector<long> v, long d) {
        x += v.at(0) + d;
        v.clear(); // is ours
        return x;
      },
      write(r), std::vector<long>{3}, by);
  });
  step.set_value(2);
  CHECK(last.get() == 50);
  f.wait();
  CHECK(n == 50);
}

namespace {

using number = std::uint64_t;

/// Some microseconds.
number step(number left, number own, number right) {
  number x = left + 3 * own + 5 * right;
  for(int i = 0; i != 1000; ++i)
    x = (x * 6364136223846793005U + 1442695040888963407U) ^ (x >> 7U);
  return x;
}

} // namespace

TEST_CASE("what takes a while is shared among workers, and waits for its neighbours all the same") {
  const unsigned workers = GENERATE(1U, 2U, 3U, 4U);
  const std::size_t width = GENERATE(1U, 2U, 3U, 16U);
  CAPTURE(workers, width);
  constexpr int passes = 300;
  const auto left = [width](std::size_t i) { return (i + width - 1) % width; };
  const auto right = [width](std::size_t i) { return (i + 1) % width; };

  std::vector<number> now(width), then(width);
  for(std::size_t i = 0; i != width; ++i)
    now[i] = i;
  std::vector<number> expected = now, other(width);
  for(int half = 0; half != 2 * passes; ++half) {
    for(std::size_t i = 0; i != width; ++i)
      other[i] = step(expected[left(i)], expected[i], expected[right(i)]);
    expected.swap(other);
  }

  executor ex(workers);
  flow f(ex);
  std::deque<region<number>> from, to;
  for(std::size_t i = 0; i != width; ++i) {
    from.emplace_back(f, now[i]);
    to.emplace_back(f, then[i]);
  }
  const auto half = [&](auto& a, auto& b) {
    for(std::size_t i = 0; i != width; ++i)
      f.submit([](const number& l, const number& own, const number& r,
                 number& result) { result = step(l, own, r); },
        read(a[left(i)]), read(a[i]), read(a[right(i)]), write(b[i]));
  };
  f.repeat(passes, [&] {
    half(from, to);
    half(to, from);
  });
  f.wait();
  CHECK(now == expected);
}

TEST_CASE("loops without a launch, or without a pass, are nothing") {
  executor ex(2);
  flow f(ex);
  int calls = 0;
  f.repeat(0, [&] { ++calls; });
  f.repeat(5, [&] { ++calls; });
  f.wait();
  CHECK(calls == 1);
}

TEST_CASE("a failure ends a closed loop where it would have ended the loop") {
  for(const unsigned workers : {1U, 3U}) {
    executor ex(workers);
    flow f(ex);
    long n = 0;
    long after = 0;
    region r(f, n);
    region ra(f, after);
    future<long> last;
    f.repeat(1000, [&] {
      f.submit(
        [](long& x) {
          if(x == 17)
            throw std::runtime_error("seventeen");
        },
        write(r));
      last = f.submit([](long& x) { return ++x; }, write(r));
    });
    f.submit([](const long& x, long& y) { y = x; }, read(r), write(ra));
    CHECK_THROWS_WITH(f.wait(), "seventeen");
    CHECK(n == 17);
    CHECK(after == 0);
    CHECK_THROWS_AS(last.get(), cancelled);
    f.repeat(3, [&] { f.submit([](long& x) { ++x; }, write(r)); });
    f.wait();
    CHECK(n == 20);
  }
}

TEST_CASE("what is no closed loop is refused") {
  executor ex(2);
  flow f(ex);
  long n = 0;
  region r(f, n);
  const auto one = [&] { f.submit([](long& x) { ++x; }, write(r)); };
  CHECK_THROWS_WITH(f.repeat(2,
                      [&] {
                        f.submit(named("unique", [](long&, const std::unique_ptr<int>&) {}),
                          write(r), std::make_unique<int>(1));
                      }),
    Catch::Contains("'unique'") && Catch::Contains("can't be copied"));
  CHECK_THROWS_WITH(f.repeat(2, [&] { f.submit([](long&, const long&) {}, write(r), read(r)); }),
    Catch::Contains("given twice"));
  CHECK_THROWS_WITH(f.repeat(2, [] { throw std::runtime_error("the body"); }), "the body");
  f.repeat(2, one);
  f.wait();
  CHECK(n == 2);
}

// ---- automatic -----------------------------------------------------------------------------

TEST_CASE("a plain loop is found within four passes") {
  executor ex(2);
  for(const int length : {3, 10, 100, 1000}) {
    CAPTURE(length);
    flow f(ex);
    std::vector<long> values(7);
    std::deque<region<long>> r;
    for(auto& v : values)
      r.emplace_back(f, v);
    const auto pass = [&] {
      for(int i = 0; i != length; ++i) {
        const std::uint64_t dice = random_programs::mix(1, static_cast<std::uint64_t>(i));
        f.submit([](long& x, const long& y) { x += y + 1; }, write(r[dice % 3]),
          read(r[3 + dice / 3 % 3]));
      }
      f.submit([](long& x) { ++x; }, write(r[6]));
    };
    for(int i = 0; i != 4; ++i)
      pass();
    CHECK(f.repeats().period == static_cast<std::size_t>(length) + 1);
    for(int i = 0; i != 40; ++i)
      pass();
    f.wait();
    CHECK(f.repeats().found == 1);
    CHECK(f.repeats().diverged == 0);
    CHECK(f.repeats().launches >= 20U * static_cast<unsigned>(length));
    CHECK(values[6] == 44);
  }
}

TEST_CASE("a loop that is interrupted now and then goes on being replayed") {
  executor ex(2);
  flow f(ex);
  long a = 0;
  long b = 0;
  long seen = 0;
  region ra(f, a);
  region rb(f, b);
  region rs(f, seen);
  for(int i = 0; i != 1000; ++i) {
    for(int k = 0; k != 10; ++k)
      f.submit([](long& x) { ++x; }, write(k % 3 == 0 ? ra : rb));
    if(i % 10 == 9)
      f.submit([](const long& x, long& s) { s += x; }, read(ra), write(rs));
  }
  f.wait();
  CHECK(a == 4000);
  CHECK(b == 6000);
  long expected = 0;
  for(int i = 1; i <= 100; ++i)
    expected += 40L * i;
  CHECK(seen == expected);
  CHECK(f.repeats().launches > 9000);
}

TEST_CASE("launches that don't repeat are left alone, and so are all if that is asked for") {
  executor ex(2);
  const auto run = [&](bool finds, auto which) {
    flow f(ex, {.find_repeats = finds});
    std::vector<long> values(64);
    std::deque<region<long>> r;
    for(auto& v : values)
      r.emplace_back(f, v);
    for(unsigned i = 0; i != 20'000; ++i)
      f.submit([](long& x) { ++x; }, write(r[which(i)]));
    f.wait();
    long sum = 0;
    for(const long v : values)
      sum += v;
    CHECK(sum == 20'000);
    return f.repeats();
  };
  const auto random = [](unsigned i) {
    std::uint64_t x = (i + 1) * 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 31U)) * 0xbf58476d1ce4e5b9U;
    return static_cast<std::size_t>(x >> 58U);
  };
  CHECK(run(true, random).launches < 1000);
  CHECK(run(false, [](unsigned i) { return i % 64; }).found == 0);
  CHECK(run(true, [](unsigned i) { return i % 64; }).launches > 19'000);
}

TEST_CASE("a loop that begins after a long time without one is found, too") {
  executor ex(2);
  flow f(ex);
  std::vector<long> values(64);
  std::deque<region<long>> r;
  for(auto& v : values)
    r.emplace_back(f, v);
  const auto add = [](long& x) { ++x; };
  for(std::uint64_t i = 0; i != 100'000; ++i)
    f.submit(add, write(r[random_programs::mix(3, i) % 64]));
  CHECK(f.repeats().launches < 1000);
  for(std::size_t i = 0; i != 640'000; ++i)
    f.submit(add, write(r[i % 64]));
  f.wait();
  long sum = 0;
  for(const long v : values)
    sum += v;
  CHECK(sum == 740'000);
  CHECK(f.repeats().launches > 200'000);
}

TEST_CASE("a loop that ends by itself may be traced") {
  executor ex(2);
  flow f(ex);
  long n = 0;
  region r(f, n);
  trace t("loop");
  const auto passes = f.iterate(t,
    [&] {
      f.submit([](long& x) { ++x; }, write(r));
      return f.submit([](const long& x) { return x == 300; }, read(r));
    },
    {.max = 1000});
  CHECK(passes.get() == 300);
  f.wait();
  CHECK(n == 300);
  CHECK(t.statistics().replayed >= 298);
  CHECK(t.statistics().launches == 2);
}

TEST_CASE("observers are told each launch's own name, in traces as well") {
  const auto way = GENERATE(0, 1, 2); // found by itself, traced, closed
  CAPTURE(way);
  executor ex(1);
  names_told told;
  ex.attach(told);
  {
    flow f(ex);
    long n = 0;
    region r(f, n);
    trace t("names");
    // Functions of one type: to the flow they are the same launch.
    const auto pass = [&] {
      f.submit(named("one", &add_one), write(r));
      f.submit(named("two", &add_two), write(r));
    };
    if(way == 2)
      f.repeat(500, pass);
    else
      for(int i = 0; i != 500; ++i) {
        if(way == 1) {
          const auto guard = t.make_guard(f);
          pass();
        }
        else
          pass();
      }
    f.wait();
    CHECK(n == 1500);
  }
  ex.detach(told);
  CHECK(told.of["one"] == 500);
  CHECK(told.of["two"] == 500);
}
