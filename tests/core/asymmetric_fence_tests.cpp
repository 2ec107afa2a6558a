#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

#include <catch2/catch.hpp>
#include <rondo/core/asymmetric_fence.hpp>
#include <rondo/core/split_deque.hpp>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <iterator>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "../process_that.hpp"

using rondo::detail::heavy_fence;
using rondo::detail::light_fence;

namespace {

struct alignas(rondo::cache_line) word {
  std::atomic<std::uint64_t> value{0};
};

/// Some nanoseconds.
void dawdle(std::uint64_t n) {
  for(std::uint64_t i = 0; i != n; ++i)
    std::atomic_signal_fence(std::memory_order_seq_cst);
}

/// Rounds in which both sides write a word of their own and then look at the other one's: how often
/// both missed what the other one had written.
template<class Often, class Rarely>
std::uint64_t both_missed(Often&& often, Rarely&& rarely) {
  word launched;
  word asked;
  word often_is_at;
  word rarely_is_at;
  word end;
  std::uint64_t seen_by_rarely = 0;
  // Both begin a round when the other one has ended the round before, so nearly at the same time.
  const auto meet = [](word& mine, const word& other, std::uint64_t place) {
    mine.value.store(place, std::memory_order_release);
    for(unsigned looks = 1; other.value.load(std::memory_order_acquire) < place; ++looks)
      if(looks % 1024 == 0)
        std::this_thread::yield();
  };
  std::thread other([&] {
    for(std::uint64_t round = 1;; ++round) {
      meet(rarely_is_at, often_is_at, 2 * round);
      if(end.value.load(std::memory_order_relaxed) != 0)
        return;
      dawdle(round / 256 % 256);
      asked.value.store(round, std::memory_order_relaxed);
      rarely();
      seen_by_rarely = launched.value.load(std::memory_order_relaxed);
      meet(rarely_is_at, often_is_at, 2 * round + 1);
    }
  });
  std::uint64_t missed = 0;
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
  for(std::uint64_t round = 1;; ++round) {
    const bool is_last = std::chrono::steady_clock::now() > until;
    end.value.store(is_last ? 1 : 0, std::memory_order_relaxed);
    meet(often_is_at, rarely_is_at, 2 * round);
    if(is_last)
      break;
    dawdle(round % 256);
    launched.value.store(round, std::memory_order_relaxed);
    often();
    const std::uint64_t seen_by_often = asked.value.load(std::memory_order_relaxed);
    meet(often_is_at, rarely_is_at, 2 * round + 1);
    missed += seen_by_often < round && seen_by_rarely < round ? 1 : 0;
  }
  other.join();
  return missed;
}

} // namespace

TEST_CASE("of a light fence and a heavy one, one side sees what the other one has written") {
  CHECK(both_missed([] { light_fence(); }, [] { heavy_fence(); }) == 0);
}

TEST_CASE("heavy fences on both sides do as well") {
  CHECK(both_missed([] { heavy_fence(); }, [] { heavy_fence(); }) == 0);
}

TEST_CASE("full fences on both sides do as well") {
  CHECK(both_missed([] { rondo::detail::full_fence(); }, [] { rondo::detail::full_fence(); }) == 0);
}

TEST_CASE("without a heavy fence both sides would miss something", "[.]") {
  // Shows that the rounds above can fail; whether they do is up to the machine.
  CHECK(both_missed([] { std::atomic_signal_fence(std::memory_order_seq_cst); },
          [] { std::atomic_signal_fence(std::memory_order_seq_cst); }) != 0);
}

#if !defined(RONDO_SANITIZED)

namespace {

/// From now on the kernel refuses that system call to this process.
void forbid(unsigned call) {
  sock_filter steps[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{static_cast<unsigned short>(std::size(steps)), steps};
  if(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
     prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0)
    std::fputs("no filters here\n", stderr);
}

} // namespace

TEST_CASE("a program that loses the kernel's fence ends with a word about that") {
  if(!rondo::detail::has_heavy_fence)
    return;
  const death how = process_that([] {
    std::signal(SIGABRT, SIG_DFL); // Catch has one
    forbid(SYS_membarrier);
    heavy_fence();
  });
  CAPTURE(how.text);
  if(has(how.text, "no filters here"))
    return;
  CHECK(how.signal == SIGABRT);
  CHECK(has(how.text, "refuses membarrier()"));
}

#endif
