#include <atomic>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/flow.hpp>
#include <rondo/futures.hpp>

#include "ledger.hpp"
#include "numbered_mail.hpp"
#include "random_programs.hpp"

using namespace rondo;
using how_type = launch_info::how_type;
using mode_type = access_info::mode_type;

namespace {

void add_one(long& x) { ++x; }
void add_two(long& x) { x += 2; }

/// Attached for as long as it is in scope.
class observing {
public:
  observing(executor& ex, observer& o) : ex_(ex), o_(o) { ex_.attach(o_); }
  ~observing() { ex_.detach(o_); }
  observing(const observing&) = delete;
  observing& operator=(const observing&) = delete;

private:
  executor& ex_;
  observer& o_;
};

/// Does nothing but order others, and says so.
struct ordering {
  void operator()(const long&, long&) const {}
  [[nodiscard]] static bool does_nothing() { return true; }
};

} // namespace

TEST_CASE("every launch is told once, and its task begins and ends once under the same id") {
  for(const unsigned workers : {1U, 2U, 4U}) {
    CAPTURE(workers);
    executor ex(workers);
    ledger told;
    {
      const observing here(ex, told);
      flow f(ex, {.find_repeats = false});
      long a = 0;
      long b = 0;
      region ra(f, a, "a");
      region rb(f, b, "b");
      for(int i = 0; i != 300; ++i) {
        f.submit(named("one", &add_one), write(ra));
        f.submit(named("two", &add_two), write(rb));
        f.submit([](const long&, long&) {}, read(ra), write(rb));
      }
      f.wait();
    }
    CHECK(told.launches.size() == 900);
    CHECK(told.launched(how_type::analysed) == 900);
    CHECK(told.is_complete());
    for(std::size_t i = 1; i != told.launches.size(); ++i)
      REQUIRE(told.launches[i - 1].first < told.launches[i].first);
  }
}

TEST_CASE("an observer is told what a launch does with which region") {
  executor ex(1);
  ledger told;
  const observing here(ex, told);
  flow f(ex);
  long a = 0;
  long b = 0;
  long c = 0;
  region ra(f, a, "a");
  region rb(f, b, "b");
  region rc(f, c);
  CHECK(ra.number() == region_number{0, 1});
  CHECK(rb.number() == region_number{0, 2});
  const std::vector<region_access> more{read(rb), commute(rc)};
  f.submit(named("all", [](long&) {}), write(ra), more);
  f.submit(named("sum", [](long&) {}), reduce(rb));
  f.submit(named("part", [](long&) {}), write_part(rb));
  f.wait();
  REQUIRE(told.launches.size() == 3);
  const auto& all = told.launches[0].second.accesses;
  REQUIRE(all.size() == 3);
  CHECK(all[0].region == ra.number());
  CHECK(all[0].mode == mode_type::write);
  CHECK(std::string(all[0].name) == "a");
  CHECK(all[1].region == rb.number());
  CHECK(all[1].mode == mode_type::read);
  CHECK(all[2].region == rc.number());
  CHECK(all[2].mode == mode_type::commute);
  REQUIRE(told.launches[1].second.accesses.size() == 1);
  CHECK(told.launches[1].second.accesses[0].mode == mode_type::reduce);
  REQUIRE(told.launches[2].second.accesses.size() == 1);
  CHECK(told.launches[2].second.accesses[0].mode == mode_type::write_part);
}

TEST_CASE("a task that is replayed has the name and the place of its own launch") {
  const auto way = GENERATE(0, 1); // found, traced
  const unsigned workers = GENERATE(1U, 2U, 3U);
  CAPTURE(way, workers);
  executor ex(workers);
  ledger told;
  std::size_t replayed = 0;
  unsigned first_line = 0;
  {
    const observing here(ex, told);
    flow f(ex);
    long n = 0;
    region r(f, n);
    trace t("lines");
    // Functions of one type on one region: to the flow all of these are the same launch.
    const auto pass = [&](int i) {
      if(i < 50) {
        first_line = __LINE__;
        f.submit(named("one", &add_one), write(r));
        f.submit(named("two", &add_two), write(r));
      }
      else {
        f.submit(named("three", &add_one), write(r));
        f.submit(named("four", &add_two), write(r));
      }
    };
    for(int i = 0; i != 100; ++i)
      if(way == 1) {
        const auto guard = t.make_guard(f);
        pass(i);
      }
      else
        pass(i);
    f.wait();
    CHECK(n == 300);
    replayed = told.launched(way == 1 ? how_type::replayed : how_type::found);
    CHECK(replayed >= 100);
    CHECK(replayed + told.launched(how_type::analysed) == 200);
  }
  CHECK(told.is_complete());
  std::map<std::string, std::set<unsigned>> lines;
  std::map<std::string, int> count;
  for(const auto& [id, task] : told.tasks) {
    lines[task.name].insert(task.line);
    ++count[task.name];
  }
  CHECK(lines["one"] == std::set<unsigned>{first_line + 1});
  CHECK(lines["two"] == std::set<unsigned>{first_line + 2});
  CHECK(lines["three"] == std::set<unsigned>{first_line + 5});
  CHECK(lines["four"] == std::set<unsigned>{first_line + 6});
  for(const char* const name : {"one", "two", "three", "four"})
    CHECK(count[name] == 50);
}

TEST_CASE("an observer that comes and goes is told of what is launched meanwhile") {
  executor ex(2);
  ledger told;
  flow f(ex);
  long n = 0;
  region r(f, n);
  trace t("now and then");
  const auto run = [&](int passes) {
    for(int i = 0; i != passes; ++i) {
      const auto guard = t.make_guard(f);
      f.submit(named("one", &add_one), write(r));
      f.submit(named("two", &add_two), write(r));
    }
    f.wait();
  };
  run(10);
  ex.attach(told);
  run(10);
  ex.detach(told);
  run(10);
  CHECK(told.launches.size() == 20);
  CHECK(told.is_complete());
  ex.attach(told);
  run(5);
  ex.detach(told);
  CHECK(told.launches.size() == 30);
  CHECK(told.is_complete());
  CHECK(n == 105);
}

TEST_CASE("an observer that another thread attaches is told of launches before long") {
  executor ex(2);
  ledger told;
  flow f(ex);
  long n = 0;
  region r(f, n);
  std::thread([&] { ex.attach(told); }).join();
  for(int i = 0; i != 1000; ++i)
    f.submit(named("one", &add_one), write(r));
  f.wait();
  std::thread([&] { ex.detach(told); }).join();
  CHECK(told.launches.size() >= 900);
  CHECK(told.tasks.size() == 1000); // which is asked by workers
  const std::size_t so_far = told.launches.size();
  for(int i = 0; i != 1000; ++i)
    f.submit(named("one", &add_one), write(r));
  f.wait();
  CHECK(told.launches.size() == so_far);
}

TEST_CASE("observers come and go while others launch and run") {
  executor ex({.workers = 3, .background = true});
  std::atomic<bool> stop{false};
  std::thread changing([&] {
    while(!stop.load()) {
      ledger told;
      const observing here(ex, told);
      std::this_thread::yield();
    }
  });
  ex.run([&] {
    for(int k = 0; k != 20; ++k) {
      flow f(ex);
      long n = 0;
      region r(f, n);
      for(int i = 0; i != 200; ++i)
        f.submit(named("one", &add_one), write(r));
      f.repeat(50, [&] { f.submit(named("two", &add_two), write(r)); });
      f.wait();
      CHECK(n == 300);
    }
  });
  stop = true;
  changing.join();
}

TEST_CASE(
  "in a closed loop each launch is told once, and each of its passes begins and ends once") {
  for(const unsigned workers : {1U, 2U, 3U}) {
    CAPTURE(workers);
    executor ex(workers);
    ledger told;
    unsigned line = 0;
    {
      const observing here(ex, told);
      flow f(ex);
      long a = 0;
      long b = 0;
      region ra(f, a, "a");
      region rb(f, b, "b");
      f.submit(named("before", &add_one), write(ra));
      f.repeat(100, [&] {
        line = __LINE__;
        f.submit(named("one", &add_one), write(ra));
        f.submit(named("order", ordering()), read(ra), write(rb));
        f.submit(named("two", &add_two), write(rb));
      });
      f.submit(named("after", &add_one), write(ra));
      f.wait();
      CHECK(a == 102);
      CHECK(b == 200);
    }
    REQUIRE(told.launches.size() == 5);
    CHECK(told.is_complete());
    for(std::size_t i = 1; i != 4; ++i) {
      CHECK(told.launches[i].second.how == how_type::repeated);
      CHECK(told.launches[i].second.passes == 100);
      CHECK(told.launches[i].second.line == line + i);
      CHECK(told.launches[i].first.number == told.launches[1].first.number);
    }
    CHECK(told.launches[1].second.has_task);
    CHECK_FALSE(told.launches[2].second.has_task);
    CHECK(told.launches[2].second.accesses.size() == 2);
    CHECK(told.launches[3].second.has_task);
    CHECK(told.tasks.size() == 202);
  }
}

TEST_CASE("launches that are left out are told as what has no task") {
  executor ex(1);
  ledger told;
  flow f(ex);
  long a = 0;
  long b = 0;
  region ra(f, a, "a");
  region rb(f, b, "b");
  trace t("left out");
  const observing here(ex, told);
  for(int i = 0; i != 10; ++i) {
    const auto guard = t.make_guard(f);
    f.submit(named("one", &add_one), write(ra));
    f.submit(named("order", ordering()), read(ra), write(rb));
    f.submit(named("two", &add_two), write(rb));
  }
  f.wait();
  CHECK(told.launches.size() == 30);
  CHECK(told.is_complete());
  std::size_t left_out = 0;
  for(const auto& [id, l] : told.launches)
    if(!l.has_task) {
      ++left_out;
      CHECK(l.name == "order");
      CHECK(l.accesses.size() == 2);
    }
  CHECK(left_out == 9); // in the first pass it is launched like all others
}

TEST_CASE("a task that waits rests and goes on under its own id") {
  for(const unsigned workers : {1U, 2U, 4U}) {
    CAPTURE(workers);
    executor ex(workers);
    ledger told;
    {
      const observing here(ex, told);
      flow f(ex);
      std::deque<promise<int>> promises(8);
      std::vector<long> values(8, 0);
      std::deque<region<long>> regions;
      for(std::size_t i = 0; i != 8; ++i) {
        regions.emplace_back(f, values[i]);
        f.submit(named("waits",
                   [&ex, v = promises[i].get_future()](long& x) {
                     x = v.get();
                     x += async(ex, [] { return 1; }).get();
                   }),
          write(regions[i]));
      }
      for(std::size_t i = 0; i != 8; ++i)
        f.submit(named("keeps", [&p = promises[7 - i]] { p.set_value(1); }));
      f.wait();
      for(const long v : values)
        CHECK(v == 2);
    }
    CHECK(told.is_complete());
    int rests = 0;
    for(const auto& [id, t] : told.tasks) {
      CHECK(t.rested == t.resumed);
      if(t.name == "waits")
        rests += t.rested;
    }
    if(workers == 1)
      CHECK(rests >= 8);
  }
}

TEST_CASE("tasks that are not run are told as skipped") {
  executor ex(1);
  ledger told;
  {
    const observing here(ex, told);
    flow f(ex);
    long n = 0;
    region r(f, n);
    f.submit(named("fails", [](long&) { throw std::runtime_error("oh"); }), write(r));
    for(int i = 0; i != 10; ++i)
      f.submit(named("one", &add_one), write(r));
    CHECK_THROWS(f.wait());
  }
  CHECK(told.is_complete());
  CHECK(told.launches.size() == 11);
  int skipped = 0;
  for(const auto& [id, t] : told.tasks)
    skipped += t.skipped;
  CHECK(skipped == 10);
}

TEST_CASE("launches of iterate are told with their pass") {
  executor ex(2);
  ledger told;
  {
    const observing here(ex, told);
    flow f(ex);
    long n = 0;
    region r(f, n);
    f.submit(named("before", &add_one), write(r));
    const auto passes = f.iterate(
      [&] {
        f.submit(named("one", &add_one), write(r));
        return f.submit(named("enough", [](const long& x) { return x == 6; }), read(r));
      },
      {.max = 20});
    f.wait();
    CHECK(passes.get() == 5);
    CHECK(n == 6);
  }
  CHECK(told.is_complete());
  std::set<std::uint64_t> passes;
  for(const auto& [id, l] : told.launches)
    if(l.name == "one" || l.name == "enough") {
      CHECK(l.is_in_loop);
      CHECK(l.loop == 1);
      passes.insert(l.pass);
    }
    else
      CHECK_FALSE(l.is_in_loop);
  CHECK(*passes.rbegin() + 1 == passes.size());
  int run = 0;
  for(const auto& [id, t] : told.tasks)
    run += t.name == "one" ? t.begun : 0;
  CHECK(run == 5);
}

TEST_CASE("flows and tasks without a flow have ids of their own") {
  executor ex(2);
  ledger told;
  {
    const observing here(ex, told);
    flow one(ex);
    flow other(ex);
    CHECK(other.number() == one.number() + 1);
    for(int i = 0; i != 10; ++i) {
      one.submit([] {});
      other.submit([] {});
      ex.submit([] {});
    }
    one.wait();
    other.wait();
    ex.wait();
  }
  CHECK(told.is_complete());
  CHECK(told.tasks.size() == 30);
}

// ---- the graph from what is told -----------------------------------------------------------

namespace {

/// Sees to it that a task has begun when all have ended that the accesses say it waits for; as an observer would find the
/// edges between launches.
void check_order(const ledger& told) {
  struct of_region {
    std::vector<std::uint64_t> before; ///< Ends of the group before.
    std::vector<std::uint64_t> group;  ///< And of this one.
    mode_type mode = mode_type::none;
  };
  std::map<region_number, of_region> regions;
  for(const auto& [id, l] : told.launches) {
    if(!l.has_task)
      continue;
    const auto& task = told.tasks.at(id);
    for(const access_info& a : l.accesses) {
      of_region& r = regions[a.region];
      if(a.mode == mode_type::write || a.mode != r.mode) {
        r.before = std::move(r.group);
        r.group.clear();
        r.mode = a.mode;
      }
      for(const std::uint64_t ended_at : r.before)
        if(ended_at >= task.begun_at)
          FAIL("launch " << id.number << " began before another one ended that it waits for");
      r.group.push_back(task.ended_at);
    }
  }
}

} // namespace

TEST_CASE("what is told of accesses is enough to find which launch waits for which") {
  const unsigned workers = GENERATE(1U, 2U, 4U);
  const bool is_traced = GENERATE(false, true);
  CAPTURE(workers, is_traced);
  executor ex(workers);
  ledger told;
  {
    const observing here(ex, told);
    flow f(ex);
    std::vector<long> values(6, 0);
    std::deque<region<long>> regions;
    for(long& v : values)
      regions.emplace_back(f, v);
    trace t("random");
    for(std::uint64_t pass = 0; pass != 20; ++pass) {
      std::optional<trace::guard> guard;
      if(is_traced)
        guard.emplace(t, f);
      for(std::uint64_t i = 0; i != 20; ++i) {
        const std::uint64_t random = random_programs::mix(7, i);
        auto& from = regions[random % 6];
        auto& to = regions[(random + 1 + random / 6 % 5) % 6];
        if(random % 4 == 0)
          f.submit([](const long&, const long&) {}, read(from), read(to));
        else
          f.submit([](const long& x, long& y) { y += x; }, read(from), write(to));
      }
    }
    f.wait();
    if(is_traced)
      CHECK(told.launched(how_type::replayed) == 19 * 20);
  }
  CHECK(told.is_complete());
  check_order(told);
}

TEST_CASE("a task before which its worker has waited for a message does not come at once") {
  struct counting final : observer {
    std::atomic<int> at_once{0};
    std::atomic<int> all{0};
    void task_begin(unsigned, const task_info& info) noexcept override {
      ++all;
      if(info.comes_at_once)
        ++at_once;
    }
  };
  const bool is_repeat = GENERATE(false, true);
  CAPTURE(is_repeat);
  executor ex(1);
  numbered_mail post(ex);
  counting seen;
  flow f(ex);
  int value = 0;
  region r(f, value);
  const observing here(ex, seen);
  constexpr int passes = 400;
  const auto pass = [&] {
    f.submit(ends_later("receive", receive{&post}), write(r));
    f.submit(named("after a message", [&post](int& v) { v = post.take(); }), write(r));
  };
  if(is_repeat)
    f.repeat(passes, pass);
  else
    for(int i = 0; i != passes; ++i)
      pass();
  f.wait();
  CHECK(value == passes - 1);
  CHECK(seen.all == 2 * passes);
  CHECK(seen.at_once <= passes); // one of the two waits, for several looks
}
