#pragma once

/// \file
/// Waits of tasks whose worker has left, until another worker adopts them: docs/protocols/fiber.md.

#include <atomic>
#include <mutex>

namespace rondo::detail::inline core {

struct waiter;

class orphan_list {
public:
  /// A worker that is about to sleep asks with seq_cst: either it sees them, or the worker that left them sees it asleep.
  [[nodiscard]] bool any(std::memory_order order = std::memory_order_relaxed) const {
    return any_.load(order);
  }

  void add(waiter& w);

  /// All of them, linked by `next`; or null.
  waiter* take_all();

private:
  std::atomic<bool> any_{false};
  std::mutex mutex_;
  waiter* first_ = nullptr;
};

} // namespace rondo::detail::inline core
