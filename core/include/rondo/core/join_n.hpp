#pragma once

/// \file
/// `join_n`, declared and explained in fork_join.hpp.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>

#include <rondo/core/fork_join.hpp>

namespace rondo {

namespace detail::inline core {

inline constexpr std::uint32_t most_in_fan = 16;

/// Up to `most` calls of one body on offer at a time, in one frame. What thieves need beyond
/// two words per call is shared by all of them.
template<class F>
class fan {
public:
  static constexpr std::uint32_t most = most_in_fan;

  fan(F& body, std::uint32_t calls) : body_(body), calls_(calls) {
    for(std::uint32_t i = 1; i != calls; ++i) {
      offers_[i].run = &run_stolen;
      offers_[i].home = this;
    }
  }
  fan(const fan&) = delete;
  fan& operator=(const fan&) = delete;

  /// Makes all calls.
  void run(split_deque& forks) {
    // The last call is offered first: thieves take the oldest, so they take from the end.
    job** const slots = forks.push_many(calls_ - 1);
    if(slots != nullptr) [[likely]] {
      last_slot_ = slots;
      for(std::uint32_t i = 1; i != calls_; ++i)
        slots[calls_ - 1 - i] = &offers_[i];
      forks.filled(calls_ - 1);
    }
    else
      offer_singly(forks);
    if constexpr(noexcept(body_(std::size_t{})))
      make_own_calls(forks);
    else
      try {
        make_own_calls(forks);
      }
      catch(...) {
        fail(next_ - 1); // own calls go up in order
        while(next_ != calls_)
          take(forks);
      }
    if(stolen_ != 0) [[unlikely]]
      wait();
    if(failure_ != nullptr) [[unlikely]]
      std::rethrow_exception(failure_);
  }

private:
  struct offer : fork_job {
    fan* home;
  };

  [[gnu::noinline]] void offer_singly(split_deque& forks) {
    for(std::uint32_t i = calls_; i-- != 1;) {
      job** const slot = worker::push_fork(forks, &offers_[i]);
      if(slot == forks.refused_slot()) { // no room: the calls up to this one are not offered
        first_offered_ = i + 1;
        return;
      }
      if(i == calls_ - 1)
        last_slot_ = slot;
    }
  }

  /// Settles the next call: true if the owner has to make it.
  bool take(split_deque& forks) {
    const std::uint32_t i = next_++;
    if(i < first_offered_ || worker::take_fork(forks, last_slot_ + (calls_ - 1 - i))) [[likely]]
      return true;
    ++stolen_;
    return false;
  }

  /// One place in the code for all calls: a body that is inlined is inlined once.
  void make_own_calls(split_deque& forks) {
    for(;;) {
      body_(std::size_t{next_ - 1});
      do
        if(next_ == calls_)
          return;
      while(!take(forks));
    }
  }

  [[gnu::noinline]] void wait() {
    const auto ended = [this](wait_phase phase) {
      const auto seen = phase == wait_phase::looking
                          ? ended_.load(std::memory_order_acquire)
                          : ended_.fetch_or(watched, std::memory_order_seq_cst);
      return (seen & ~watched) == stolen_;
    };
    engine_of(worker_here().home()).wait_for_fork(ended);
  }

  static void run_stolen(job* j, worker& thief) {
    auto* const mine = static_cast<offer*>(j);
    fan& self = *mine->home;
    const auto index = static_cast<std::uint32_t>(mine - self.offers_);
    executor& home = thief.home();
    thief.run_part(*mine, [&] {
      try {
        self.body_(std::size_t{index});
      }
      catch(...) {
        self.fail(index);
      }
    });
    // Release: what the call wrote. After this the frame may be gone.
    if((self.ended_.fetch_add(1, std::memory_order_seq_cst) & watched) != 0)
      engine_of(home).wake_waiters();
  }

  /// Keeps the exception of the lowest index.
  void fail(std::uint32_t index) noexcept {
    while(failing_.exchange(true, std::memory_order_acquire))
      pause();
    if(failure_ == nullptr || index < failed_index_) {
      failure_ = std::current_exception();
      failed_index_ = index;
    }
    failing_.store(false, std::memory_order_release);
  }

  static constexpr std::uint32_t watched = std::uint32_t{1} << 31U;

  F& body_;
  const std::uint32_t calls_;
  std::uint32_t next_ = 1; ///< The first call that its owner has not come back to yet.
  std::uint32_t first_offered_ = 1;
  std::uint32_t stolen_ = 0;
  job** last_slot_ = nullptr;           ///< Of the last call; those before it follow.
  std::atomic<std::uint32_t> ended_{0}; ///< Stolen calls that have ended.
  std::atomic<bool> failing_{false};
  std::uint32_t failed_index_ = 0;
  std::exception_ptr failure_;
  offer offers_[most]; // only those in use are initialized, and the first never is
};

template<class F>
[[gnu::noinline]] void join_range(
  split_deque& forks, std::size_t first, std::size_t count, F& body) {
  using part = fan<F>;
  if(count == 1) {
    body(first);
    return;
  }
  if(count <= part::most) {
    const auto shifted = [&body, first](std::size_t i) noexcept(
                           noexcept(body(i))) { body(first + i); };
    fan<decltype(shifted)>(shifted, static_cast<std::uint32_t>(count)).run(forks);
    return;
  }
  const std::size_t parts = part::most;
  const auto sub_range = [&](std::size_t i) {
    const std::size_t from = count * i / parts;
    join_range(*current_forks(), first + from, count * (i + 1) / parts - from, body);
  };
  fan<decltype(sub_range)>(sub_range, parts).run(forks);
}

} // namespace detail::inline core

template<class F>
void join_n(std::size_t n, F&& f) {
  if(n == 0)
    return;
  split_deque* const forks = detail::current_forks();
  if(forks == nullptr) [[unlikely]]
    default_executor().run([&] { detail::join_range(*detail::current_forks(), 0, n, f); });
  else if(n <= detail::most_in_fan)
    detail::fan<std::remove_reference_t<F>>(f, static_cast<std::uint32_t>(n)).run(*forks);
  else
    detail::join_range(*forks, 0, n, f);
}

} // namespace rondo
