// Bodies of loops that ask for what their own pass computes, and wait for it.

#include <cstdint>
#include <stdexcept>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/flow.hpp>
#include <rondo/futures.hpp>

using namespace rondo;

namespace {

struct numbers {
  executor ex;
  flow f{ex};
  long x = 1;
  long y = 0;
  region<long> rx{f, x}, ry{f, y};

  explicit numbers(unsigned workers) : ex({.workers = workers}) {}
  future<long> next() {
    return f.submit([](long& a) { return a = a * 3 % 1009; }, write(rx));
  }
  void add(long by) {
    f.submit([](long& a, long b) { a = (a + b) % 1009; }, write(ry), by);
  }
};

constexpr auto workers_of_tests = {1U, 2U, 4U};

/// The same in a plain loop, until it is less than 50.
struct plain {
  long x = 1, y = 0;
  int passes = 0;
  plain() {
    do {
      x = x * 3 % 1009;
      y = (y + 2 * x) % 1009;
      ++passes;
    } while(x >= 50 || passes < 3);
  }
};

} // namespace

TEST_CASE("get in the body of repeat waits for what the pass computes") {
  for(const unsigned workers : workers_of_tests)
    for(const int passes : {1, 2, 30}) {
      numbers n(workers);
      int calls = 0;
      std::vector<long> seen;
      n.f.repeat(static_cast<std::uint64_t>(passes), [&] {
        ++calls;
        n.add(1);
        const long now = n.next().get();
        seen.push_back(now);
        n.add(now);
      });
      n.f.wait();
      CHECK(calls == passes);
      std::vector<long> expected;
      long x = 1, y = 0;
      for(int k = 0; k != passes; ++k) {
        expected.push_back(x = x * 3 % 1009);
        y = (y + 1 + x) % 1009;
      }
      CHECK(seen == expected);
      CHECK(n.x == x);
      CHECK(n.y == y);
    }
}

TEST_CASE("get in the body of repeat waits for what was made of that, however it was made") {
  for(const unsigned workers : workers_of_tests) {
    numbers n(workers);
    std::vector<long> seen;
    n.f.repeat(10, [&] {
      seen.push_back(n.next().then([](long x) { return -x; }).get());
      const future<long> again = n.next();
      seen.push_back(async(
        n.ex, [](long x) { return x + 1; }, again)
                       .get());
    });
    n.f.wait();
    long x = 1;
    for(std::size_t k = 0; k != 20; k += 2) {
      CHECK(seen.at(k) == -(x = x * 3 % 1009));
      CHECK(seen.at(k + 1) == (x = x * 3 % 1009) + 1);
    }
  }
}

TEST_CASE("get in the body of repeat, of a variable with the future of the pass before") {
  for(const unsigned workers : workers_of_tests) {
    numbers n(workers);
    future<long> last = n.next();
    int calls = 0;
    n.f.repeat(20, [&] {
      ++calls;
      n.add(last.get());
      last = n.next();
    });
    n.f.wait();
    CHECK(calls == 20);
    long x = 3, y = 0;
    for(int k = 0; k != 20; ++k) {
      y = (y + x) % 1009;
      x = x * 3 % 1009;
    }
    CHECK(n.y == y);
  }
}

TEST_CASE("what the body does with a value is done in each pass, also if that was made before it") {
  numbers n(2);
  const future<long> before = n.next();
  const future<long> value = make_ready<long>(5);
  long all = 0;
  n.f.repeat(20, [&] {
    n.add(before.get());
    all += before.get() + value.get();
  });
  n.f.repeat(20, [&] { all += value.get(); });
  n.f.wait();
  CHECK(n.y == 60);
  CHECK(all == 20 * 8 + 20 * 5);
}

TEST_CASE("wait in the body of repeat waits for the pass") {
  for(const unsigned workers : workers_of_tests) {
    numbers n(workers);
    std::vector<long> seen;
    n.f.repeat(10, [&] {
      n.add(5);
      n.f.wait();
      seen.push_back(n.y);
    });
    n.f.repeat(10, [&] {
      n.add(5);
      n.f.wait(n.ry);
      seen.push_back(n.y);
    });
    for(std::size_t k = 0; k != 20; ++k)
      CHECK(seen.at(k) == static_cast<long>(5 * (k + 1)));
  }
}

TEST_CASE("bodies of two flows, one in the other, are both told") {
  numbers a(2), b(2);
  std::vector<long> seen;
  a.f.repeat(3, [&] {
    const future<long> of_a = a.next();
    b.f.repeat(3, [&] {
      const future<long> of_b = b.next();
      seen.push_back(of_a.get());
      seen.push_back(of_b.get());
    });
  });
  a.f.wait();
  b.f.wait();
  long x = 1, y = 1;
  std::size_t k = 0;
  for(int i = 0; i != 3; ++i) {
    x = x * 3 % 1009;
    for(int j = 0; j != 3; ++j, k += 2) {
      y = y * 3 % 1009;
      CHECK(seen.at(k) == x);
      CHECK(seen.at(k + 1) == y);
    }
  }
}

TEST_CASE("a loop ends where its body has asked for what tells it so") {
  const plain expected;
  for(const unsigned workers : workers_of_tests)
    for(const std::uint64_t lag : {0U, 2U}) {
      numbers n(workers);
      int passes = 0;
      const future<std::uint64_t> run = n.f.iterate(
        [&] {
          const long now = n.next().get();
          n.add(now);
          n.add(now);
          return make_ready<bool>(now < 50 && ++passes > 2 - static_cast<int>(lag));
        },
        {.lag = lag});
      n.f.wait();
      CHECK(run.get() >= 3);
      if(lag == 0) {
        CHECK(run.get() == static_cast<std::uint64_t>(expected.passes));
        CHECK(n.x == expected.x);
        CHECK(n.y == expected.y);
      }
      CHECK(n.next().get() > 0); // goes on
    }
}

TEST_CASE(
  "a body that knows whether its pass is the last one returns a bool, and is not called again") {
  for(const unsigned workers : workers_of_tests)
    for(const std::uint64_t lag : {0U, 2U}) {
      numbers n(workers);
      std::uint64_t calls = 0;
      const future<std::uint64_t> run = n.f.iterate(
        [&](std::uint64_t pass) {
          ++calls;
          n.add(1);
          return n.next().get() > 20 || pass == 50;
        },
        {.lag = lag});
      const future<std::uint64_t> by_number = n.f.iterate([&](std::uint64_t pass) {
        n.add(100);
        return pass == 2;
      });
      n.f.wait();
      CHECK(run.get() == 3 + lag); // 3, 9, 27
      CHECK(calls >= run.get());
      CHECK((lag != 0 || calls == 3));
      CHECK(by_number.get() == 3);
      CHECK(n.y == static_cast<long>(3 + lag + 300));
    }
}

TEST_CASE("loops in loops whose bodies ask for what they compute") {
  for(const unsigned workers : workers_of_tests) {
    numbers n(workers);
    std::vector<long> seen;
    const future<std::uint64_t> run = n.f.iterate([&] {
      n.f.iterate(
        [&] {
          const long x = n.next().get();
          seen.push_back(x);
          return make_ready<bool>(x % 4 == 1);
        },
        {.max = 40});
      n.f.repeat(2, [&] { seen.push_back(n.next().get()); });
      const long x = n.next().get();
      n.f.when(make_ready<bool>(x % 2 == 0), [&] { seen.push_back(n.next().get()); });
      return make_ready<bool>(seen.size() > 60);
    });
    n.f.wait();
    std::vector<long> expected;
    long x = 1;
    std::uint64_t passes = 0;
    const auto next = [&x] { return x = x * 3 % 1009; };
    do {
      int inner = 0;
      do
        expected.push_back(next());
      while(x % 4 != 1 && ++inner != 40);
      expected.push_back(next());
      expected.push_back(next());
      if(next() % 2 == 0)
        expected.push_back(next());
      ++passes;
    } while(expected.size() <= 60);
    CHECK(seen == expected);
    CHECK(run.get() == passes);
  }
}

TEST_CASE(
  "what a body makes in a pass in vain is given back, and what comes behind its wait is not done") {
  numbers n(2);
  int alive = 0, behind = 0;
  struct counted {
    int& of;
    explicit counted(int& all) : of(all) { ++of; }
    ~counted() { --of; }
  };
  const future<std::uint64_t> run = n.f.iterate([&] {
    const counted here(alive);
    const long x = n.next().get();
    ++behind;
    return n.f.submit([](const long& a) { return a > 100; }, read(n.rx)).then([x](bool is_so) {
      return is_so && x > 100;
    });
  });
  CHECK(run.get() == 5); // 3, 9, 27, 81, 243
  CHECK(behind == 5);
  CHECK(alive == 0);
}

TEST_CASE("a trace around passes whose bodies ask for what they compute") {
  numbers n(2);
  trace t("asking");
  std::vector<long> seen;
  for(int k = 0; k != 3; ++k) {
    const std::size_t before = seen.size();
    n.f.iterate(t, [&] {
      n.add(1);
      seen.push_back(n.next().get());
      return make_ready<bool>(seen.size() == before + 10);
    });
  }
  n.f.wait();
  CHECK(seen.size() == 30);
  CHECK(n.y == 30);
}

TEST_CASE("another one's cancelled, and failures, leave the loop as they are") {
  numbers n(2);
  CHECK_THROWS_AS(n.f.iterate([&]() -> future<bool> { throw cancelled(); }), cancelled);
  CHECK_THROWS_AS(n.f.when(make_ready<bool>(true), [&] { throw cancelled(); }), cancelled);
  CHECK_THROWS_AS(n.f.repeat(3, [&] { throw cancelled(); }), cancelled);
  n.f.wait();
  CHECK_THROWS_WITH(n.f.iterate([&] {
    n.f.submit([](long&) -> long { throw std::runtime_error("no such number"); }, write(n.rx))
      .get();
    return make_ready<bool>(false);
  }),
    "no such number");
  CHECK_THROWS_WITH(n.f.wait(), "no such number");
}
