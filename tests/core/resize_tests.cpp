#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <new>
#include <stdexcept>
#include <system_error>
#include <thread>

#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <rondo/core/executor.hpp>
#include <rondo/core/fork_join.hpp>

using namespace std::chrono_literals;
using rondo::executor;

TEST_CASE("an executor is resized up and down while it works, and loses nothing") {
  const bool background = GENERATE(false, true);
  executor ex({.workers = 2, .background = background, .spin = 50us});
  std::atomic<int> runs{0};
  int submitted = 0;
  for(const unsigned workers : {4U, 1U, 8U, 3U, 3U, 2U, 1U, 5U}) {
    for(int i = 0; i != 200; ++i, ++submitted)
      ex.submit({.worker = i % 8}, [&] {
        runs.fetch_add(1);
        ex.submit([&] { runs.fetch_add(1); });
      });
    ex.resize(workers);
    CHECK(ex.workers() == workers);
  }
  ex.wait();
  CHECK(runs.load() == 2 * submitted);
}

TEST_CASE("many workers come and go under load") {
  executor ex(1);
  std::atomic<bool> stop{false};
  std::thread load([&] {
    while(!stop.load())
      ex.run([] { rondo::join_n(100, [](std::size_t) {}); });
  });
  for(unsigned i = 0; i != 60; ++i)
    ex.resize(1 + i * 5 % 7);
  stop.store(true);
  load.join();
  SUCCEED();
}

TEST_CASE("one that waits is told when a worker that retires has run the last task") {
  executor ex({.workers = 2, .spin = 0us});
  std::atomic<bool> begun{false};
  std::atomic<bool> retiring{false};
  ex.submit([&] {
    begun.store(true);
    while(!retiring.load())
      std::this_thread::yield();
    // Long enough for `resize` to ask and for the waiter to sleep again.
    std::this_thread::sleep_for(50ms);
  });
  while(!begun.load())
    std::this_thread::yield();
  std::thread resizer([&] {
    std::this_thread::sleep_for(10ms);
    retiring.store(true);
    ex.resize(1);
  });
  ex.wait();
  resizer.join();
  SUCCEED();
}

TEST_CASE("resize from one of its workers is an error") {
  executor ex(2);
  ex.run([&] { CHECK_THROWS_AS(ex.resize(1), std::logic_error); });
  CHECK(ex.workers() == 2);
}

TEST_CASE("a worker that is made after others fell asleep shows them its work") {
  executor ex({.workers = 2, .background = true, .spin = 0us});
  std::this_thread::sleep_for(20ms); // both sleep
  ex.resize(3);
  std::this_thread::sleep_for(20ms);
  // Any worker that runs this, also the new one, is joined by another one.
  for(int i = 0; i != 20; ++i)
    ex.run([] {
      std::atomic<bool> joined{false};
      rondo::join(
        [&] {
          while(!joined.load())
            std::this_thread::yield();
        },
        [&] { joined.store(true); });
    });
  SUCCEED();
}

#if !defined(RONDO_SANITIZED)
TEST_CASE("a thread that the system refuses is an error, and ends those that it gave") {
  // In a process of its own, which may be short of memory.
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if(child == 0) {
    for(const int s : {SIGABRT, SIGSEGV})
      std::signal(s, SIG_DFL);
    // Beyond what the tests before have left behind, in the C library's caches for example.
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const std::size_t base = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const auto limit_memory = [base](std::size_t mib) {
      const rlimit little{base + (mib << 20U), RLIM_INFINITY};
      setrlimit(RLIMIT_AS, &little);
    };
    // Threads are what shall be refused, not the few bytes that the C library needs, and can't do
    // without, when one begins: it has them in stock.
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
    mallopt(M_MMAP_THRESHOLD, 64 << 20);
    std::free(std::malloc(8U << 20U));
    limit_memory(256);
    bool refused = false;
    try {
      executor ex(200); // a stack of 8 MiB each
    }
    catch(const std::system_error&) {
      refused = true;
    }
    catch(const std::bad_alloc&) { // the memory was short for what a worker needs besides
      refused = true;
    }
    limit_memory(272); // what was given back may be in the C library's caches
    executor ex(2);
    const bool works = ex.run([] { return 7; }) == 7;
    _exit((refused ? 0 : 1) + (works ? 0 : 2));
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}
#endif
