#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/flow.hpp>
#include <rondo/futures.hpp>

using namespace rondo;
using kind_type = pass_info::kind_type;

namespace {

void add_one(long& x) { ++x; }

/// What it is told of passes and of waits.
struct passes_told final : observer {
  using key = std::tuple<kind_type, std::uint64_t, std::uint64_t>; ///< With the loop and the pass.
  std::map<key, int> begun, ended, in_vain;
  std::vector<std::string> names;
  std::vector<std::pair<wait_info::kind_type, unsigned>> waits; ///< And the line.
  std::vector<std::string> waited_for;

  void pass_begun(const pass_info& p) noexcept override { note(begun, p); }
  void pass_ended(const pass_info& p) noexcept override { note(ended, p); }
  void pass_in_vain(const pass_info& p) noexcept override { note(in_vain, p); }
  void waited(const wait_info& w) noexcept override {
    const std::lock_guard lock(mutex_);
    waits.emplace_back(w.kind, static_cast<unsigned>(w.where.line()));
    waited_for.emplace_back(w.name);
  }

private:
  void note(std::map<key, int>& in, const pass_info& p) {
    const std::lock_guard lock(mutex_);
    for(std::uint64_t i = 0; i != p.count; ++i)
      ++in[{p.kind, p.loop, p.number + i}];
    if(&in == &begun)
      names.emplace_back(p.name);
  }
  std::mutex mutex_;
};

} // namespace

TEST_CASE("each pass of iterate is told to begin, and then to have ended or to be in vain") {
  const unsigned workers = GENERATE(1U, 2U, 4U);
  const std::uint64_t lag = GENERATE(0U, 2U);
  CAPTURE(workers, lag);
  executor ex(workers);
  passes_told told;
  std::uint64_t passes = 0;
  {
    flow f(ex);
    long n = 0;
    region r(f, n);
    ex.attach(told);
    const auto run = f.iterate(
      [&] {
        f.submit(named("one", &add_one), write(r));
        return f.submit([](const long& x) { return x == 5; }, read(r));
      },
      {.max = 100, .lag = lag});
    f.wait();
    passes = run.get();
    ex.detach(told);
    CHECK(static_cast<std::uint64_t>(n) == passes);
  }
  CHECK(passes == 5 + lag);
  CHECK(told.ended.size() == passes);
  CHECK(told.begun.size() == told.ended.size() + told.in_vain.size());
  for(const auto& [pass, times] : told.begun) {
    CHECK(times == 1);
    const bool runs = std::get<2>(pass) < passes;
    CHECK(told.ended.count(pass) == (runs ? 1 : 0));
    CHECK(told.in_vain.count(pass) == (runs ? 0 : 1));
  }
}

TEST_CASE("each pass of loops in loops is told to begin, and then to have ended or to be in vain") {
  const unsigned workers = GENERATE(1U, 2U, 4U);
  CAPTURE(workers);
  executor ex(workers);
  passes_told told;
  {
    flow f(ex);
    long n = 0;
    region r(f, n);
    ex.attach(told);
    const auto run = f.iterate([&] {
      const auto inner = f.iterate([&] {
        f.when(make_ready(true), [&] { f.submit(named("one", &add_one), write(r)); });
        f.repeat(2, [&] { f.submit(named("one", &add_one), write(r)); });
        return f.submit([](const long& x) { return x % 15 == 0; }, read(r));
      });
      return f.submit([](std::uint64_t, const long& x) { return x == 30; }, inner, read(r));
    });
    f.wait();
    CHECK(run.get() == 2);
    ex.detach(told);
    CHECK(n == 30);
  }
  std::map<kind_type, std::size_t> ended;
  for(const auto& [pass, times] : told.ended)
    ended[std::get<0>(pass)] += static_cast<std::size_t>(times);
  CHECK(ended[kind_type::iterate] == 2 + 10);
  CHECK(ended[kind_type::repeat] == 20);
  CHECK(told.begun.size() == told.ended.size() + told.in_vain.size());
  for(const auto& [pass, times] : told.begun) {
    CHECK(times == 1);
    CHECK(told.ended.count(pass) + told.in_vain.count(pass) == 1);
  }
}

TEST_CASE("passes of a closed loop are told to begin and to have ended") {
  executor ex(GENERATE(1U, 3U));
  passes_told told;
  ex.attach(told);
  {
    flow f(ex);
    long n = 0;
    region r(f, n);
    f.repeat(100, [&] { f.submit(named("one", &add_one), write(r)); });
    f.repeat(50, [&] { f.submit(named("one", &add_one), write(r)); });
    f.wait();
    CHECK(n == 150);
  }
  ex.detach(told);
  CHECK(told.begun.size() == 150);
  CHECK(told.ended == told.begun);
  CHECK(told.in_vain.empty());
}

TEST_CASE("passes of a closed loop after one that fails are in vain") {
  executor ex(GENERATE(1U, 3U));
  passes_told told;
  ex.attach(told);
  {
    flow f(ex);
    long n = 0;
    region r(f, n);
    f.repeat(1000, [&] {
      f.submit(
        [](long& x) {
          if(++x == 8)
            throw std::runtime_error("oh");
        },
        write(r));
    });
    CHECK_THROWS(f.wait());
  }
  ex.detach(told);
  CHECK(told.begun.size() == 1000);
  CHECK(told.ended.size() == 7);
  CHECK(told.in_vain.size() == 992);
  CHECK(told.in_vain.count({kind_type::repeat, std::get<1>(told.begun.begin()->first), 8}) == 1);
}

TEST_CASE("each guard of a trace is a pass, from the time an observer comes until it goes") {
  executor ex(2);
  passes_told told;
  flow f(ex);
  long n = 0;
  region r(f, n);
  trace t("step");
  const auto run = [&](int passes) {
    for(int i = 0; i != passes; ++i) {
      const auto guard = t.make_guard(f);
      f.submit(named("one", &add_one), write(r));
    }
  };
  run(10);
  ex.attach(told);
  run(10);
  ex.detach(told);
  run(10);
  {
    const auto guard = t.make_guard(f);
    ex.attach(told); // it has not been told of the begin
    f.submit(named("one", &add_one), write(r));
  }
  run(5);
  f.wait();
  ex.detach(told);
  CHECK(n == 36);
  CHECK(told.begun.size() == 15);
  CHECK(told.ended == told.begun);
  CHECK(told.in_vain.empty());
  CHECK(
    told.begun.begin()->first == std::tuple(kind_type::guard, std::uint64_t{0}, std::uint64_t{10}));
  CHECK(told.names == std::vector<std::string>(15, "step"));
  CHECK(t.statistics().replayed == 35);
}

TEST_CASE("waits of the thread that launches are told, with their place") {
  executor ex(GENERATE(1U, 2U));
  passes_told told;
  flow f(ex);
  long n = 0;
  region r(f, n, "n");
  ex.attach(told);
  promise<void> p;
  const auto wait_in_task = [&] { // so that there is something to wait for
    p = promise<void>();
    f.submit([kept = p.get_future()](long&) { kept.wait(); }, write(r));
    return std::thread([&] {
      std::this_thread::yield();
      p.set_value();
    });
  };
  std::thread one = wait_in_task();
  const unsigned first_line = __LINE__ + 1;
  f.wait();
  one.join();
  one = wait_in_task();
  const unsigned second_line = __LINE__ + 1;
  f.wait(r);
  one.join();
  const unsigned line_between = __LINE__ + 1;
  f.wait(); // nothing is under way, but the end of the last launch, perhaps
  const future<long> value = f.submit([](const long& x) { return x; }, read(r));
  const unsigned third_line = __LINE__ + 1;
  value.wait();
  ex.detach(told);
  // With something so short the last two may be over before they begin.
  REQUIRE(told.waits.size() <= 4);
  for(std::size_t i = 0; i != told.waits.size(); ++i) {
    const auto [kind, line] = told.waits[i];
    const bool is_one =
      (kind == wait_info::kind_type::launches && (line == first_line || line == line_between)) ||
      (kind == wait_info::kind_type::region && line == second_line && told.waited_for[i] == "n") ||
      (kind == wait_info::kind_type::value && line == third_line);
    CHECK(is_one);
  }
}

TEST_CASE("a launch that waits for room in the window is told of") {
  executor ex(1);
  passes_told told;
  ex.attach(told);
  unsigned line = 0;
  {
    flow f(ex, {.window = 64});
    long n = 0;
    region r(f, n);
    for(int i = 0; i != 1000; ++i) {
      line = __LINE__ + 1;
      f.submit(named("one", &add_one), write(r));
    }
    ex.detach(told);
    f.wait();
    CHECK(n == 1000);
  }
  REQUIRE(!told.waits.empty());
  for(const auto& [kind, where] : told.waits) {
    CHECK(kind == wait_info::kind_type::window);
    CHECK(where == line);
  }
}

TEST_CASE("a pass whose body is left, since it is in vain or has thrown, is told to be over") {
  const unsigned workers = GENERATE(1U, 2U);
  executor ex(workers);
  passes_told told;
  {
    flow f(ex);
    long n = 0;
    region<long> r(f, n);
    ex.attach(told);
    for(int k = 1; k != 4; ++k) {
      f.iterate([&] {
        const long now = f.submit([](long& x) { return ++x; }, write(r)).get();
        return f.submit([](const long& x) { return x; }, read(r)).then([k, now](long x) {
          return x == now && x >= 4 * k;
        });
      });
      CHECK_THROWS_WITH(
        f.iterate([]() -> future<bool> { throw std::runtime_error("no more"); }), "no more");
    }
    f.wait();
    ex.detach(told);
    CHECK(n == 12);
  }
  std::size_t over = 0;
  for(const auto& [pass, times] : told.begun) {
    CHECK(times == 1);
    CHECK(told.ended.count(pass) + told.in_vain.count(pass) == 1);
    ++over;
  }
  CHECK(over >= 12 + 3);
  CHECK(told.ended.size() + told.in_vain.size() == over);
}
