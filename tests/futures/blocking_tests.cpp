#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/core/algorithm/for_each.hpp>
#include <rondo/core/fork_join.hpp>
#include <rondo/core/graph.hpp>
#include <rondo/core/scope.hpp>
#include <rondo/futures.hpp>

#include "core/configurations.hpp"
#include "support.hpp"

using rondo::async;
using rondo::executor;
using rondo::future;
using rondo::promise;

namespace {

/// A random DAG: node i depends on some of the nodes before it, mostly near ones.
struct dag {
  std::uint64_t seed;
  int nodes;

  [[nodiscard]] std::vector<int> inputs(int i) const {
    std::vector<int> in;
    if(i == 0)
      return in;
    const auto h = mix(seed * 1'000'003 + std::uint64_t(i));
    for(unsigned k = 0; k != h % 4; ++k) {
      const auto r = mix(h + k);
      const auto back = r % 3 == 0 ? r / 3 % std::uint64_t(i) : r / 3 % std::min(i, 4);
      in.push_back(i - 1 - int(back));
    }
    return in;
  }
  [[nodiscard]] std::uint64_t value(int i, std::uint64_t sum) const {
    return mix(sum + seed + std::uint64_t(i));
  }
  [[nodiscard]] std::vector<std::uint64_t> serial() const {
    std::vector<std::uint64_t> v;
    for(int i = 0; i != nodes; ++i) {
      std::uint64_t sum = 0;
      for(const int j : inputs(i))
        sum += v[std::size_t(j)];
      v.push_back(value(i, sum));
    }
    return v;
  }
};

std::vector<std::uint64_t> values(const std::vector<future<std::uint64_t>>& of) {
  std::vector<std::uint64_t> v;
  for(const auto& f : of)
    v.push_back(f.get());
  return v;
}

} // namespace

TEST_CASE("random DAGs of tasks that call get() give what the serial program gives") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  for(std::uint64_t seed = 1; seed <= std::uint64_t(scaled(20, 3)); ++seed) {
    const dag d{seed, 500};
    std::vector<future<std::uint64_t>> nodes(std::size_t(d.nodes));
    // The last ones are launched first on odd seeds: nobody has anything then.
    std::vector<promise<std::uint64_t>> promises;
    for(auto& f : nodes) {
      promises.emplace_back(ex);
      f = promises.back().get_future();
    }
    for(int k = 0; k != d.nodes; ++k) {
      const int i = seed % 2 == 0 ? k : d.nodes - 1 - k;
      (void)async(ex, [&, i] {
        std::uint64_t sum = 0;
        for(const int j : d.inputs(i))
          sum += nodes[std::size_t(j)].get();
        promises[std::size_t(i)].set_value(d.value(i, sum));
      });
    }
    if(values(nodes) != d.serial())
      FAIL("seed " << seed);
    ex.wait();
  }
}

TEST_CASE("random DAGs whose nodes wait each in another way") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  for(std::uint64_t seed = 1; seed <= std::uint64_t(scaled(20, 3)); ++seed) {
    const dag d{seed, 300};
    std::vector<promise<std::uint64_t>> promises;
    std::vector<future<std::uint64_t>> nodes;
    for(int i = 0; i != d.nodes; ++i) {
      promises.emplace_back(ex);
      nodes.push_back(promises.back().get_future());
    }
    const auto body = [&](int i) {
      const auto in = d.inputs(i);
      std::atomic<std::uint64_t> sum{0};
      const auto take = [&](std::size_t k) { sum += nodes[std::size_t(in[k])].get(); };
      switch(mix(seed + std::uint64_t(i)) >> 40U & 3U) {
      case 0:
        rondo::join_n(in.size(), take);
        break;
      case 1: {
        rondo::scope s(ex);
        for(std::size_t k = 0; k != in.size(); ++k)
          s.spawn([&take, k] { take(k); });
        s.wait();
        break;
      }
      case 2: {
        std::vector<future<std::uint64_t>> some;
        for(const int j : in)
          some.push_back(nodes[std::size_t(j)]);
        for(const auto x : when_all(some).get())
          sum += x;
        break;
      }
      default:
        for(std::size_t k = 0; k != in.size(); ++k)
          take(k);
      }
      promises[std::size_t(i)].set_value(d.value(i, sum));
    };
    for(int k = 0; k != d.nodes; ++k)
      ex.submit([&, i = d.nodes - 1 - k] { body(i); });
    if(values(nodes) != d.serial())
      FAIL("seed " << seed);
    ex.wait();
  }
}

namespace {
int depth_of(executor& ex, int n) {
  return n == 0 ? 0 : async(ex, [&ex, n] { return depth_of(ex, n - 1); }).get() + 1;
}
} // namespace

TEST_CASE("gets are nested much deeper than there are workers") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  CHECK(async(ex, [&] { return depth_of(ex, scaled(5000, 500)); }).get() == scaled(5000, 500));
  CHECK(ex.run([&] { return depth_of(ex, 200); }) == 200);
}

TEST_CASE("parts of a join get() what other parts set, in any order") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  const auto body = [&ex] {
    constexpr std::size_t parts = 16;
    std::vector<promise<int>> promises;
    std::vector<future<int>> futures;
    for(std::size_t i = 0; i <= parts; ++i) {
      promises.emplace_back(ex);
      futures.push_back(promises.back().get_future());
    }
    (void)async(ex, [p = std::move(promises.back())]() mutable { p.set_value(1); });
    // Each waits for the next one, the last one for the task.
    rondo::join_n(parts, [&](std::size_t i) { promises[i].set_value(futures[i + 1].get() + 1); });
    return futures[0].get();
  };
  for(int i = 0; i != scaled(200, 20); ++i)
    if(async(ex, body).get() != 17)
      FAIL("round " << i);
  CHECK(ex.run(body) == 17);
}

TEST_CASE("both parts of a join wait for what is set after it in another task") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  for(int i = 0; i != scaled(200, 20); ++i) {
    promise<int> p(ex);
    promise<int> q(ex);
    const future<int> f = p.get_future();
    const future<int> g = q.get_future();
    const future<int> sum = async(ex, [&] {
      int a = 0;
      int b = 0;
      rondo::join([&] { a = f.get(); }, [&] { b = g.get(); });
      return a + b;
    });
    const future<void> sets = async(ex, [&] {
      rondo::join([&] { q.set_value(1); }, [] {});
      p.set_value(2);
    });
    REQUIRE(sum.get() == 3);
    sets.get();
  }
}

TEST_CASE("forks that a task has open when it waits are run by others") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  for(int round = 0; round != scaled(200, 20); ++round) {
    promise<int> p(ex);
    const future<int> f = p.get_future();
    // The first part waits for the second one, which is on offer: it must not stay there.
    async(ex, [&] { rondo::join([&] { CHECK(f.get() == 3); }, [&] { p.set_value(3); }); }).get();
  }
  for(int round = 0; round != scaled(200, 20); ++round)
    async(ex, [&] {
      std::atomic<int> runs{0};
      std::vector<promise<void>> done;
      for(int i = 0; i != 8; ++i)
        done.emplace_back(ex);
      rondo::join(
        [&] {
          rondo::join(
            [&] {
              for(const auto& p : done)
                p.get_future().get();
            },
            [&] { rondo::join_n(4, [&](std::size_t i) { done[i].set_value(), ++runs; }); });
        },
        [&] { rondo::join_n(4, [&](std::size_t i) { done[i + 4].set_value(), ++runs; }); });
      CHECK(runs.load() == 8);
    }).get();
}

TEST_CASE("tasks of a scope get() what other tasks of it set") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  const auto body = [&ex] {
    std::vector<promise<int>> promises;
    std::vector<future<int>> futures;
    for(int i = 0; i != 30; ++i) {
      promises.emplace_back(ex);
      futures.push_back(promises.back().get_future());
    }
    rondo::scope s(ex);
    for(std::size_t i = 0; i != 29; ++i)
      s.spawn([&, i] { promises[i].set_value(futures[i + 1].get() + 1); });
    s.spawn([&] { promises[29].set_value(0); });
    s.wait();
    return futures[0].get();
  };
  CHECK(body() == 29);
  CHECK(ex.run(body) == 29);
  CHECK(async(ex, body).get() == 29);
}

TEST_CASE("nodes of a graph get() futures") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  promise<int> p(ex);
  const future<int> f = p.get_future();
  std::atomic<int> sum{0};
  rondo::graph g;
  const auto last = g.add([&] { sum += 1000; });
  for(int i = 0; i != 20; ++i)
    g.add([&] { sum += f.get(); }).precede(last);
  ex.submit([&] { p.set_value(async(ex, [] { return 2; }).get()); });
  ex.run(g);
  CHECK(sum.load() == 1040);
}

TEST_CASE("bodies of for_each get() futures") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  std::vector<future<int>> futures;
  for(int i = 0; i != 1000; ++i)
    futures.push_back(async(ex, [i] { return i; }));
  std::atomic<long> sum{0};
  rondo::for_each(
    ex, futures.begin(), futures.end(), [&](const future<int>& f) { sum += f.get(); });
  CHECK(sum.load() == 499500);
  sum = 0;
  rondo::for_each(ex, futures.begin(), futures.end(), [&](const future<int>& f) {
    sum += f.then([&ex](int x) { return async(ex, [x] { return 2 * x; }); }).get();
  });
  CHECK(sum.load() == 999000);
}

TEST_CASE("a task of one executor gets a future of another one") {
  FOR_EACH_CONFIGURATION(options);
  executor a(options);
  executor b(options);
  long sum = 0;
  std::vector<future<int>> all;
  for(int i = 0; i != 100; ++i)
    all.push_back(async(a, [&, i] {
      const future<int> there = async(b, [&, i] { return async(a, [i] { return i; }).get() + 1; });
      return there.get() + 1;
    }));
  for(const auto& f : all)
    sum += f.get();
  CHECK(sum == 5150);
}

TEST_CASE("a call of one executor inside a task of another gets futures of both") {
  FOR_EACH_CONFIGURATION(options);
  executor a(options);
  executor b(options);
  std::vector<future<int>> all;
  for(int i = 0; i != 20; ++i)
    all.push_back(async(a, [&, i] {
      return b.run([&, i] {
        const future<int> x = async(a, [i] { return i; });
        const future<int> y = async(b, [i] { return i; });
        return x.get() + y.get();
      });
    }));
  int sum = 0;
  for(const auto& f : all)
    sum += f.get();
  CHECK(sum == 380);
}

TEST_CASE("a handler that waits still handles its own exception afterwards") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  std::vector<future<int>> all;
  std::vector<promise<int>> promises;
  std::atomic<int> wrong{0};
  for(int i = 0; i != 40; ++i)
    promises.emplace_back(ex);
  for(int i = 0; i != 40; ++i)
    all.push_back(async(ex, [&, i] {
      const future<int> f = promises[std::size_t(i)].get_future();
      try {
        try {
          throw mishap(i);
        }
        catch(const mishap& m) {
          (void)f.get();
          wrong += m.number != i;
          throw;
        }
      }
      catch(const mishap& m) {
        wrong += std::uncaught_exceptions() != 0;
        return m.number;
      }
    }));
  ex.submit([&] {
    for(auto& p : promises)
      p.set_value(0);
  });
  int sum = 0;
  for(const auto& f : all)
    sum += f.get();
  CHECK(sum == 780);
  CHECK(wrong == 0);
}

TEST_CASE("code that is unwinding may wait, and nobody else is unwinding meanwhile") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  struct waits {
    const future<void>& f;
    int& seen;
    ~waits() {
      const int before = std::uncaught_exceptions();
      f.wait();
      seen = before * 10 + std::uncaught_exceptions();
    }
  };
  promise<void> p(ex);
  const future<void> f = p.get_future();
  std::vector<future<int>> all;
  for(int i = 0; i != 20; ++i)
    all.push_back(async(ex, [&f, i] {
      int seen = 0;
      if(i % 2 == 0) {
        f.wait();
        return std::uncaught_exceptions() == 0 && std::current_exception() == nullptr ? 11 : 0;
      }
      try {
        const waits w{f, seen};
        throw mishap(i);
      }
      catch(const mishap& m) {
        return m.number == i ? seen : 0;
      }
    }));
  ex.submit([&] { p.set_value(); });
  for(const auto& g : all)
    CHECK(g.get() == 11);
}

TEST_CASE("this thread gets a value that depends on what other threads do") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  for(int i = 0; i != 20; ++i) {
    promise<int> p(ex);
    const future<int> f = async(
      ex, [&ex](int x) { return async(ex, [x] { return x + 1; }).get() + 1; }, p.get_future());
    std::thread other([&] {
      if(i % 2 == 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      p.set_value(i);
    });
    CHECK(f.get() == i + 2);
    other.join();
  }
}

TEST_CASE("several threads get values at once while there is one seat") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  std::atomic<long> sum{0};
  std::vector<std::thread> threads;
  for(int t = 0; t != 4; ++t)
    threads.emplace_back([&] {
      for(int i = 0; i != 100; ++i)
        sum += async(ex, [&ex, i] { return async(ex, [i] { return i; }).get(); }).get();
    });
  for(auto& t : threads)
    t.join();
  CHECK(sum.load() == 19800);
}

TEST_CASE("very many tasks wait at the same time") {
  const auto workers = GENERATE(1U, 2U, 8U);
  executor ex(workers);
  constexpr int many = scaled(100'000, 2000);
  promise<int> p(ex);
  const future<int> f = p.get_future();
  std::vector<future<int>> all;
  std::atomic<int> waiting{0};
  all.reserve(many);
  for(int i = 0; i != many; ++i)
    all.push_back(async(ex, [&] {
      ++waiting;
      return f.get();
    }));
  ex.wait_until([&] { return waiting.load() == many; });
  p.set_value(1);
  long sum = 0;
  for(const auto& g : all)
    sum += g.get();
  CHECK(sum == many);
}

TEST_CASE("wait() of an executor waits for tasks at rest") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  std::atomic<int> ended{0};
  promise<void> p(ex);
  const future<void> f = p.get_future();
  for(int i = 0; i != 20; ++i) {
    ex.submit([&] {
      f.get();
      ++ended;
    });
    (void)async(ex, [&] {
      f.get();
      ++ended;
    });
  }
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    p.set_value();
  });
  ex.wait();
  CHECK(ended.load() == 40);
  other.join();
}

TEST_CASE("the destructor of an executor waits for tasks at rest") {
  FOR_EACH_CONFIGURATION(options);
  std::atomic<int> ended{0};
  promise<void> p;
  const future<void> f = p.get_future();
  std::thread other;
  {
    executor ex(options);
    for(int i = 0; i != 20; ++i)
      ex.submit([&] {
        f.get();
        ++ended;
      });
    other = std::thread([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      p.set_value();
    });
  }
  CHECK(ended.load() == 20);
  other.join();
}

TEST_CASE("tasks at rest go on after their executor was resized") {
  executor ex({.workers = 4});
  for(int round = 0; round != 10; ++round) {
    promise<int> p(ex);
    const future<int> f = p.get_future();
    std::vector<future<int>> all;
    std::atomic<int> waiting{0};
    for(int i = 0; i != 50; ++i)
      all.push_back(async(ex, [&] {
        ++waiting;
        int x = 0;
        rondo::join([&] { x += f.get(); }, [] {});
        return x;
      }));
    ex.wait_until([&] { return waiting.load() == 50; });
    ex.resize(1 + unsigned(round) % 4);
    p.set_value(1);
    int sum = 0;
    for(const auto& g : all)
      sum += g.get();
    CHECK(sum == 50);
  }
}

namespace {
struct waits_seen final : rondo::observer {
  std::vector<rondo::wait_info> all;
  void waited(const rondo::wait_info& info) noexcept override { all.push_back(info); }
};
} // namespace

TEST_CASE("an observer is told of waits outside of tasks: where, for what, how long") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  waits_seen seen;
  ex.attach(seen);
  unsigned line = 0;
  std::chrono::steady_clock::duration elapsed{};
  std::chrono::milliseconds takes(3);
  // A slow thread may find the value there and not wait: then it takes longer the next time.
  for(; seen.all.empty(); takes *= 2) {
    REQUIRE(takes < std::chrono::minutes(1));
    const future<int> f = async(ex, {.name = "slow"}, [&] {
      async(ex, [&] { std::this_thread::sleep_for(takes); }).get();
      return 1;
    });
    const auto begin = std::chrono::steady_clock::now();
    line = __LINE__ + 1;
    CHECK(f.get() == 1);
    elapsed = std::chrono::steady_clock::now() - begin;
    const std::size_t waits = seen.all.size();
    CHECK(f.get() == 1); // it is there: no wait
    CHECK(seen.all.size() == waits);
  }
  ex.detach(seen);
  REQUIRE(seen.all.size() == 1);
  CHECK(seen.all[0].where.line() == line);
  CHECK(std::string(seen.all[0].where.file_name()) == __FILE__);
  CHECK(std::string(seen.all[0].name) == "slow");
  CHECK(seen.all[0].launched.line() < line);
  CHECK(seen.all[0].time <= elapsed);
  // With nobody else to run the task, it is run in the wait.
  const bool is_alone = options.workers == 1 && !options.background;
  CHECK(seen.all[0].time >= (is_alone ? takes / 2 : std::chrono::nanoseconds(1)));
}

namespace {
struct rests_seen final : rondo::observer {
  std::atomic<int> left{0}, returned{0};
  void suspend(unsigned, const rondo::task_info&) noexcept override { ++left; }
  void resume(unsigned, const rondo::task_info&) noexcept override { ++returned; }
};
} // namespace

TEST_CASE("an observer is told of tasks that are left at rest and go on") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  rests_seen seen;
  ex.attach(seen);
  promise<int> p;
  auto f = async(ex, [f = p.get_future()] { return f.get() + 1; });
  ex.wait_until([&] { return seen.left.load() == 1; });
  CHECK(seen.returned == 0);
  p.set_value(1);
  CHECK(f.get() == 2);
  ex.detach(seen);
  CHECK(seen.left == 1);
  CHECK(seen.returned == 1);
}
