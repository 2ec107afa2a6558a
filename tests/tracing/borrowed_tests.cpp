// What a task of a checked build is told that has a reference to a variable of a function that has returned.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <optional>
#include <source_location>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/futures/async.hpp>
#include <rondo/tracing/flow.hpp>

using namespace rondo;

#ifdef RONDO_CHECKS

// The address sanitizer keeps variables elsewhere, and says itself that one has ended.
#ifdef RONDO_SANITIZED
#define WHERE_VARIABLES_ARE_ON_THE_STACK "[.]"
#else
#define WHERE_VARIABLES_ARE_ON_THE_STACK ""
#endif

namespace {

/// Tasks behind the first one begin when `open` is called, or when the program waits.
class gated_flow {
public:
  explicit gated_flow(unsigned workers = 2) : ex(workers), f(ex), r(f, x, "x") {
    f.submit(
      [this](double&) {
        while(!is_open)
          std::this_thread::yield();
      },
      write(r));
  }
  std::string told() {
    is_open = true;
    try {
      f.wait();
    }
    catch(const std::logic_error& e) {
      return e.what();
    }
    return "";
  }

  std::atomic<bool> is_open{false};
  double x = 1;
  executor ex;
  flow f;
  region<double> r;
};

const std::string by_function =
  "its function points to a variable of a function that has returned since the launch, and the "
  "task runs only now; hand over or capture the value itself, or wait before that function returns "
  "(docs/mistakes.md)";
const std::string by_value = "a value that it is launched with points to a variable of a function "
                             "that has returned since the launch, and the "
                             "task runs only now; hand over or capture the value itself, or wait "
                             "before that function returns (docs/mistakes.md)";

[[gnu::noinline]] void capture_own(gated_flow& g) {
  volatile double factor = 2;
  g.f.submit(named("scale", [&](double& x) { x *= factor; }), write(g.r));
}
[[gnu::noinline]] void capture_own_by_value(gated_flow& g) {
  volatile double factor = 2;
  g.f.submit([by = double(factor)](double& x) { x *= by; }, write(g.r));
}
[[gnu::noinline]] void capture_given(gated_flow& g, const double& factor) {
  g.f.submit([&](double& x) { x *= factor; }, write(g.r));
}
[[gnu::noinline]] void hand_over_pointer(gated_flow& g) {
  double factor = 2;
  g.f.submit([](double& x, const double* by) { x *= *by; }, write(g.r), &factor);
  asm volatile("" : : "g"(&factor) : "memory");
}
struct several {
  double a;
  const double* by;
};
[[gnu::noinline]] void hand_over_among_others(gated_flow& g) {
  double factor = 2;
  g.f.submit([](double& x, several s) { x *= *s.by; }, write(g.r), several{1, &factor});
  asm volatile("" : : "g"(&factor) : "memory");
}
[[gnu::noinline]] void capture_and_wait(gated_flow& g) {
  volatile double factor = 2;
  g.f.submit([&](double& x) { x *= factor; }, write(g.r));
  g.is_open = true;
  g.f.wait();
}
[[gnu::noinline]] void capture_and_get(gated_flow& g) {
  volatile double factor = 2;
  const future<double> done =
    g.f.submit([&](double& x) -> double { return x *= factor; }, write(g.r));
  g.is_open = true;
  CHECK(done.get() == 2);
}
[[gnu::noinline]] double use_stack(double x) {
  volatile double all[512];
  for(std::size_t i = 0; i != 512; ++i)
    all[i] = x;
  return all[17];
}

} // namespace

TEST_CASE("a task with a reference to a variable of a function that has returned is told so",
  WHERE_VARIABLES_ARE_ON_THE_STACK) {
  gated_flow g(GENERATE(1U, 2U));
  capture_own(g);
  g.f.submit([](const double&) {}, read(g.r));
  CHECK(g.told() == by_function);
  CHECK_THAT(g.f.last_failed_launch(), Catch::Contains("task 'scale', launched at "));
  CHECK_THAT(g.f.last_failed_launch(), Catch::Contains("borrowed_tests.cpp:"));
  capture_own_by_value(g);
  CHECK(g.told().empty());
}

TEST_CASE("so is one with a pointer among its values", WHERE_VARIABLES_ARE_ON_THE_STACK) {
  gated_flow g;
  SECTION("alone") { hand_over_pointer(g); }
  SECTION("in a struct") { hand_over_among_others(g); }
  g.f.submit([](const double&) {}, read(g.r));
  CHECK(g.told() == by_value);
}

TEST_CASE("that a function has returned is known from the next launch on, however deep the program "
          "is when it waits",
  WHERE_VARIABLES_ARE_ON_THE_STACK) {
  gated_flow g;
  capture_own(g);
  g.f.submit([](const double&) {}, read(g.r));
  const auto deeper = [&] { // where the variable was there is something else now
    static_cast<void>(use_stack(1));
    return g.told();
  };
  CHECK(deeper() == by_function);
}

TEST_CASE("a task that makes a flow and returns from a function of its own is told so",
  WHERE_VARIABLES_ARE_ON_THE_STACK) {
  executor ex(2);
  CHECK(async(ex, [] {
    gated_flow g;
    capture_own(g);
    g.f.submit([](const double&) {}, read(g.r));
    return g.told();
  }).get() == by_function);
}

TEST_CASE("in the body of repeat as well", WHERE_VARIABLES_ARE_ON_THE_STACK) {
  gated_flow g;
  g.f.repeat(3, [&] { capture_own(g); });
  g.f.submit([](const double&) {}, read(g.r));
  CHECK(g.told() == by_function);
}

TEST_CASE("references to what lives until the program waits are nobody's concern") {
  gated_flow g(GENERATE(1U, 2U));
  double factor = 2;
  SECTION("a variable of the function that waits") {
    for(int k = 0; k != 100; ++k) {
      capture_given(g, factor);
      static_cast<void>(use_stack(k));
    }
    factor = 1;
    CHECK(g.told().empty());
    CHECK(g.x == 1);
  }
  SECTION("of one that waits itself") {
    capture_and_wait(g);
    static_cast<void>(use_stack(1));
    CHECK(g.told().empty());
    CHECK(g.x == 2);
  }
  SECTION("of one that waits for that task") {
    capture_and_get(g);
    CHECK(g.told().empty());
  }
  SECTION("what is captured by value, whatever is in it") {
    const auto launch = [&g] {
      const std::string text(15, 'x');
      const std::optional<double*> nothing;
      const std::vector<double> many(100, 1.0);
      g.f.submit(
        [=](double& x) { x += double(text.size()) * many[3] + nothing.has_value(); }, write(g.r));
    };
    launch();
    CHECK(g.told().empty());
    CHECK(g.x == 16);
  }
  SECTION("in a loop that launches passes ahead") {
    g.is_open = true;
    g.f.iterate(
      [&](std::uint64_t) {
        capture_given(g, factor);
        return g.f.submit([&](const double& x) { return x > 1000 * factor; }, read(g.r));
      },
      {.max = 1000});
    CHECK(g.told().empty());
    CHECK(g.x == 2048);
  }
}

namespace {

struct with_padding {
  long* runs;
  bool b;
  void operator()(double&) const { ++*runs; }
};
/// Between the members of what it launches with is, but for a byte, the address of a variable of its own.
[[gnu::noinline]] void launch_with_old_bytes(gated_flow& g, long& runs) {
  volatile double own[64] = {};
  const std::array<volatile double*, 2> old{own + 32, own + 32};
  with_padding launched;
  std::memcpy(&launched, old.data(), sizeof launched);
  launched.runs = &runs;
  launched.b = false;
  g.f.submit(launched, write(g.r));
}

} // namespace

TEST_CASE("bytes between members are nobody's address") {
  gated_flow g;
  long runs = 0;
  launch_with_old_bytes(g, runs);
  g.f.submit([](const double&) {}, read(g.r));
  CHECK(g.told().empty());
  CHECK(runs == 1);
}

TEST_CASE("threads that launch at the same time have stacks of their own") {
  std::vector<std::thread> all;
  std::atomic<int> wrong{0};
  for(int t = 0; t != 4; ++t)
    all.emplace_back([&wrong] {
      for(int k = 0; k != 20; ++k) {
        gated_flow g;
        double factor = 1;
        for(int i = 0; i != 50; ++i)
          capture_given(g, factor);
        wrong += g.told().empty() ? 0 : 1;
      }
    });
  for(std::thread& t : all)
    t.join();
  CHECK(wrong == 0);
}

#else

TEST_CASE(
  "in a build without checks tasks refer to what they like, and what lives long enough is right") {
  executor ex(2);
  flow f(ex);
  double x = 1;
  region<double> r(f, x, "x");
  const double factor = 2;
  for(int i = 0; i != 10; ++i)
    f.submit([&factor](double& value) { value *= factor; }, write(r));
  f.wait();
  CHECK(x == 1024);
}

#endif
