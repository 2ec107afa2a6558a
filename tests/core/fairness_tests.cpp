// Nothing waits for ever behind work that renews itself.

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/core/executor.hpp>
#include <rondo/core/graph.hpp>
#include <rondo/core/scope.hpp>

namespace {

/// A task that submits itself again until the flag is up, or so often that it would do so for ever. Only runs on
/// worker 0 count: the others may run any number while the system keeps that one from its core.
struct again {
  rondo::executor& ex;
  std::atomic<bool>& flag;
  std::atomic<int>& runs;
  static constexpr int far_too_many = 1000000;
  void operator()() const {
    const int one = rondo::this_worker()->index() == 0 ? 1 : 0;
    if(!flag.load() && runs.fetch_add(one) < far_too_many)
      ex.submit(again{ex, flag, runs});
  }
};

rondo::executor_options background(unsigned workers) {
  rondo::executor_options o;
  o.workers = workers;
  o.background = true;
  return o;
}

} // namespace

TEST_CASE("an older task gets its turn though a newer one submits itself again and again") {
  rondo::executor ex(background(1));
  std::atomic<bool> flag{false};
  std::atomic<int> runs{0};
  ex.submit([&] {
    ex.submit([&] { flag = true; });
    ex.submit(again{ex, flag, runs});
  });
  ex.wait();
  CHECK(flag.load());
  CHECK(runs.load() < 1000);
}

TEST_CASE("an older task waits no longer behind long tasks than behind short ones") {
  rondo::executor ex(background(1));
  std::atomic<int> runs{0};
  int runs_before = -1;
  // Each of them takes long, so few of them are as long as the time after which the oldest one comes first.
  struct nap {
    rondo::executor& ex;
    std::atomic<int>& runs;
    int& runs_before;
    void operator()() const {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      if(++runs < 40 && runs_before < 0)
        ex.submit(nap{ex, runs, runs_before});
    }
  };
  ex.submit([&] {
    ex.submit([&] { runs_before = runs.load(); });
    ex.submit(nap{ex, runs, runs_before});
  });
  ex.wait();
  CHECK(runs_before >= 1); // the newest is first nevertheless
  CHECK(runs_before <= 20);
}

TEST_CASE("the time that the oldest task waits is counted from the first look") {
  using pace = rondo::detail::neglect_pace;
  pace p;
  CHECK(!p.look_at(7 * pace::most_ticks));
  CHECK(!p.look_at(8 * pace::most_ticks - 1));
  CHECK(p.look_at(8 * pace::most_ticks));
  p.begin();
  CHECK(!p.look_at(20 * pace::most_ticks));
  p.begin();
  int tasks = 1;
  while(!p.is_time())
    ++tasks;
  CHECK(tasks <= static_cast<int>(pace::most_tasks) + 1);
}

TEST_CASE("a task for a certain worker gets its turn though that one is never idle") {
  const unsigned workers = GENERATE(1U, 2U);
  rondo::executor ex(background(workers));
  std::atomic<bool> flag{false};
  std::atomic<int> runs{0};
  std::atomic<int> runs_before{-1};
  ex.submit([&] {
    for(unsigned i = 0; i != workers; ++i)
      ex.submit(again{ex, flag, runs});
    std::thread([&] {
      ex.submit({.worker = 0}, [&] {
        runs_before = runs.load();
        flag = true;
      });
    }).join();
  });
  ex.wait();
  CHECK(runs_before.load() >= 0);
  CHECK(runs_before.load() < again::far_too_many);
}

TEST_CASE("own tasks get their turn though the inbox is never empty") {
  rondo::executor ex(background(1));
  std::vector<int> order;
  ex.submit([&] {
    for(int i = 0; i != 3; ++i)
      ex.submit([&order] { order.push_back(0); });
    std::thread([&] {
      for(int i = 0; i != 3; ++i)
        ex.submit({.worker = 0}, [&order] { order.push_back(1); });
    }).join();
  });
  ex.wait();
  // The two kinds take turns.
  CHECK((order == std::vector{0, 1, 0, 1, 0, 1} || order == std::vector{1, 0, 1, 0, 1, 0}));
}

TEST_CASE("a priority counts also beside the wish for a certain worker") {
  rondo::executor ex(background(1));
  std::vector<int> order;
  ex.submit([&] {
    for(int i = 0; i != 3; ++i)
      ex.submit([&order] { order.push_back(1); });
    std::thread([&] {
      ex.submit({.priority = rondo::priority::low, .worker = 0}, [&order] { order.push_back(2); });
      ex.submit({.priority = rondo::priority::high, .worker = 0}, [&order] { order.push_back(0); });
    }).join();
  });
  ex.wait();
  CHECK(order == std::vector{0, 1, 1, 1, 2});
}

TEST_CASE("a worker keeps priorities also for tasks that it submits for itself") {
  rondo::executor ex(background(1));
  std::vector<int> order;
  ex.submit([&] {
    ex.submit({.priority = rondo::priority::low, .worker = 0}, [&order] { order.push_back(2); });
    ex.submit({.worker = 0}, [&order] { order.push_back(1); });
    ex.submit({.priority = rondo::priority::high, .worker = 0}, [&order] { order.push_back(0); });
  });
  ex.wait();
  CHECK(order == std::vector{0, 1, 2});
}

TEST_CASE("a loop in a graph lets an older task run that it waits for") {
  rondo::executor ex(background(1));
  std::atomic<bool> flag{false};
  int rounds = 0;
  rondo::graph g;
  auto first = g.add([] {});
  auto decides =
    g.add_condition([&] { return !flag.load() && ++rounds < again::far_too_many ? 0 : 1; });
  const auto end = g.add([] {});
  first.precede(decides);
  decides.precede(decides);
  decides.precede(end);
  rondo::scope s(ex);
  s.spawn([&] {
    rondo::scope inner;
    inner.spawn([&] { flag = true; });
    ex.run(g);
    inner.wait();
  });
  s.wait();
  CHECK(flag.load());
  CHECK(rounds < again::far_too_many);
}
