// Where many launches wait for many others: in plain loops, traces and closed loops, through joins.

#include "joins.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <numeric>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/flow.hpp>

#include "random_programs.hpp"

using namespace rondo;
using detail::access_mode;
using detail::find_joins;
using random_programs::dice;
using random_programs::mix;

namespace rondo::detail::inline tracing {

static bool operator==(const join& a, const join& b) {
  return a.behind == b.behind && a.slot == b.slot;
}
static std::ostream& operator<<(std::ostream& to, const join& j) {
  return to << "behind " << j.behind << " for " << j.slot;
}

} // namespace rondo::detail::inline tracing

namespace {

using slot = std::vector<detail::slot_access>;

/// So many accesses, of one launch each, from this one on.
void add(slot& to, std::uint32_t first, std::uint32_t count, access_mode m) {
  for(std::uint32_t i = 0; i != count; ++i)
    to.push_back({first + i, m});
}

/// The ways to run a pass over and over again.
enum class way { analysed, found, traced, closed };

std::ostream& operator<<(std::ostream& to, way w) {
  static constexpr const char* names[] = {"analysed", "found", "traced", "closed"};
  return to << names[static_cast<unsigned>(w)];
}

flow_options options_for(way w) { return {.find_repeats = w == way::found}; }

/// `body()` so many times.
template<class Body>
void run(flow& f, trace& t, way w, std::uint64_t passes, Body&& body) {
  if(w == way::closed) {
    f.repeat(passes, body);
    return;
  }
  for(std::uint64_t pass = 0; pass != passes; ++pass)
    if(w == way::traced) {
      const auto guard = t.make_guard(f);
      body();
    }
    else
      body();
}

#define FOR_EACH_WAY(w, workers)                                                                   \
  const way w = GENERATE(way::analysed, way::found, way::traced, way::closed);                     \
  const unsigned workers = GENERATE(1U, 2U, 4U);                                                   \
  CAPTURE(w, workers)

executor_options with(unsigned workers) { return {.workers = workers, .shares_cores = false}; }

constexpr std::size_t crowd = 200;

/// A number that all read, each into one of its own, and to which each adds its own.
struct square {
  explicit square(executor& ex, way w = way::traced) : f(ex, options_for(w)) {
    for(std::uint64_t& x : own)
      owns.emplace_back(f, x, "own");
  }
  void launch_pass() {
    for(std::size_t i = 0; i != crowd; ++i)
      f.submit(named("look", [this, i](std::uint64_t a, std::uint64_t& b) { look(i, a, b); }),
        read(all), write(owns[i]));
    for(std::size_t i = 0; i != crowd; ++i)
      f.submit(named("add", [](std::uint64_t b, std::uint64_t& a) { a += b; }), read(owns[i]),
        commute(all));
  }
  void look(std::size_t i, std::uint64_t a, std::uint64_t& b) const {
    if(i == failing && a == failing_at)
      throw std::runtime_error("look " + std::to_string(i));
    b = mix(a, i);
  }
  /// What it is after so many passes.
  static std::uint64_t expected(std::uint64_t passes) {
    std::uint64_t a = 0;
    for(; passes != 0; --passes) {
      const std::uint64_t before = a;
      for(std::size_t i = 0; i != crowd; ++i)
        a += mix(before, i);
    }
    return a;
  }

  flow f;
  trace t;
  std::uint64_t value = 0;
  std::vector<std::uint64_t> own = std::vector<std::uint64_t>(crowd);
  region<std::uint64_t> all{f, value, "all"};
  std::deque<region<std::uint64_t>> owns;
  std::size_t failing = crowd;
  std::uint64_t failing_at = 0;
};

} // namespace

TEST_CASE("a join comes behind the last one of a group for which as many others wait") {
  slot s;
  add(s, 0, 20, access_mode::read);
  add(s, 20, 20, access_mode::commute);
  CHECK(find_joins({s}) == std::vector<detail::join>{{19, 0}, {39, 0}});
}

TEST_CASE("a group may begin in the pass before") {
  slot s;
  add(s, 0, 3, access_mode::read);
  add(s, 3, 20, access_mode::commute);
  add(s, 23, 17, access_mode::read);
  CHECK(find_joins({s}) == std::vector<detail::join>{{2, 0}, {22, 0}});
}

TEST_CASE("there is no join between groups that are small, or one") {
  slot readers_and_writer, few, readers, folds;
  add(readers_and_writer, 0, 1000, access_mode::read);
  add(readers_and_writer, 1000, 1, access_mode::write);
  add(few, 0, 4, access_mode::read);
  add(few, 4, 4, access_mode::commute);
  add(readers, 0, 1000, access_mode::read);
  // The first fold waits for all, and the last one is waited for.
  add(folds, 0, 1000, access_mode::read);
  add(folds, 1000, 1000, access_mode::reduce);
  CHECK(find_joins({readers_and_writer, few, readers, folds}).empty());
}

TEST_CASE("joins are in the order of the launches") {
  slot a, b;
  add(a, 0, 30, access_mode::read);
  add(b, 10, 10, access_mode::read);
  add(b, 20, 20, access_mode::commute);
  add(a, 60, 20, access_mode::commute);
  CHECK(find_joins({a, b}) == std::vector<detail::join>{{19, 1}, {29, 0}, {39, 1}, {79, 0}});
}

TEST_CASE(
  "where 200 launches wait for 200 others, and these for them, passes are as one after the other") {
  FOR_EACH_WAY(w, workers);
  executor ex(with(workers));
  square s(ex, w);
  run(s.f, s.t, w, 12, [&] { s.launch_pass(); });
  s.f.wait();
  CHECK(s.value == square::expected(12));
  if(w == way::traced) {
    CHECK(s.t.statistics().replayed == 11);
    CHECK_THAT(s.t.text(), Catch::Contains("; 2 joins; "));
  }
  if(w == way::found)
    CHECK(s.f.repeats().launches >= 2 * 2 * crowd);
}

TEST_CASE("readers of 200 regions, of fifty each, see what 200 launches have written") {
  FOR_EACH_WAY(w, workers);
  executor ex(with(workers));
  flow f(ex, options_for(w));
  trace t;
  std::vector<std::uint64_t> values(crowd, 1);
  std::deque<region<std::uint64_t>> regions;
  for(std::uint64_t& v : values)
    regions.emplace_back(f, v, "value");
  std::uint64_t sum = 0;
  region<std::uint64_t> total(f, sum, "sum");
  constexpr std::size_t each = 50; // a launch has 63 arguments at most
  const auto add_up = [](std::uint64_t& to, const auto&... v) { to = mix(to, (v + ...)); };
  constexpr std::uint64_t passes = 12;
  run(f, t, w, passes, [&] {
    for(std::uint64_t i = 0; i != crowd; ++i)
      f.submit([i](std::uint64_t& v) { v = mix(v, i); }, write(regions[i]));
    for(std::size_t first = 0; first != crowd; first += each)
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        f.submit(add_up, write(total), read(regions[first + I])...);
      }(std::make_index_sequence<each>());
  });
  f.wait();
  std::vector<std::uint64_t> of(crowd, 1);
  std::uint64_t expected = 0;
  for(std::uint64_t pass = 0; pass != passes; ++pass) {
    for(std::uint64_t i = 0; i != crowd; ++i)
      of[i] = mix(of[i], i);
    for(auto first = of.begin(); first != of.end(); first += each)
      expected = mix(expected, std::accumulate(first, first + each, std::uint64_t{0}));
  }
  CHECK(values == of);
  CHECK(sum == expected);
}

TEST_CASE("a writer comes after 300 readers, and they after it") {
  FOR_EACH_WAY(w, workers);
  executor ex(with(workers));
  flow f(ex, options_for(w));
  trace t;
  std::uint64_t value = 0;
  region<std::uint64_t> r(f, value, "value");
  std::atomic<std::uint64_t> seen{0};
  run(f, t, w, 12, [&] {
    for(int i = 0; i != 300; ++i)
      f.submit([&seen](std::uint64_t v) { seen += v; }, read(r));
    // All of the 300 have added what there is.
    f.submit(
      [&seen](std::uint64_t& v) { v += seen == 300 * v * (v + 1) / 2 ? 1 : 1000; }, write(r));
  });
  f.wait();
  CHECK(value == 12);
}

TEST_CASE("what fails before a join is known behind it") {
  FOR_EACH_WAY(w, workers);
  executor ex(with(workers));
  square s(ex, w);
  for(const std::size_t failing : {std::size_t{0}, crowd / 2, crowd - 1}) {
    s.failing = failing;
    s.failing_at = square::expected(7);
    s.value = 0;
    // The others of the failing one's group may run, but nobody that waits for all of them.
    CHECK_THROWS_WITH((run(s.f, s.t, w, 20, [&] { s.launch_pass(); }), s.f.wait()),
      "look " + std::to_string(failing));
    CHECK(s.value == square::expected(7));
    // The flow begins anew.
    s.failing = crowd;
    s.value = 0;
    run(s.f, s.t, w, 3, [&] { s.launch_pass(); });
    s.f.wait();
    CHECK(s.value == square::expected(3));
  }
}

TEST_CASE("passes of a loop that are launched in vain go through joins") {
  const unsigned workers = GENERATE(1U, 2U, 4U);
  CAPTURE(workers);
  executor ex(with(workers));
  square s(ex);
  std::uint64_t passes = 0;
  region<std::uint64_t> count(s.f, passes, "passes");
  for(std::uint64_t round = 1; round != 4; ++round) {
    const auto ran = s.f.iterate(s.t,
      [&] {
        s.launch_pass();
        return s.f.submit([round](std::uint64_t& n) { return ++n == 5 * round; }, write(count));
      },
      {.lag = round - 1});
    s.f.wait();
    // The answer no. 5 says stop, and counts so many passes later.
    CHECK(ran.get() == 5 + round - 1);
    passes = 5 * round;
  }
}

TEST_CASE("nobody is told of joins") {
  struct : observer {
    std::mutex mutex;
    std::map<std::string, std::uint64_t> names;
    void task_begin(unsigned, const task_info& i) noexcept override {
      const std::lock_guard lock(mutex);
      ++names[i.name];
    }
  } told;
  FOR_EACH_WAY(w, workers);
  executor ex(with(workers));
  ex.attach(told);
  constexpr std::uint64_t passes = 12;
  {
    square s(ex, w);
    run(s.f, s.t, w, passes, [&] { s.launch_pass(); });
    s.f.wait();
    CHECK(s.f.launched() == (w == way::closed ? 0 : 2 * crowd * passes));
    if(w == way::traced)
      CHECK(s.t.statistics().launches == 2 * crowd);
    if(w == way::found)
      CHECK(s.f.repeats().launches % (2 * crowd) == 0);
  }
  ex.detach(told);
  CHECK(told.names ==
        std::map<std::string, std::uint64_t>{{"look", passes * crowd}, {"add", passes * crowd}});
}

// ---- passes that are not as the one before -------------------------------------------------------

namespace {

/// Without it the passes would be all the same.
struct part {
  std::size_t first = 0, end = 2 * crowd; ///< Only these launches of the pass.
};

} // namespace

TEST_CASE("passes may end, or begin anew, before a join and behind it") {
  const unsigned workers = GENERATE(1U, 2U, 4U);
  const bool is_guarded = GENERATE(true, false);
  CAPTURE(workers, is_guarded);
  executor ex(with(workers));
  square s(ex, is_guarded ? way::traced : way::found);
  std::uint64_t value = 0;
  std::vector<std::uint64_t> own(crowd);
  const auto pass = [&](const part& p) {
    std::uint64_t after = value;
    for(std::size_t i = p.first; i != p.end; ++i)
      if(i < crowd) {
        s.f.submit([&s, i](std::uint64_t a, std::uint64_t& b) { s.look(i, a, b); }, read(s.all),
          write(s.owns[i]));
        own[i] = mix(value, i);
      }
      else {
        s.f.submit([](std::uint64_t b, std::uint64_t& a) { a += b; }, read(s.owns[i - crowd]),
          commute(s.all));
        after += own[i - crowd];
      }
    value = after;
  };
  dice d(17);
  const auto somewhere = [&d]() -> std::size_t {
    constexpr std::size_t places[] = {0, 1, crowd - 1, crowd, crowd + 1, 2 * crowd - 1, 2 * crowd};
    return places[d.below(7)];
  };
  for(int k = 0; k != 60; ++k) {
    part p;
    if(d.one_in(3)) {
      p = {somewhere(), somewhere()};
      if(p.first > p.end)
        std::swap(p.first, p.end);
    }
    if(is_guarded) {
      const auto guard = s.t.make_guard(s.f);
      pass(p);
    }
    else
      pass(p);
    if(d.one_in(6)) { // somebody else uses the region, in between
      s.f.submit([](std::uint64_t& a) { a = mix(a, 3); }, write(s.all));
      value = mix(value, 3);
    }
    if(d.one_in(10)) {
      s.f.wait();
      REQUIRE(s.value == value);
    }
  }
  s.f.wait();
  CHECK(s.value == value);
  CHECK(s.own == own);
  if(is_guarded) {
    CHECK(s.t.statistics().replayed > 10);
    CHECK(s.t.statistics().diverged > 0);
  }
}

namespace {

/// Some cells that crowds read, add to, fold into and write, in groups of any size.
class crowds {
public:
  crowds(executor& ex, way w, std::uint64_t seed)
      : dice_(seed), way_(w), f_(ex, options_for(w)), cells_(1 + dice_.below(3), 1), own_(most, 1),
        expected_(cells_), expected_own_(own_) {
    for(std::uint64_t& c : cells_)
      cell_.emplace_back(f_, c, "cell");
    for(std::uint64_t& o : own_)
      owns_.emplace_back(f_, o, "own");
    const unsigned groups = 2 + dice_.below(6);
    for(unsigned g = 0; g != groups; ++g)
      plan_.push_back(
        {static_cast<kind>(dice_.below(4)), dice_.below(static_cast<unsigned>(cells_.size())),
          dice_.one_in(3) ? 1 + dice_.below(8) : 30 + dice_.below(most - 30)});
  }

  void run_all() {
    constexpr std::uint64_t passes = 9;
    run(f_, t_, way_, passes, [&] { launch_pass(); });
    f_.wait();
    for(std::uint64_t pass = 0; pass != passes; ++pass)
      do_pass();
    CHECK(cells_ == expected_);
    CHECK(own_ == expected_own_);
  }

private:
  enum class kind { look, add, fold, change };
  static constexpr unsigned most = 120;
  struct group {
    kind what;
    unsigned cell;
    unsigned size;
  };
  /// Order matters.
  struct fold_in {
    std::uint64_t identity(const std::uint64_t&) const { return 0; }
    void operator()(std::uint64_t& into, std::uint64_t part) const { into = mix(into, part); }
  };

  void launch_pass() {
    for(const group& g : plan_)
      for(unsigned i = 0; i != g.size; ++i)
        launch(g, i);
  }
  void launch(const group& g, unsigned i) {
    auto& c = cell_[g.cell];
    switch(g.what) {
    case kind::look:
      f_.submit(
        [i](std::uint64_t a, std::uint64_t& b) { b = mix(a, b + i); }, read(c), write(owns_[i]));
      break;
    case kind::add:
      f_.submit(
        [i](std::uint64_t& a, std::uint64_t b) { a += mix(b, i); }, commute(c), read(owns_[i]));
      break;
    case kind::fold:
      f_.submit(
        [](std::uint64_t& a, std::uint64_t b) { a = b; }, reduce(c, fold_in{}), read(owns_[i]));
      break;
    case kind::change:
      f_.submit([](std::uint64_t& a) { a = mix(a, 1); }, write(c));
      break;
    }
  }
  void do_pass() {
    for(const group& g : plan_)
      for(unsigned i = 0; i != g.size; ++i) {
        std::uint64_t& a = expected_[g.cell];
        std::uint64_t& b = expected_own_[i];
        switch(g.what) {
        case kind::look:
          b = mix(a, b + i);
          break;
        case kind::add:
          a += mix(b, i);
          break;
        case kind::fold:
          a = mix(a, b);
          break;
        case kind::change:
          a = mix(a, 1);
          break;
        }
      }
  }

  dice dice_;
  way way_;
  flow f_;
  trace t_;
  std::vector<std::uint64_t> cells_, own_, expected_, expected_own_;
  std::deque<region<std::uint64_t>> cell_, owns_;
  std::vector<group> plan_;
};

} // namespace

TEST_CASE("random passes of crowds have the results of one launch after the other") {
  FOR_EACH_WAY(w, workers);
  executor ex(with(workers));
  for(std::uint64_t seed = 0; seed != 20; ++seed) {
    CAPTURE(seed);
    crowds(ex, w, seed).run_all();
  }
}
