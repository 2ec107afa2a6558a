#include <atomic>
#include <chrono>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/core/executor.hpp>
#include <rondo/core/fork_join.hpp>
#include <rondo/core/machine.hpp>
#include <rondo/core/scope.hpp>

#include "configurations.hpp"

using namespace std::chrono_literals;
using rondo::executor;
using rondo::priority;

TEST_CASE("every task submitted from outside runs exactly once") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  std::vector<std::atomic<int>> runs(1000);
  for(auto& r : runs)
    ex.submit([&r] { r.fetch_add(1); });
  ex.wait();
  bool once = true;
  for(auto& r : runs)
    once = once && r.load() == 1;
  CHECK(once);
}

TEST_CASE("many threads may submit and wait at the same time") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  std::atomic<int> runs{0};
  std::atomic<bool> early{false};
  std::vector<std::thread> threads;
  for(int t = 0; t != 4; ++t)
    threads.emplace_back([&] {
      std::atomic<int> mine{0};
      for(int i = 0; i != 300; ++i) {
        ex.submit([&] {
          runs.fetch_add(1);
          mine.fetch_add(1);
        });
        if(i % 50 == 49) {
          ex.wait();
          if(mine.load() != i + 1)
            early.store(true);
        }
      }
    });
  for(auto& t : threads)
    t.join();
  CHECK(runs.load() == 1200);
  CHECK_FALSE(early.load());
}

namespace {

void submit_tree(executor& ex, int depth, std::atomic<int>& leaves) {
  if(depth == 0)
    leaves.fetch_add(1);
  else
    for(int i = 0; i != 2; ++i)
      ex.submit([&ex, depth, &leaves] { submit_tree(ex, depth - 1, leaves); });
}

} // namespace

TEST_CASE("wait also waits for what tasks submit") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  std::atomic<int> leaves{0};
  ex.submit([&] { submit_tree(ex, 10, leaves); });
  ex.wait();
  CHECK(leaves.load() == 1024);
}

TEST_CASE("wait returns at once when there is nothing, again and again") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  for(int i = 0; i != 100; ++i)
    ex.wait();
  SUCCEED();
}

TEST_CASE("one worker runs what came first first, high before and low after the rest") {
  executor ex(1);
  std::string order;
  ex.submit({.priority = priority::low}, [&] { order += 'l'; });
  ex.submit([&] { order += 'a'; });
  ex.submit([&] { order += 'b'; });
  ex.submit({.priority = priority::high}, [&] { order += 'h'; });
  ex.wait();
  CHECK(order == "habl");
}

TEST_CASE("a worker runs what is meant for it before what is meant for anybody") {
  executor ex({.workers = 2}); // this thread doesn't take the seat: worker 1 is alone
  std::atomic<bool> busy{false};
  std::atomic<bool> go{false};
  std::string order;
  ex.submit([&] {
    busy.store(true);
    while(!go.load())
      std::this_thread::yield();
  });
  while(!busy.load())
    std::this_thread::yield();
  std::atomic<int> left{3};
  const auto note = [&](char c) {
    return [&, c] {
      order += c;
      left.fetch_sub(1);
    };
  };
  ex.submit(note('n'));
  ex.submit({.worker = 0}, note('0')); // not meant for it, but nobody else is there
  ex.submit({.worker = 1}, note('1'));
  go.store(true);
  while(left.load() != 0)
    std::this_thread::yield();
  CHECK(order == "1n0");
}

TEST_CASE("an affinity to a worker that isn't there is no error") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  std::atomic<int> runs{0};
  for(int i = -1; i != 20; ++i)
    ex.submit({.worker = i}, [&] { runs.fetch_add(1); });
  ex.wait();
  CHECK(runs.load() == 21);
}

TEST_CASE("a task whose stop was requested is skipped, and still counts as finished") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  std::stop_source stop;
  std::atomic<int> runs{0};
  ex.submit({.stop = stop.get_token()}, [&] { runs.fetch_add(1); });
  ex.wait();
  stop.request_stop();
  for(int i = 0; i != 10; ++i)
    ex.submit({.stop = stop.get_token()}, [&] { runs.fetch_add(1); });
  ex.wait();
  CHECK(runs.load() == 1);
}

TEST_CASE("wait rethrows the exception of a task, once") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  std::atomic<int> runs{0};
  for(int i = 0; i != 10; ++i)
    ex.submit([&] {
      runs.fetch_add(1);
      throw std::runtime_error("from a task");
    });
  CHECK_THROWS_WITH(ex.wait(), "from a task");
  CHECK(runs.load() == 10);
  CHECK_NOTHROW(ex.wait());
}

TEST_CASE("a body whose copy throws is not submitted, and leaves nothing behind") {
  struct fragile {
    char load[200] = {};
    fragile() = default;
    fragile(const fragile&) { throw std::runtime_error("no copies"); }
    void operator()() {}
  };
  executor ex(2);
  const fragile body;
  CHECK_THROWS_WITH(ex.submit(body), "no copies");
  CHECK_THROWS_WITH(ex.run([&] { ex.submit(body); }), "no copies");
  CHECK_NOTHROW(ex.wait());
}

TEST_CASE("wait inside a task is an error that says what to do instead, in words of users") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  ex.submit([&] { ex.wait(); });
  CHECK_THROWS_AS(ex.wait(), std::logic_error);
  ex.submit([&] { ex.wait(); });
  CHECK_THROWS_WITH(
    ex.wait(), Catch::StartsWith("rondo::executor::wait()") && Catch::Contains("scope"));
}

TEST_CASE("wait in a part of a task that another worker has stolen is the same error") {
  const bool is_fan = GENERATE(false, true);
  CAPTURE(is_fan);
  executor ex({.workers = 3, .background = true});
  std::atomic<int> refused{0};
  ex.submit([&] {
    std::atomic<int> inside{0};
    const auto part = [&](int) {
      inside.fetch_add(1);
      while(inside.load() != 2) // so two workers have one each
        std::this_thread::yield();
      // And a part of the part.
      rondo::join([] {},
        [&] {
          try {
            ex.wait();
          }
          catch(const std::logic_error&) {
            refused.fetch_add(1);
          }
        });
    };
    if(is_fan)
      rondo::join_n(2, [&](std::size_t i) { part(static_cast<int>(i)); });
    else
      rondo::join([&] { part(0); }, [&] { part(1); });
  });
  ex.wait();
  CHECK(refused.load() == 2);
}

TEST_CASE("parts of a body that is no task may wait for the executor, stolen or not") {
  const bool leaves_its_stack = GENERATE(false, true);
  CAPTURE(leaves_its_stack);
  executor ex({.workers = 2, .background = true});
  std::atomic<int> runs{0};
  ex.run([&] {
    std::atomic<int> inside{0};
    const auto part = [&] {
      inside.fetch_add(1);
      if(leaves_its_stack) {
        rondo::scope s(ex);
        s.spawn([] {});
        s.wait();
      }
      while(inside.load() != 2)
        std::this_thread::yield();
      for(int i = 0; i != 10; ++i)
        ex.submit([&] { runs.fetch_add(1); });
      ex.wait();
    };
    CHECK_NOTHROW(rondo::join(part, part));
  });
  CHECK(runs.load() == 20);
}

TEST_CASE("a body that runs on the executor may wait for it") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  std::atomic<int> runs{0};
  ex.run([&] {
    for(int i = 0; i != 100; ++i)
      ex.submit([&] { runs.fetch_add(1); });
    ex.wait();
    CHECK(runs.load() == 100);
  });
}

TEST_CASE("wait_until helps until the predicate holds, though nobody announces it") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  std::atomic<bool> flag{false};
  std::thread setter([&] {
    std::this_thread::sleep_for(3ms);
    flag.store(true);
  });
  std::atomic<int> runs{0};
  for(int i = 0; i != 10; ++i)
    ex.submit([&] { runs.fetch_add(1); });
  ex.wait_until([&] { return flag.load() && runs.load() == 10; });
  CHECK(runs.load() == 10);
  setter.join();
}

TEST_CASE("a predicate that throws ends wait_until, and the executor works on") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  int looks = 0;
  const auto look = [&looks]() -> bool {
    if(++looks == 3)
      throw std::runtime_error("from the predicate");
    return false;
  };
  CHECK_THROWS_WITH(ex.wait_until(look), "from the predicate");
  // Were the thread still counted as searching, nobody would be woken for these.
  std::this_thread::sleep_for(2ms);
  std::atomic<int> runs{0};
  for(int i = 0; i != 10; ++i)
    ex.submit([&] { runs.fetch_add(1); });
  if(options.workers > 1 || options.background)
    while(runs.load() != 10)
      std::this_thread::yield();
  ex.wait();
  CHECK(runs.load() == 10);
}

TEST_CASE("run returns the result, a reference, nothing, or the exception of its body") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  CHECK(ex.run([] { return 42; }) == 42);
  int x = 0;
  ex.run([&]() -> int& { return x; }) = 7;
  CHECK(x == 7);
  ex.run([&] { x = 8; });
  CHECK(x == 8);
  CHECK(*ex.run([] { return std::make_unique<int>(9); }) == 9);
  CHECK_THROWS_WITH(ex.run([] { throw std::runtime_error("out"); }), "out");
  CHECK(ex.run([&] { return ex.run([&] { return rondo::this_worker()->home().workers(); }); }) ==
        options.workers);
  CHECK(rondo::this_worker() == nullptr);
}

TEST_CASE("run works from many threads at the same time") {
  FOR_EACH_CONFIGURATION(options);
  executor ex(options);
  std::atomic<long> sum{0};
  std::vector<std::thread> threads;
  for(int t = 0; t != 4; ++t)
    threads.emplace_back([&] {
      for(long i = 0; i != 50; ++i)
        sum += ex.run([&ex, i] {
          ex.submit([] {});
          return i;
        });
    });
  for(auto& t : threads)
    t.join();
  ex.wait();
  CHECK(sum.load() == 4 * 1225);
}

TEST_CASE("what run leaves behind on the seat is run by the others") {
  executor ex(2);
  std::atomic<int> runs{0};
  ex.run([&] {
    for(int i = 0; i != 100; ++i)
      ex.submit([&] { runs.fetch_add(1); });
  });
  while(runs.load() != 100) // this thread does not help
    std::this_thread::yield();
  SUCCEED();
}

TEST_CASE("destruction finishes all tasks first") {
  FOR_EACH_CONFIGURATION(options);
  std::atomic<int> leaves{0};
  {
    executor ex(options);
    for(int i = 0; i != 10; ++i)
      ex.submit([&] {
        std::this_thread::sleep_for(100us);
        submit_tree(ex, 5, leaves);
      });
  }
  CHECK(leaves.load() == 320);
}

TEST_CASE("an executor that is made and destroyed at once, many times") {
  FOR_EACH_CONFIGURATION(options);
  for(int i = 0; i != 20; ++i) {
    executor ex(options);
    if(i % 2 == 0)
      ex.submit([] {});
  }
  SUCCEED();
}

TEST_CASE("zero workers asked for means one for each core that this process may use") {
  executor ex(rondo::executor_options{});
  CHECK(ex.workers() == rondo::this_machine().usable);
  ex.resize(3);
  CHECK(ex.workers() == 3);
  ex.resize(0);
  CHECK(ex.workers() == rondo::this_machine().usable);
}

TEST_CASE("more workers than there can be is an error with both numbers") {
  CHECK_THROWS_AS(executor(2000), std::invalid_argument);
  CHECK_THROWS_WITH(executor(2000), Catch::Contains("2000") && Catch::Contains("1024"));
  executor ex(2);
  CHECK_THROWS_AS(ex.resize(2000), std::invalid_argument);
  CHECK(ex.workers() == 2);
  CHECK(ex.run([] { return 1; }) == 1);
}

TEST_CASE(
  "stacks that no task fits on, or that are larger than any memory, are an error with both sizes") {
  for(const std::size_t size :
    {std::size_t{0}, std::size_t{1000}, (std::size_t{16} << 10U) - 1, std::size_t{1} << 50U})
    CHECK_THROWS_WITH(executor({.workers = 1, .stack_size = size}),
      Catch::Contains("a stack_size of " + std::to_string(size) + " bytes") &&
        Catch::Contains("from 16 KiB to 1048576 KiB"));
  executor small({.workers = 1, .background = true, .stack_size = std::size_t{16} << 10U});
  std::atomic<int> ran{0};
  small.submit([&ran] { ++ran; });
  small.wait();
  CHECK(ran == 1);
}

TEST_CASE("a value of RONDO_WORKERS that is no number of workers is an error that names it") {
  for(const char* const bad : {"many", "0", "-1", "2000", "3x", " ", "99999999999999999999"}) {
    CAPTURE(bad);
    setenv("RONDO_WORKERS", bad, 1);
    CHECK_THROWS_AS(executor(), std::invalid_argument);
    CHECK_THROWS_WITH(executor(), Catch::Contains("RONDO_WORKERS=" + std::string(bad)));
  }
  setenv("RONDO_WORKERS", "3", 1);
  CHECK(executor().workers() == 3);
  CHECK(executor(2).workers() == 2);
  unsetenv("RONDO_WORKERS");
}

TEST_CASE("default_executor is one and the same, and this_worker tells whose code runs") {
  CHECK(rondo::this_worker() == nullptr);
  auto& ex = rondo::default_executor();
  CHECK(&ex == &rondo::default_executor());
  ex.run([&] { CHECK(&rondo::this_worker()->home() == &ex); });
}
