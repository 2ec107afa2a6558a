#include <atomic>
#include <chrono>
#include <functional>
#include <stdexcept>
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

namespace {

/// Ways to wait that a task may use at any executor: not those for all of its tasks.
constexpr auto means_in_tasks = {
  means::scope, means::graph, means::started_graph, means::condition, means::call};

/// Something that is waited for on the executor of the code that waits.
class event {
public:
  void set() { is_set_.store(true); }
  void wait() {
    rondo::this_worker()->home().wait_until([this] { return is_set_.load(); });
  }

private:
  std::atomic<bool> is_set_{false};
};

executor workers(unsigned n, bool background = false) {
  return executor({.workers = n, .background = background});
}

} // namespace

// In each of these there is an order in which everything can go on. What waits is told of it on the way: were
// the thread tied to the innermost executor until the body there ends, what waits further out could not.

TEST_CASE("a body below goes on while a task's body at another executor waits for it") {
  const auto how = GENERATE(from_range(std::vector<means>(means_in_tasks)));
  const unsigned n = GENERATE(1U, 2U);
  CAPTURE(static_cast<int>(how), n);
  executor a = workers(n);
  executor b = workers(n);
  event inner;
  event outer;
  a.run([&] {
    a.submit([&] {
      wait_by(how, b, [&] {
        inner.set();
        outer.wait();
      });
    });
    inner.wait();
    outer.set();
  });
  a.wait();
}

TEST_CASE(
  "a thread that waits outside goes on while a task's body at another executor waits for it") {
  const auto how = GENERATE(from_range(std::vector<means>(means_in_tasks)));
  const unsigned n = GENERATE(1U, 2U);
  CAPTURE(static_cast<int>(how), n);
  executor a = workers(n);
  executor b = workers(n);
  std::atomic<bool> is_inside{false};
  event go_on;
  b.submit([&] {
    wait_by(how, a, [&] {
      is_inside.store(true);
      go_on.wait();
    });
  });
  b.wait_until([&] { return is_inside.load(); });
  go_on.set();
  b.wait();
}

TEST_CASE("bodies of two tasks at other executors may wait for each other") {
  const auto how = GENERATE(from_range(std::vector<means>(means_in_tasks)));
  const unsigned n = GENERATE(1U, 2U);
  const bool background = GENERATE(false, true);
  const bool same = GENERATE(false, true);
  CAPTURE(static_cast<int>(how), n, background, same);
  executor a = workers(n, background);
  executor b = workers(n);
  executor c = workers(n);
  event first;
  event second;
  a.submit([&] {
    wait_by(how, b, [&] {
      first.wait();
      second.set();
    });
  });
  a.submit([&] {
    wait_by(how, same ? b : c, [&] {
      first.set();
      second.wait();
    });
  });
  a.wait();
}

TEST_CASE("bodies that have come back to their executor may wait for each other") {
  const auto how = GENERATE(from_range(std::vector<means>(means_in_tasks)));
  const unsigned n = GENERATE(1U, 2U);
  const bool background = GENERATE(false, true);
  CAPTURE(static_cast<int>(how), n, background);
  executor a = workers(n, background);
  executor b = workers(n);
  executor c = workers(n);
  event first;
  event second;
  a.submit([&] {
    wait_by(how, b, [&] {
      wait_by(how, a, [&] { first.wait(); });
      second.set();
    });
  });
  a.submit([&] {
    wait_by(how, c, [&] {
      wait_by(how, a, [&] { first.set(); });
      second.wait();
    });
  });
  a.wait();
}

TEST_CASE("threads that have the seats of executors that call each other in a ring go on") {
  const auto how = GENERATE(from_range(std::vector<means>(means_in_tasks)));
  const unsigned n = GENERATE(1U, 2U);
  CAPTURE(static_cast<int>(how), n);
  executor ring[] = {workers(n), workers(n), workers(n)};
  event events[3];
  // Each body waits for the next one's event; the last one begins.
  const auto go_round = [&](unsigned i) {
    ring[i].run([&, i] {
      wait_by(how, ring[(i + 1) % 3], [&, i] {
        wait_by(how, ring[(i + 2) % 3], [&, i] {
          if(i != 2)
            events[i + 1].wait();
          events[i].set();
        });
      });
    });
  };
  std::thread second([&] { go_round(1); });
  std::thread third([&] { go_round(2); });
  go_round(0);
  second.join();
  third.join();
}

TEST_CASE(
  "a body that a task runs at another executor is no call on its stack, one outside of tasks is") {
  executor a(1);
  executor b(1);
  const auto runner = std::this_thread::get_id();
  b.run([&] { CHECK(a.run([] { return std::this_thread::get_id(); }) == runner); });
  bool failed = false;
  a.submit([&] {
    try {
      b.run([] { throw 5; });
    }
    catch(int five) {
      failed = five == 5;
    }
    CHECK(&b.run([&]() -> executor& { return rondo::this_worker()->home(); }) == &b);
    CHECK(b.run([&] { return a.run([] { return &rondo::this_worker()->home(); }); }) == &a);
  });
  a.wait();
  CHECK(failed);
}

TEST_CASE("waiting for all tasks in a body that one of them has called is refused") {
  FOR_EACH_CONFIGURATION(options);
  executor a(options);
  executor b(options);
  std::atomic<int> refused{0};
  a.submit([&] {
    b.run([&] {
      // Not on the stack of the task, perhaps not even on its thread.
      CHECK_THROWS_AS(a.wait(), std::logic_error);
      refused.fetch_add(1);
      b.run([&] { a.run([&] { CHECK_THROWS_AS(a.wait(), std::logic_error); }); });
    });
  });
  a.wait();
  CHECK(refused.load() == 1);
}

TEST_CASE(
  "waiting for all tasks is not refused because of a task that the thread has left at rest") {
  executor a(1);
  executor b(1);
  int waited = 0;
  // All on one thread: it rests in each task of a and runs another one above.
  for(int i = 0; i != 20; ++i)
    a.submit([&] {
      b.submit([&] { a.run([] {}); });
      b.wait();
      ++waited;
    });
  a.wait();
  CHECK(waited == 20);
}
