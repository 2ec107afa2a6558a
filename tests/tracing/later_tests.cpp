// Tasks that end later than their function.

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "clerk.hpp"
#include "random_programs.hpp"

#include <catch2/catch.hpp>
#include <rondo/flow.hpp>
#include <rondo/futures.hpp>

using namespace rondo;

TEST_CASE("what waits for a task that ends later runs when it has been told") {
  for(const unsigned workers : {1U, 2U, 4U}) {
    clerk c;
    executor ex(workers);
    flow f(ex, {.find_repeats = false});
    long n = 0;
    long sum = 0;
    region rn(f, n);
    region rs(f, sum);
    for(int i = 0; i != 1000; ++i) {
      f.submit(ends_later([&](completion done, long& x) {
        ++x;
        c.hand(done);
      }),
        write(rn));
      f.submit([](const long& x, long& s) { s += x; }, read(rn), write(rs));
    }
    f.wait();
    CHECK(n == 1000);
    CHECK(sum == 1000 * 1001 / 2);
  }
}

TEST_CASE("a task may have ended before its function returns") {
  executor ex(2);
  flow f(ex);
  long n = 0;
  region rn(f, n);
  for(int i = 0; i != 500; ++i)
    f.submit(ends_later([](completion done, long& x) {
      ++x;
      done();
    }),
      write(rn));
  f.wait();
  CHECK(n == 500);
}

TEST_CASE("tasks that end later are replayed, found, repeated and iterated like others") {
  for(const unsigned workers : {1U, 3U}) {
    clerk c;
    executor ex(workers);
    flow f(ex);
    long n = 0;
    long sum = 0;
    region rn(f, n);
    region rs(f, sum);
    const auto pass = [&] {
      f.submit(ends_later("ask",
                 [&](completion done, long& x) {
                   ++x;
                   c.hand(done);
                 }),
        write(rn));
      f.submit([](const long& x, long& s) { s += x; }, read(rn), write(rs));
    };
    trace t;
    for(int i = 0; i != 100; ++i) {
      const auto g = t.make_guard();
      pass();
    }
    for(int i = 0; i != 100; ++i)
      pass();
    f.repeat(100, pass);
    const auto passes = f.iterate(
      [&](std::uint64_t i) {
        pass();
        return f.submit([i](const long&) { return i == 9; }, read(rn));
      },
      {.max = 100});
    CHECK(passes.get() == 10);
    f.wait();
    CHECK(n == 310);
    CHECK(sum == 310 * 311 / 2);
  }
}

TEST_CASE("tasks that end later wait for futures and values like others") {
  clerk c;
  executor ex(2);
  flow f(ex);
  long n = 0;
  region rn(f, n);
  promise<long> p;
  f.submit(ends_later([&](completion done, long& x, long by, std::vector<long> v) {
    x = by + v.at(0);
    c.hand(done);
  }),
    write(rn), p.get_future(), std::vector<long>{5});
  p.set_value(37);
  f.wait();
  CHECK(n == 42);
}

TEST_CASE("tasks that end later and fail, or come after a failure, end") {
  clerk c;
  for(const unsigned workers : {1U, 2U}) {
    executor ex(workers);
    flow f(ex);
    long n = 0;
    region rn(f, n);
    const auto count = [&] {
      f.submit(ends_later([&](completion done, long& x) {
        if(x == 3)
          throw std::runtime_error("three");
        ++x;
        c.hand(done);
      }),
        write(rn));
    };
    for(int i = 0; i != 10; ++i)
      count();
    CHECK_THROWS_WITH(f.wait(), "three");
    CHECK(n == 3);
    n = 0;
    f.repeat(10, count);
    CHECK_THROWS_WITH(f.wait(), "three");
    CHECK(n == 3);
  }
}

// ---- what may be ready -----------------------------------------------------------------------

namespace {

/// Gives numbers, one after the other: some are there when they are asked for, others come later. The
/// poller of an executor brings those, as it brings messages.
class source final : public poller {
public:
  source(executor& ex, std::uint64_t seed) : ex_(ex), random_(seed) { ex_.attach(*this); }
  ~source() override { ex_.detach(*this); }
  source(const source&) = delete;
  source& operator=(const source&) = delete;

  [[nodiscard]] bool is_there() const { return is_there_.load(std::memory_order_acquire); }
  /// The next one; the one after it takes its time, or doesn't.
  long take() {
    const long number = next_++;
    is_there_.store(random_.one_in(2), std::memory_order_release);
    return number;
  }
  /// Calls it some time, when the next one is there.
  void ask(completion done) {
    want(ex_);
    waiting_.store(new completion(done), std::memory_order_release);
  }
  void poll() noexcept override {
    if(++polls_ % 3 != 0)
      return;
    completion* const done = waiting_.exchange(nullptr, std::memory_order_acq_rel);
    is_there_.store(true, std::memory_order_release);
    if(done == nullptr)
      return;
    stop_wanting(ex_);
    (*done)();
    delete done;
  }

private:
  executor& ex_;
  random_programs::dice random_;
  long next_ = 0;
  unsigned polls_ = 0;
  std::atomic<bool> is_there_{false};
  std::atomic<completion*> waiting_{nullptr};
};

struct numbers {
  source* from;
  long* asked;
  long value = -1;
};

struct next_number {
  using may_be_ready = void;
  void operator()(completion done, numbers& n) const {
    ++*n.asked;
    n.value = -1; // it is fetched by who comes next
    n.from->ask(done);
  }
  bool is_ready(const numbers& n) const { return n.from->is_there(); }
  void now(numbers& n) const { n.value = n.from->take(); }
};

} // namespace

TEST_CASE("a loop takes what is ready at once, and waits for what is not") {
  const unsigned workers = GENERATE(1U, 2U, 4U);
  const std::uint64_t seed = GENERATE(range(std::uint64_t{0}, std::uint64_t{6}));
  CAPTURE(workers, seed);
  executor ex(workers);
  source s(ex, seed);
  flow f(ex);
  long asked = 0;
  numbers n{&s, &asked};
  std::vector<long> seen;
  long busy[3] = {};
  region rn(f, n);
  region rs(f, seen);
  region r0(f, busy[0]), r1(f, busy[1]), r2(f, busy[2]);
  constexpr std::uint64_t passes = 300;
  f.repeat(passes, [&] {
    f.submit(ends_later("next", next_number()), write(rn));
    f.submit(
      [](numbers& from, std::vector<long>& to) {
        to.push_back(from.value >= 0 ? from.value : from.from->take());
      },
      write(rn), write(rs));
    for(auto* const r : {&r0, &r1, &r2}) // what doesn't need it
      f.submit([](long& x) { ++x; }, write(*r));
    f.submit(
      [](const long& a, const long& b, long& c) { c += a - b; }, read(r0), read(r1), write(r2));
  });
  f.wait();
  REQUIRE(seen.size() == passes);
  for(std::size_t i = 0; i != passes; ++i)
    REQUIRE(seen[i] == static_cast<long>(i));
  CHECK(busy[2] == long{passes});
  CHECK(asked <= static_cast<long>(passes));
}
