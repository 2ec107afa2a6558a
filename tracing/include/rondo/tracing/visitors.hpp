#pragma once

/// \file
/// How many may look at something, which lives until there are none. docs/protocols/flow.md, "Who keeps the flow alive"

#include <atomic>
#include <cstdint>

#include <rondo/core/executor.hpp>

namespace rondo::detail::inline tracing {

class visitors {
public:
  /// Relaxed: what keeps the thing alive until here comes before.
  void enter() { word_.fetch_add(one, std::memory_order_relaxed); }

  /// Nothing of it is touched afterwards, this included. So the executor, whose worker the caller is, has to be
  /// known before. acq_rel: all that visitors have done, for the code that waits for their end.
  void leave(executor& ex) {
    if(word_.fetch_sub(one, std::memory_order_acq_rel) == one + end_is_awaited)
      engine_of(ex).wake_waiters();
  }
  /// It has not been seen by anybody else meanwhile, and the caller keeps the thing alive.
  void take_back() { word_.fetch_sub(one, std::memory_order_acq_rel); }

  [[nodiscard]] bool are_none() const { return word_.load(std::memory_order_acquire) == 0; }
  [[nodiscard]] bool is_end_awaited() const {
    return (word_.load(std::memory_order_relaxed) & end_is_awaited) != 0;
  }

  /// No more come. Helps until there are none.
  void wait_for_end(executor& ex) {
    if(are_none())
      return;
    word_.fetch_or(end_is_awaited, std::memory_order_acq_rel);
    engine_of(ex).help_until(
      [this](wait_phase) { return word_.load(std::memory_order_acquire) <= end_is_awaited; });
  }

private:
  static constexpr std::uint32_t end_is_awaited = 1;
  static constexpr std::uint32_t one = 2;

  std::atomic<std::uint32_t> word_{0};
};

/// A visitor from here to the end of the block.
class visitor {
public:
  visitor(visitors& of, executor& ex) : of_(of), ex_(ex) { of_.enter(); }
  ~visitor() { of_.leave(ex_); }
  visitor(const visitor&) = delete;
  visitor& operator=(const visitor&) = delete;

private:
  visitors& of_;
  executor& ex_;
};

} // namespace rondo::detail::inline tracing
