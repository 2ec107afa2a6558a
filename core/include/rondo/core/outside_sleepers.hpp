#pragma once

/// \file
/// Threads that are no workers of an executor, and sleep until something of it has come, or worker 0's seat is free.
/// docs/protocols/quiescence.md, "The seat".

#include <atomic>
#include <cstdint>

namespace rondo::detail::inline core {

/// A thread looks at the epoch, then at what it waits for, and sleeps only as long as the epoch is the same. The one that makes that come
/// true does so first, and wakes after it. seq_cst: so either the sleeper sees it, or is woken.
class outside_sleepers {
public:
  using epoch = std::uint32_t;

  [[nodiscard]] epoch look() const { return epoch_.load(std::memory_order_seq_cst); }
  void sleep(epoch seen) const { epoch_.wait(seen); }

  void wake_one() {
    epoch_.fetch_add(1, std::memory_order_seq_cst);
    epoch_.notify_one();
  }
  void wake_all() {
    epoch_.fetch_add(1, std::memory_order_seq_cst);
    epoch_.notify_all();
  }
  /// Another one, by a thread that was woken and has no use for it: the epoch has changed already.
  void wake_another() { epoch_.notify_one(); }

private:
  std::atomic<epoch> epoch_{0};
};

} // namespace rondo::detail::inline core
