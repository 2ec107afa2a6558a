#include <csignal>
#include <string>

#include <catch2/catch.hpp>
#include <rondo/core/executor.hpp>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using rondo::executor;

#if !defined(RONDO_SANITIZED)

namespace {

struct death {
  int signal;       ///< 0: it ended by itself.
  std::string text; ///< What it wrote to stderr.
};

/// What becomes of a process that does this, with no handler of signals at first.
template<class F>
death process_that(F&& f) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if(child == 0) {
    std::signal(SIGSEGV, SIG_DFL); // Catch has one
    dup2(ends[1], STDERR_FILENO);
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    f();
    _exit(0);
  }
  close(ends[1]);
  death how{0, {}};
  char part[512];
  for(ssize_t n = 0; (n = read(ends[0], part, sizeof part)) > 0;)
    how.text.append(part, static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  if(WIFSIGNALED(status))
    how.signal = WTERMSIG(status);
  return how;
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

// NOLINTNEXTLINE(misc-no-recursion): that is what it is for
[[gnu::noinline]] int deep(int levels) {
  volatile char frame[1000];
  frame[0] = static_cast<char>(levels);
  const int below = levels == 0 ? 0 : deep(levels - 1);
  return below + frame[0];
}

volatile int very = 100'000;

} // namespace

TEST_CASE("a task that needs more stack than it has ends the program with a word about that") {
  const unsigned workers = GENERATE(1U, 2U);
  const bool background = GENERATE(false, true);
  const death how = process_that([&] {
    executor ex({.workers = workers, .background = background, .stack_size = 128U << 10U});
    ex.submit([] { (void)deep(very); });
    ex.wait();
  });
  CAPTURE(how.text);
  CHECK(how.signal == SIGSEGV);
  CHECK(has(how.text, "stack overflow in a task"));
  CHECK(has(how.text, "128 KiB"));
  CHECK(has(how.text, "RONDO_STACK_KIB"));
}

TEST_CASE("an address that is simply wrong is not taken for an overflow") {
  const death how = process_that([] {
    executor ex(1);
    ex.submit([] {
      volatile int* volatile nowhere = nullptr;
      *nowhere = 1; // NOLINT: that is what it is for
    });
    ex.wait();
  });
  CHECK(how.signal == SIGSEGV);
  CHECK(how.text.empty());
}

TEST_CASE("SIGSEGV that somebody sends ends the program as ever") {
  const death how = process_that([] {
    executor ex(1);
    std::raise(SIGSEGV);
  });
  CHECK(how.signal == SIGSEGV);
  CHECK(how.text.empty());
}

TEST_CASE("a program's own handler of signals stays") {
  const death how = process_that([] {
    std::signal(SIGSEGV, [](int) { _exit(3); });
    executor ex(1);
    ex.submit([] { std::raise(SIGSEGV); });
    ex.wait();
  });
  CHECK(how.signal == 0);
}

#else

TEST_CASE("a sanitizer keeps its own handler of stack overflows") {
  struct sigaction before = {};
  struct sigaction after = {};
  REQUIRE(sigaction(SIGSEGV, nullptr, &before) == 0);
  executor ex(2);
  CHECK(ex.run([] { return 1; }) == 1);
  REQUIRE(sigaction(SIGSEGV, nullptr, &after) == 0);
  CHECK(before.sa_sigaction == after.sa_sigaction);
}

#endif
