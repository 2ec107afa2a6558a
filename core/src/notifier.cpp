#include <rondo/core/notifier.hpp>

#include <bit>
#include <climits>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace rondo {

static_assert(std::endian::native == std::endian::little,
  "the futex word is taken to be the upper half at the higher address");

void notifier::begin_search() {
  state_.fetch_add(counts::one_searching, std::memory_order_seq_cst);
}

bool notifier::end_search() {
  const counts before{state_.fetch_sub(counts::one_searching, std::memory_order_seq_cst)};
  return before.searching() == 1 && before.sleeping() != 0;
}

notifier::ticket notifier::prepare_sleep() {
  return counts{
    state_.fetch_add(counts::one_sleeping - counts::one_searching, std::memory_order_seq_cst)}
    .epoch();
}

void notifier::cancel_sleep() {
  counts seen{state_.load(std::memory_order_relaxed)};
  for(;;) {
    // If no sleeper is left uncounted, a waker has already moved us to the searchers and left
    // a token, which must go, or it would wake somebody for nothing. Sleepers have no names:
    // whose token it was does not matter, the sums do.
    const std::uint64_t next = seen.sleeping() != 0
                                 ? seen.word - counts::one_sleeping + counts::one_searching
                                 : seen.word - counts::one_token;
    if(state_.compare_exchange_weak(seen.word, next, std::memory_order_seq_cst))
      return;
  }
}

bool notifier::take_token() {
  counts seen{state_.load(std::memory_order_relaxed)};
  while(seen.tokens() != 0)
    if(state_.compare_exchange_weak(
         seen.word, seen.word - counts::one_token, std::memory_order_seq_cst))
      return true;
  return false;
}

bool notifier::sleep(ticket since, std::chrono::nanoseconds limit) {
  const bool timed = limit != std::chrono::nanoseconds::max();
  const auto end =
    timed ? std::chrono::steady_clock::now() + limit : std::chrono::steady_clock::time_point::max();
  for(;;) {
    if(take_token())
      return true; // the waker has counted us as searching
    const counts seen{state_.load(std::memory_order_seq_cst)};
    if(seen.epoch() != since) {
      // We were meant, but somebody who came later has our token. Then it is counted as
      // sleeping in our place.
      cancel_sleep();
      return true;
    }
    if(timed) {
      limit = end - std::chrono::steady_clock::now();
      if(limit <= std::chrono::nanoseconds::zero()) {
        cancel_sleep();
        return false;
      }
    }
    if(seen.tokens() == 0)
      futex_wait(seen.upper(), limit);
  }
}

bool notifier::wake_one() {
  counts seen{state_.load(std::memory_order_seq_cst)};
  while(seen.sleeping() != 0 && seen.searching() == 0) {
    const auto next = seen.word - counts::one_sleeping + counts::one_searching + counts::one_token;
    if(state_.compare_exchange_weak(seen.word, next, std::memory_order_seq_cst)) {
      futex_wake(1);
      return true;
    }
  }
  return false;
}

void notifier::notify_all() {
  counts seen{state_.load(std::memory_order_seq_cst)};
  // Also when nobody is counted as sleeping but tokens lie about: whom they were meant for may
  // yet lose them to somebody who comes later.
  while(seen.sleeping() != 0 || seen.tokens() != 0) {
    const std::uint64_t n = seen.sleeping();
    // The epoch is in the uppermost bits, where it may overflow as it likes.
    const auto next = seen.word +
                      n * (counts::one_searching + counts::one_token - counts::one_sleeping) +
                      counts::one_epoch;
    if(state_.compare_exchange_weak(seen.word, next, std::memory_order_seq_cst)) {
      futex_wake(INT_MAX);
      return;
    }
  }
}

void notifier::futex_wait(std::uint32_t expected, std::chrono::nanoseconds limit) {
  timespec timeout{};
  timespec* until = nullptr;
  if(limit != std::chrono::nanoseconds::max()) {
    timeout.tv_sec = static_cast<time_t>(limit.count() / 1'000'000'000);
    timeout.tv_nsec = static_cast<long>(limit.count() % 1'000'000'000);
    until = &timeout;
  }
  auto* const word = reinterpret_cast<std::uint32_t*>(&state_) + 1;
  // Sleeps only while tokens and epoch are as the caller saw them; anything else (a signal, a
  // wake-up in between) returns at once.
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, until, nullptr, 0);
}

void notifier::futex_wake(std::uint32_t count) {
  auto* const word = reinterpret_cast<std::uint32_t*>(&state_) + 1;
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, nullptr, nullptr, 0);
}

} // namespace rondo
