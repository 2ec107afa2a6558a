// Loops in loops: whatever is in whatever, the result is that of the loops that wait for each answer.

#include "random_programs.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/flow.hpp>
#include <rondo/futures.hpp>

#include "core/configurations.hpp"

using namespace rondo;
using Catch::Matchers::Contains;
using random_programs::dice;
using random_programs::mix;

namespace {

constexpr unsigned cells = 4;

struct statement {
  enum kind_type {
    step,
    value,
    plain,
    guarded,
    iterate,
    traced_iterate,
    repeat,
    when,
    either,
    kinds
  };
  kind_type kind;
  unsigned from;
  unsigned to;
  std::uint64_t salt;
  unsigned passes; ///< At most.
  unsigned lag;
  std::vector<statement> body;
  std::vector<statement> otherwise;
};

std::vector<statement> random_block(dice& d, unsigned depth) {
  std::vector<statement> block;
  const unsigned n = 1 + d.below(3);
  for(unsigned i = 0; i != n; ++i) {
    const auto kind =
      static_cast<statement::kind_type>(d.below(depth == 0 ? statement::plain : statement::kinds));
    const unsigned from = d.below(cells);
    statement s{kind, from, (from + 1 + d.below(cells - 1)) % cells, d.next(), 1 + d.below(4),
      d.one_in(4) ? 1U : 0U, {}, {}};
    if(kind >= statement::plain)
      s.body = random_block(d, depth - 1);
    if(kind == statement::either)
      s.otherwise = random_block(d, depth - 1);
    block.push_back(std::move(s));
  }
  return block;
}

bool is_so(std::uint64_t x, const statement& s) { return mix(x, s.salt) % 3 == 0; }

using numbers = std::array<std::uint64_t, cells>;

/// The program as anybody would write it.
void run_blocking(const std::vector<statement>& block, numbers& x) {
  for(const statement& s : block)
    switch(s.kind) {
    case statement::step:
    case statement::value:
      x[s.to] = mix(x[s.to], x[s.from] + s.salt);
      break;
    case statement::plain:
    case statement::guarded:
    case statement::repeat:
      for(unsigned pass = 0; pass != s.passes; ++pass)
        run_blocking(s.body, x);
      break;
    case statement::iterate:
    case statement::traced_iterate: {
      std::vector<bool> answers;
      for(unsigned pass = 0; pass != s.passes; ++pass) {
        run_blocking(s.body, x);
        answers.push_back(is_so(x[s.from], s));
        if(pass >= s.lag && answers[pass - s.lag])
          break;
      }
      x[s.to] += answers.size();
      break;
    }
    case statement::when:
      if(is_so(x[s.from], s))
        run_blocking(s.body, x);
      break;
    case statement::either:
      run_blocking(is_so(x[s.from], s) ? s.body : s.otherwise, x);
      break;
    case statement::kinds:
      break;
    }
}

/// The same program, launched.
class launched {
public:
  explicit launched(executor& ex) : flow_(ex) {
    for(std::uint64_t& x : numbers_)
      regions_.push_back(std::make_unique<region<std::uint64_t>>(flow_, x));
  }

  numbers run(const std::vector<statement>& program) {
    launch(program);
    flow_.wait();
    return numbers_;
  }

private:
  region<std::uint64_t>& at(unsigned i) { return *regions_[i]; }

  future<bool> ask(const statement& s) {
    return flow_.submit([&s](const std::uint64_t& x) { return is_so(x, s); }, read(at(s.from)));
  }
  trace& trace_of(const statement& s) { return traces_.try_emplace(&s).first->second; }

  /// All loops in a loop that is launched pass by pass are launched pass by pass.
  template<class F>
  auto no_repeat(const F& f) {
    return [this, f] {
      struct back {
        bool& is;
        const bool was;
        ~back() { is = was; }
      } const end{is_in_repeat_, std::exchange(is_in_repeat_, false)};
      return f();
    };
  }

  void launch(const std::vector<statement>& block) {
    for(const statement& s : block)
      launch(s);
  }
  void launch(const statement& s) {
    const auto body = [&] { launch(s.body); };
    const auto pass = [&] {
      body();
      return ask(s);
    };
    const iterate_options options{.max = s.passes, .lag = s.lag};
    const auto note_passes = [&](const future<std::uint64_t>& passes) {
      flow_.submit([](std::uint64_t n, std::uint64_t& x) { x += n; }, passes, write(at(s.to)));
    };
    switch(s.kind) {
    case statement::value:
      if(!is_in_repeat_) { // there no launch may wait for a future of the body
        const future<std::uint64_t> value =
          flow_.submit([&s](const std::uint64_t& x) { return x + s.salt; }, read(at(s.from)));
        flow_.submit(
          [](std::uint64_t v, std::uint64_t& x) { x = mix(x, v); }, value, write(at(s.to)));
        break;
      }
      [[fallthrough]];
    case statement::step:
      flow_.submit([&s](const std::uint64_t& x, std::uint64_t& y) { y = mix(y, x + s.salt); },
        read(at(s.from)), write(at(s.to)));
      break;
    case statement::plain:
      for(unsigned i = 0; i != s.passes; ++i)
        body();
      break;
    case statement::guarded:
      for(unsigned i = 0; i != s.passes; ++i) {
        const auto guard = trace_of(s).make_guard(flow_);
        no_repeat(body)();
      }
      break;
    case statement::iterate:
      note_passes(flow_.iterate(no_repeat(pass), options));
      break;
    case statement::traced_iterate:
      note_passes(flow_.iterate(trace_of(s), no_repeat(pass), options));
      break;
    case statement::repeat: {
      const bool was = std::exchange(is_in_repeat_, true);
      flow_.repeat(s.passes, body);
      is_in_repeat_ = was;
      break;
    }
    case statement::when:
      flow_.when(ask(s), no_repeat(body));
      break;
    case statement::either:
      flow_.either(ask(s), no_repeat(body), no_repeat([&] { launch(s.otherwise); }));
      break;
    case statement::kinds:
      break;
    }
  }
  numbers numbers_{1, 2, 3, 4};
  flow flow_;
  std::vector<std::unique_ptr<region<std::uint64_t>>> regions_;
  std::map<const statement*, trace> traces_;
  bool is_in_repeat_ = false;
};

// Sanitizers take ten times as long.
#if defined(RONDO_SANITIZED)
constexpr std::uint64_t programs = 8;
#else
constexpr std::uint64_t programs = 60;
#endif

} // namespace

TEST_CASE("random loops in loops do what the loops that wait do") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  std::uint64_t first = options.workers * 1000;
  std::uint64_t count = programs;
  if(const char* const one = std::getenv("RONDO_SEED")) {
    first = std::strtoull(one, nullptr, 10);
    count = 1;
  }
  for(std::uint64_t seed = first; seed != first + count; ++seed) {
    CAPTURE(seed);
    dice d(seed);
    const std::vector<statement> program = random_block(d, 3);
    numbers expected{1, 2, 3, 4};
    run_blocking(program, expected);
    REQUIRE(launched(ex).run(program) == expected);
  }
}

TEST_CASE("an inner loop ends for itself in each pass of the outer one") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  flow f(ex);
  std::vector<int> inner_passes;
  int left = 0;
  int rounds = 0;
  region rl(f, left);
  region rr(f, rounds);
  region rp(f, inner_passes);
  const auto outer = f.iterate([&] {
    f.submit(
      [](int& n, int& r, std::vector<int>& all) {
        n = ++r;
        all.push_back(0);
      },
      write(rl), write(rr), write(rp));
    const auto inner = f.iterate([&] {
      return f.submit(
        [](int& n, std::vector<int>& all) {
          ++all.back();
          return --n == 0;
        },
        write(rl), write(rp));
    });
    return f.submit([](std::uint64_t n) { return n == 20; }, inner);
  });
  f.wait();
  CHECK(outer.get() == 20);
  REQUIRE(inner_passes.size() == 20);
  for(int i = 0; i != 20; ++i)
    CHECK(inner_passes[std::size_t(i)] == i + 1);
}

TEST_CASE("loops in a pass that is in vain don't run") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  flow f(ex);
  promise<bool> stop(ex);
  std::vector<int> runs(4);
  region a(f, runs[0]);
  region b(f, runs[1]);
  region c(f, runs[2]);
  region d(f, runs[3]);
  const auto add = [](int& n) { ++n; };
  std::vector<future<std::uint64_t>> inner;
  const auto passes = f.iterate(
    [&](std::uint64_t pass) {
      f.repeat(1000, [&] {
        f.submit(add, write(a));
        f.submit(add, write(b));
      });
      inner.push_back(f.iterate(
        [&] {
          f.submit(add, write(c));
          return make_ready(false);
        },
        {.max = 3}));
      f.when(make_ready(true), [&] { f.submit(add, write(d)); });
      if(pass == 4)
        stop.set_value(true);
      return pass == 0 ? stop.get_future() : make_ready(false);
    },
    {.max = 5});
  // What comes behind the loop waits for what was before it, and not only for what was skipped.
  f.submit([](int& x, int& y) { x += y; }, write(a), write(b));
  f.wait();
  CHECK(passes.get() == 1);
  CHECK(runs == std::vector<int>{2000, 1000, 3, 1});
  CHECK(inner[0].get() == 3);
  for(std::size_t i = 1; i != inner.size(); ++i)
    CHECK_THROWS_AS(inner[i].get(), cancelled);
}

TEST_CASE("the launches of a condition run if it is so") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  flow f(ex);
  std::vector<int> order;
  region r(f, order);
  const auto add = [&](int n) {
    return f.submit(
      [n](std::vector<int>& o) {
        o.push_back(n);
        return n;
      },
      write(r));
  };
  future<int> yes;
  future<int> no;
  promise<bool> late(ex);
  std::vector<future<int>> others;
  others.push_back(add(0));
  f.when(late.get_future(), [&] { yes = add(1); });
  f.when(make_ready(false), [&] { no = add(2); });
  f.either(
    make_ready(false), [&] { others.push_back(add(3)); }, [&] { others.push_back(add(4)); });
  others.push_back(add(5));
  late.set_value(true);
  f.wait();
  CHECK(order == std::vector<int>{0, 1, 4, 5});
  CHECK(yes.get() == 1);
  CHECK_THROWS_WITH(
    no.get(), Contains("whose condition is not so") && Contains("nested_loops_tests"));
}

TEST_CASE("what fails in an inner loop ends the outer one") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  flow f(ex);
  int n = 0;
  region r(f, n);
  const auto passes = f.iterate([&] {
    (void)f.iterate(
      [&] {
        return f.submit(
          [](int& x) {
            if(++x == 25)
              throw std::runtime_error("the twenty-fifth");
            return false;
          },
          write(r));
      },
      {.max = 10});
    return make_ready(false);
  });
  CHECK_THROWS_WITH(f.wait(), "the twenty-fifth");
  CHECK(n == 25);
  // The flow begins anew.
  f.repeat(3, [&] { f.repeat(2, [&] { f.submit([](int& x) { ++x; }, write(r)); }); });
  f.wait();
  CHECK(n == 31);
}

TEST_CASE("what the body of an inner loop throws leaves the flow as it was") {
  executor ex(2);
  flow f(ex);
  int n = 0;
  region r(f, n);
  const auto add = [&] { f.submit([](int& x) { ++x; }, write(r)); };
  for(const int depth : {0, 1, 2}) {
    CAPTURE(depth);
    n = 0;
    const auto fail_at = [&](int here) {
      if(here == depth)
        throw std::runtime_error("no more");
    };
    CHECK_THROWS_WITH(f.repeat(2,
                        [&] {
                          add();
                          fail_at(0);
                          (void)f.iterate([&] {
                            add();
                            fail_at(1);
                            f.repeat(2, [&] {
                              add();
                              fail_at(2);
                            });
                            return make_ready(true);
                          });
                        }),
      "no more");
    f.wait();
    CHECK(n == (depth == 0
                   ? 0
                   : 2)); // what the body of a repeat has launched before it ends by itself is gone
    n = 0;
    add();
    f.wait();
    CHECK(n == 1);
  }
}

TEST_CASE("the code that launches an inner loop does not run far ahead of its answers") {
  executor ex(2);
  flow f(ex);
  std::uint64_t n = 0;
  region r(f, n);
  const std::uint64_t before = f.launched();
  for(int i = 0; i != 100; ++i)
    (void)f.iterate(
      [&] { return f.submit([](std::uint64_t& x) { return ++x % 10 == 0; }, write(r)); });
  f.wait();
  CHECK(n == 1000);
  // A window's worth of passes for each loop were 400,000.
  CHECK(f.launched() - before < 30'000);
}

TEST_CASE("promises that the body of a loop keeps far ahead of the answers are waited for") {
  executor ex(executor_options{
    .workers = 2, .background = true, .deadlock_after = std::chrono::milliseconds(20)});
  flow f(ex);
  promise<bool> first(ex);
  const auto passes = f.iterate(
    [&](std::uint64_t pass) {
      if(pass == 300)
        first.set_value(true);
      return pass == 0 ? first.get_future() : make_ready(false);
    },
    {.max = 1000});
  CHECK(passes.get() == 1);
}

TEST_CASE("what leaves a loop is that of the last pass that has run") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  for(const std::uint64_t lag : {0, 2}) {
    flow f(ex);
    int n = 0;
    region r(f, n);
    const auto pass = [&] {
      future<int> value = f.submit([](int& x) { return ++x; }, write(r));
      return leave_if(value.then([](int x) { return x % 7 == 0; }), value,
        value.then([](int x) { return std::to_string(x); }));
    };
    const auto [passes, value, text] = f.iterate(pass, {.lag = lag});
    CHECK(passes.get() == 7 + lag);
    CHECK(value.get() == static_cast<int>(7 + lag));
    CHECK(text.get() == std::to_string(7 + lag));
    // From an inner loop.
    trace t;
    n = 0;
    std::vector<future<int>> inner;
    const auto [outer, last] = f.iterate([&] {
      const auto [some, each, name] = f.iterate(t, pass);
      inner.push_back(each);
      return leave_if(each.then([](int x) { return x == 21; }), each);
    });
    f.wait();
    if(lag == 0) {
      CHECK(outer.get() == 3);
      CHECK(last.get() == 21);
      CHECK(inner[0].get() == 7);
      CHECK(inner[1].get() == 14);
    }
    const auto [none, nothing, no_text] = f.iterate(pass, {.max = 0});
    CHECK(none.get() == 0);
    CHECK_THROWS_WITH(nothing.get(), Contains("has no pass"));
    f.wait();
  }
}

namespace {

/// `around(flow, is_so, body)` launches `body` such that it does not run, since `is_so` is false.
template<class Around>
void check_repeat_in_vain(Around&& around) {
  for(unsigned turn = 0; turn != 100; ++turn) {
    executor ex({.workers = 1 + turn % 3, .background = true, .shares_cores = true});
    flow f(ex);
    double x = 1;
    region r(f, x, "x");
    std::atomic<int> ran{0};
    promise<bool> is_so(ex);
    around(f, is_so.get_future(), [&] {
      f.repeat(5, [&] {
        f.submit([&ran] { ++ran; });
        f.submit([&ran](const double&) { ++ran; }, read(r));
        f.submit(named("gives", [&ran] { return ++ran; }));
      });
    });
    is_so.set_value(false);
    f.wait();
    REQUIRE(ran == 0);
  }
}

} // namespace

// Nothing lies before such launches, not even those of the pass before.
TEST_CASE("launches without regions, and of readers, don't run in a repeat that is in vain") {
  SECTION("in when") {
    check_repeat_in_vain(
      [](flow& f, const future<bool>& is_so, auto&& body) { f.when(is_so, body); });
  }
  SECTION("in either") {
    check_repeat_in_vain(
      [](flow& f, const future<bool>& is_so, auto&& body) { f.either(is_so, body, [] {}); });
  }
  SECTION("in iterate") {
    check_repeat_in_vain([](flow& f, const future<bool>& is_so, auto&& body) {
      f.iterate(
        [&](std::uint64_t pass) {
          if(pass != 0)
            body();
          return is_so.then([](bool so) { return !so; });
        },
        {.max = 2});
    });
  }
}

TEST_CASE("launches of loops are counted once, however loops nest") {
  executor ex({.workers = 1});
  flow f(ex);
  int x = 0;
  region<int> r(f, x);
  const auto add = [&] { f.submit([](int& v) { ++v; }, write(r)); };
  add();
  CHECK(f.launched_in_loops() == 0);
  const std::uint64_t before = f.launched();
  f.iterate(
    [&] {
      add();
      f.repeat(2, [&] {
        add();
        add();
      });
      return false;
    },
    {.max = 3});
  CHECK(f.launched_in_loops() == f.launched() - before);
  CHECK(f.launched_in_loops() != 0);
  add();
  CHECK(f.launched_in_loops() < f.launched() - 1);
  f.wait();
  CHECK(x == 1 + 3 * 5 + 1);
}
