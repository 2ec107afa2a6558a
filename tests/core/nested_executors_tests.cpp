#include <atomic>
#include <chrono>
#include <functional>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/core/executor.hpp>
#include <rondo/core/fork_join.hpp>
#include <rondo/core/graph.hpp>
#include <rondo/core/scope.hpp>

#include "configurations.hpp"

using namespace std::chrono_literals;
using rondo::executor;

TEST_CASE("several executors work side by side") {
  FOR_EACH_CONFIGURATION(options);
  executor a(options);
  executor b(options);
  std::atomic<int> runs{0};
  for(int i = 0; i != 100; ++i) {
    a.submit([&] { b.submit([&] { runs.fetch_add(1); }); });
    b.submit([&] { runs.fetch_add(1); });
  }
  a.wait();
  b.wait();
  CHECK(runs.load() == 200);
}

TEST_CASE("a worker of one executor runs a body on another one") {
  FOR_EACH_CONFIGURATION(options);
  executor a(options);
  executor b({.workers = 2});
  std::atomic<long> sum{0};
  std::atomic<int> astray{0};
  const auto expect_to_be_on = [&astray](const executor& ex) {
    if(&rondo::this_worker()->home() != &ex)
      astray.fetch_add(1);
  };
  for(long i = 0; i != 50; ++i)
    a.submit([&, i] {
      sum += b.run([&, i] {
        expect_to_be_on(b);
        return i;
      });
      expect_to_be_on(a);
    });
  a.wait();
  CHECK(astray.load() == 0);
  CHECK(sum.load() == 1225);
}

TEST_CASE("a worker waits for a body on an executor whose only seat is taken, and then takes it") {
  executor a({.workers = 2, .background = true});
  executor b(1);
  std::atomic<bool> seated{false};
  std::atomic<bool> asked{false};
  std::thread holder([&] {
    b.run([&] {
      seated.store(true);
      while(!asked.load())
        std::this_thread::yield();
      std::this_thread::sleep_for(5ms);
    });
  });
  while(!seated.load())
    std::this_thread::yield();
  std::atomic<int> result{0};
  a.submit([&] {
    asked.store(true);
    result.store(b.run([] { return 5; }));
  });
  a.wait();
  holder.join();
  CHECK(result.load() == 5);
}

TEST_CASE("threads that find the only seat taken run their bodies when it is free") {
  executor ex(1);
  std::atomic<int> sum{0};
  std::vector<std::thread> threads;
  for(int t = 0; t != 4; ++t)
    threads.emplace_back([&] {
      for(int i = 0; i != 100; ++i)
        sum += ex.run([] { return 1; });
    });
  for(auto& t : threads)
    t.join();
  CHECK(sum.load() == 400);
}

TEST_CASE("a body may come back to the executor that it was called from") {
  FOR_EACH_CONFIGURATION(options);
  executor a(options);
  executor b(options);
  const int depth = a.run([&] {
    return b.run([&] {
      return a.run([&] {
        CHECK(&rondo::this_worker()->home() == &a);
        return b.run([&] { return 4; });
      });
    });
  });
  CHECK(depth == 4);
}

TEST_CASE("a scope of the outer executor can be waited for from within the inner one") {
  FOR_EACH_CONFIGURATION(options);
  executor a(options);
  executor b(options);
  std::atomic<int> runs{0};
  a.run([&] {
    rondo::scope s(a);
    for(int i = 0; i != 20; ++i)
      s.spawn([&] { runs.fetch_add(1); });
    b.run([&] {
      for(int i = 0; i != 20; ++i)
        s.spawn([&] { runs.fetch_add(1); });
      s.wait();
    });
  });
  CHECK(runs.load() == 40);
}

TEST_CASE("two executors whose workers call each other don't block each other") {
  FOR_EACH_CONFIGURATION(options);
  executor a(options);
  executor b(options);
  std::atomic<int> sum{0};
  for(int i = 0; i != 20; ++i) {
    a.submit([&] { sum += b.run([] { return 1; }); });
    b.submit([&] { sum += a.run([] { return 1; }); });
  }
  std::thread other([&] { a.wait(); });
  b.wait();
  other.join();
  CHECK(sum.load() == 40);
}

namespace {

/// What a task of one executor may wait for at another one. `body` is run there.
enum class means { scope, graph, started_graph, all_tasks, condition, call };

void wait_by(means how, executor& at, const std::function<void()>& body) {
  switch(how) {
  case means::scope: {
    rondo::scope s(at);
    s.spawn(body);
    s.wait();
    break;
  }
  case means::graph: {
    rondo::graph g;
    g.add(body).precede(g.add([] {}));
    at.run(g);
    break;
  }
  case means::started_graph: {
    rondo::graph g;
    g.add(body);
    at.start(g).wait();
    break;
  }
  case means::all_tasks:
    at.submit(body);
    at.wait();
    break;
  case means::condition: {
    std::atomic<bool> over{false};
    at.submit([&] {
      body();
      over.store(true);
    });
    at.wait_until([&] { return over.load(); });
    at.wait();
    break;
  }
  case means::call:
    at.run(body);
  }
}

constexpr auto all_means = {means::scope, means::graph, means::started_graph, means::all_tasks,
  means::condition, means::call};

} // namespace

TEST_CASE("a task that waits at another executor leaves its worker to the tasks of its own") {
  const auto how = GENERATE(from_range(std::vector<means>(all_means)));
  const bool background = GENERATE(false, true);
  CAPTURE(static_cast<int>(how), background);
  executor a({.workers = 1, .background = true});
  executor b({.workers = 1, .background = background});
  // What a's only worker waits for there needs that worker.
  std::atomic<int> runs{0};
  for(int i = 0; i != 20; ++i)
    a.submit([&] { wait_by(how, b, [&] { a.run([&] { runs.fetch_add(1); }); }); });
  a.wait();
  b.wait();
  CHECK(runs.load() == 20);
}

TEST_CASE("what waits at another executor for what its own makes goes on when that is there") {
  const auto how = GENERATE(from_range(std::vector<means>(all_means)));
  const auto back = GENERATE(means::scope, means::graph, means::condition);
  FOR_EACH_CONFIGURATION(options);
  CAPTURE(static_cast<int>(how), static_cast<int>(back));
  executor a(options);
  executor b({.workers = 1});
  std::atomic<int> runs{0};
  // From a to b, back to a, and there it waits for one more task.
  a.run([&] { wait_by(how, b, [&] { wait_by(back, a, [&] { runs.fetch_add(1); }); }); });
  CHECK(runs.load() == 1);
}

TEST_CASE("a worker that helps elsewhere comes home when its own tasks are needed") {
  executor a({.workers = 1, .background = true});
  executor b(1);
  std::atomic<bool> stop{false};
  std::atomic<bool> came{false};
  struct again {
    executor& ex;
    std::atomic<bool>& stop;
    void operator()() const {
      if(!stop.load())
        ex.submit(again{ex, stop});
    }
  };
  a.submit([&] {
    rondo::scope s(b);
    s.spawn([&] { b.submit(again{b, stop}); }); // b, whose seat is ours, never runs out of work
    s.spawn([&] {
      // ... until a task has run at home.
      a.submit([&] {
        came.store(true);
        stop.store(true);
      });
    });
    s.spawn([&] { a.wait_until([&] { return stop.load(); }); });
    s.wait();
  });
  a.wait();
  b.wait();
  CHECK(came.load());
}

TEST_CASE("a task that rests below a body of another executor goes on while that body waits") {
  executor a({.workers = 1, .background = true});
  executor b({.workers = 1, .background = true});
  std::atomic<bool> is_told{false};
  std::atomic<bool> has_heard{false};
  // Rests on a's worker, waiting for something that b makes.
  a.submit([&] {
    rondo::scope s(b);
    s.spawn([&] {
      while(!is_told.load())
        std::this_thread::yield();
    });
    s.wait();
    has_heard.store(true);
  });
  executor c(1);
  a.submit([&] {
    // On the same worker, as a worker of c: that waits for what only the first task makes.
    c.run([&] {
      is_told.store(true);
      c.wait_until([&] { return has_heard.load(); });
    });
  });
  a.wait();
  CHECK(has_heard.load());
}
