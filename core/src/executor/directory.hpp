#pragma once

/// \file
/// All executors of the process: for threads that wait for one and may be needed by another.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include <rondo/core/engine.hpp>
#include <rondo/core/function_ref.hpp>

namespace rondo::detail::inline core {

class directory {
public:
  /// The one directory of the process. It is never destroyed: some executors are static.
  static directory& here();

  void enlist(engine& ex);
  /// From now on nobody comes to help it. Returns when all who do have left.
  void strike_off(engine& ex);
  /// All that was begun there has ended.
  void watch_no_more(engine& ex);
  /// The last thing before its end.
  void bury(engine& ex);

  /// Calls `f(*ex)` unless the executor has ended; its end waits for the call.
  void if_alive(executor* ex, function_ref<void(executor&)> f);

  /// Finds an executor, but not that one, that has something to do and an empty seat. It does not end before the visitor
  /// has left: `engine::visits`.
  engine* find_needy(const engine* but_not);

  /// All that have something to do, or may get it, with a visit begun at each, so that none ends.
  std::vector<engine*> visit_all();

  /// The number of executors.
  [[nodiscard]] std::size_t count(std::memory_order order = std::memory_order_relaxed) const {
    return count_.load(order);
  }

  /// The number of executors ever made.
  [[nodiscard]] std::uint64_t made() const { return made_.load(std::memory_order_relaxed); }

  template<class P>
  [[nodiscard]] bool any(P&& p) {
    const std::lock_guard lock(mutex_);
    for(const engine* const ex : all_)
      if(p(*ex))
        return true;
    return false;
  }

private:
  std::mutex mutex_;
  std::vector<engine*> all_;     ///< The ones that may be helped.
  std::vector<engine*> alive_;   ///< The same, and the ones that are about to end.
  std::vector<engine*> watched_; ///< Of these, the ones that may wait for something.
  std::atomic<std::size_t> count_{0};
  std::atomic<std::uint64_t> made_{0};
};

} // namespace rondo::detail::inline core
