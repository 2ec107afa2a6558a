// Processes that may not open any file.

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <rondo/core.hpp>
#include <rondo/core/machine.hpp>

#include "../process_that.hpp"

namespace {

void allow_no_files() {
  const rlimit none{0, 0};
  setrlimit(RLIMIT_NOFILE, &none);
}

/// Sanitizers open files themselves, to see which memory there is, and fail without.
#ifdef RONDO_SANITIZED
constexpr bool needs_files_itself = true;
#else
constexpr bool needs_files_itself = false;
#endif

} // namespace

TEST_CASE("an executor needs no files") {
  if(needs_files_itself)
    return;
  const death how = process_that([] {
    allow_no_files();
    if(open("/proc/self/stat", O_RDONLY) != -1)
      _exit(2); // so this shows nothing
    std::atomic<int> n{0};
    rondo::executor ex(3);
    for(int i = 0; i != 100; ++i)
      ex.submit([&] { ++n; });
    ex.wait();
    const int sum = ex.run([] {
      const auto [a, b] = rondo::join([] { return 40; }, [] { return 2; });
      return a + b;
    });
    // Long enough for the waiting thread to look whether that is a deadlock.
    std::atomic<bool> is_over{false};
    rondo::executor_options impatient{.workers = 2};
    impatient.deadlock_after = std::chrono::milliseconds(10);
    rondo::executor slow(impatient);
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      is_over = true;
    });
    slow.wait_until([&] { return is_over.load(); });
    other.join();
    _exit(n == 100 && sum == 42 ? 0 : 1);
  });
  CHECK(how.text.empty());
  CHECK(how.signal == 0);
  CHECK(how.code == 0);
}

TEST_CASE("the machine is looked at without files, and has a core") {
  if(needs_files_itself)
    return;
  const death how = process_that([] {
    allow_no_files();
    const rondo::machine& m = rondo::this_machine();
    _exit(!m.cores.empty() && m.usable >= 1 && rondo::executor().workers() >= 1 ? 0 : 1);
  });
  CHECK(how.text.empty());
  CHECK(how.signal == 0);
  CHECK(how.code == 0);
}
