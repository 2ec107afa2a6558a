#include <csignal>
#include <set>
#include <vector>

#include <rondo/core/executor.hpp>
#include <rondo/core/scope.hpp>
#include <sys/mman.h>

#include "../process_that.hpp"
#include "fiber/stack_memory.hpp"

using rondo::executor;

#if !defined(RONDO_SANITIZED)

namespace {

// NOLINTNEXTLINE(misc-no-recursion): that is what it is for
[[gnu::noinline]] int deep(int levels) {
  volatile char frame[1000];
  frame[0] = static_cast<char>(levels);
  const int below = levels == 0 ? 0 : deep(levels - 1);
  return below + frame[0];
}

volatile int very = 100'000;

/// Writes to the lower end of its frame only, as code does whose first loop runs upwards.
template<std::size_t Bytes>
[[gnu::noinline]] char large_frame() {
  volatile char frame[Bytes];
  frame[0] = 1;
  return frame[0];
}

/// Like a crash reporter's, or that of a library.
[[noreturn]] void end_with_3(int /*signal*/) { _exit(3); }

void (*handler_below)(int, siginfo_t*, void*) = nullptr;

/// A library's handler that calls the one it has replaced.
void call_below(int signal, siginfo_t* info, void* context) {
  handler_below(signal, info, context);
}

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

TEST_CASE("a frame of many pages does not step over the end of its stack") {
  const bool is_huge = GENERATE(false, true);
  const death how = process_that([&] {
    executor ex({.workers = 1, .stack_size = 128U << 10U});
    ex.submit([&] {
      // 1 MiB is more than the whole stack, 32 MiB are more than several.
      if(is_huge)
        large_frame<32U << 20U>();
      else
        large_frame<1U << 20U>();
    });
    ex.wait();
  });
  CAPTURE(how.text, is_huge);
  CHECK(how.signal == SIGSEGV);
  CHECK(has(how.text, "stack overflow in a task"));
}

TEST_CASE("an overflow is told with the name of the task") {
  const death how = process_that([] {
    executor ex(1);
    ex.submit({.name = "walk"}, [] { (void)deep(very); });
    ex.wait();
  });
  CAPTURE(how.text);
  CHECK(has(how.text, "rondo: stack overflow in task walk: "));
}

TEST_CASE("a task that has waited is told by its own name, not by that of one that ran meanwhile") {
  const death how = process_that([] {
    executor ex(1);
    ex.submit({.name = "outer"}, [&ex] {
      rondo::scope s(ex);
      s.spawn({.name = "inner"}, [] {});
      s.wait();
      (void)deep(very);
    });
    ex.submit({.name = "another"}, [] {});
    ex.wait();
  });
  CAPTURE(how.text);
  CHECK(has(how.text, "in task outer: "));
}

TEST_CASE(
  "an overflow is told though the program has a handler of SIGSEGV, which hears of all others") {
  const bool is_overflow = GENERATE(false, true);
  const death how = process_that([&] {
    std::signal(SIGSEGV, &end_with_3);
    executor ex(1);
    ex.submit([&] {
      if(is_overflow)
        (void)deep(very);
      volatile int* volatile nowhere = nullptr;
      *nowhere = 1; // NOLINT: that is what it is for
    });
    ex.wait();
  });
  CAPTURE(how.text);
  CHECK(has(how.text, "stack overflow") == is_overflow);
  CHECK(how.signal == (is_overflow ? SIGSEGV : 0));
  CHECK(how.code == (is_overflow ? 0 : 3));
}

TEST_CASE("an executor made later tells overflows again, whoever has replaced the handler") {
  const bool is_overflow = GENERATE(false, true);
  const death how = process_that([&] {
    executor first(1);
    std::signal(SIGSEGV, &end_with_3);
    executor second(1);
    second.submit([&] {
      if(is_overflow)
        (void)deep(very);
      std::raise(SIGSEGV);
    });
    second.wait();
  });
  CAPTURE(how.text);
  CHECK(has(how.text, "stack overflow") == is_overflow);
  CHECK(how.code == (is_overflow ? 0 : 3));
}

TEST_CASE("handlers that call each other end the program all the same") {
  const death how = process_that([] {
    executor first(1);
    struct sigaction now {};
    sigaction(SIGSEGV, nullptr, &now);
    handler_below = now.sa_sigaction;
    now.sa_sigaction = &call_below;
    sigaction(SIGSEGV, &now, nullptr);
    executor second(1);
    second.submit([] {
      volatile int* volatile nowhere = nullptr;
      *nowhere = 1; // NOLINT: that is what it is for
    });
    second.wait();
  });
  CHECK(how.signal == SIGSEGV);
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

TEST_CASE("an address that is simply wrong is told with the name of the task") {
  const death how = process_that([] {
    executor ex(1);
    ex.submit({.name = "goes astray"}, [] {
      volatile int* volatile nowhere = nullptr;
      *nowhere = 1; // NOLINT: that is what it is for
    });
    ex.wait();
  });
  CHECK(how.signal == SIGSEGV);
  CHECK(has(how.text,
    "rondo: segmentation fault in task goes astray: it has used memory that is not there"));
}

TEST_CASE("SIGSEGV that somebody sends ends the program as ever") {
  const death how = process_that([] {
    executor ex(1);
    std::raise(SIGSEGV);
  });
  CHECK(how.signal == SIGSEGV);
  CHECK(how.text.empty());
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

TEST_CASE("each of very many stacks has a guard, and what is above it can be written") {
#if defined(RONDO_SANITIZED) // which have mappings of their own for each
  constexpr std::size_t stacks = 1'000;
#else
  // More than can have a guard of their own, whatever the limit is by default.
  constexpr std::size_t stacks = 20'000;
#endif
  constexpr std::size_t size = std::size_t{64} << 10U;
  std::vector<rondo::detail::stack_memory> all;
  std::set<void*> places;
  std::size_t counted = 0;
  for(std::size_t i = 0; i != stacks; ++i) {
    all.push_back(rondo::detail::map_stack(size));
    counted += all.back().is_counted ? 1U : 0U;
    places.insert(all.back().lowest);
  }
  CHECK(places.size() == stacks);
  CHECK(counted != 0);
  CHECK(all.front().guard >= std::size_t{1} << 20U);
  for(const auto& s : {all.front(), all.back()}) {
    volatile char* const bottom = static_cast<char*>(s.lowest) + s.guard;
    bottom[0] = 1;
    bottom[s.size - 1] = 1;
  }
  for(const auto& s : all)
    rondo::detail::unmap_stack(s);
}

#if !defined(RONDO_SANITIZED) // which need more addresses than there are here

TEST_CASE("guards leave the addresses of a process with few of them to its stacks") {
  const death how = process_that([] {
    const rlimit little{std::size_t{4} << 30U, std::size_t{4} << 30U};
    setrlimit(RLIMIT_AS, &little);
    try {
      for(int i = 0; i != 2'000; ++i) // of 1 MiB each
        rondo::detail::map_stack(std::size_t{1} << 20U);
    }
    catch(const std::exception& e) {
      std::fputs(e.what(), stderr);
      _exit(1);
    }
  });
  CAPTURE(how.text);
  CHECK(how.signal == 0);
  CHECK(how.code == 0);
}

#endif
