#pragma once

/// \file
/// The right to change the number of an executor's workers: one thread at a time has it, and none while somebody relies on there being
/// one worker. docs/protocols/flow.md says what flows gain by that.

#include <atomic>
#include <mutex>

namespace rondo::detail::inline core {

class size_lock {
public:
  /// As long as it lives the number is the owner's to change, unless `is_relied_on`. Other threads wait for their turn.
  class change {
  public:
    explicit change(size_lock& of) : lock_(of.mutex_), flag_(of.is_changing_) { flag_.store(true); }
    ~change() { flag_.store(false); }
    change(const change&) = delete;
    change& operator=(const change&) = delete;

  private:
    const std::lock_guard<std::mutex> lock_;
    std::atomic<bool>& flag_;
  };
  /// As long as it lives the number does not change.
  [[nodiscard]] std::unique_lock<std::mutex> keep() { return std::unique_lock(mutex_); }

  /// Asked in a change.
  [[nodiscard]] bool is_relied_on() const { return relying_.load(std::memory_order_seq_cst) != 0; }

  /// Returns true if `is_one()`, and that stays so until as many calls of `stop_relying`. seq_cst: this call sees the change, or the
  /// change sees that somebody relies.
  template<class IsOne>
  [[nodiscard]] bool rely_on_one(const IsOne& is_one) {
    if(!is_one())
      return false;
    relying_.fetch_add(1, std::memory_order_seq_cst);
    if(!is_changing_.load(std::memory_order_seq_cst) && is_one())
      return true;
    stop_relying();
    return false;
  }
  void stop_relying() { relying_.fetch_sub(1, std::memory_order_seq_cst); }

private:
  std::mutex mutex_;
  std::atomic<bool> is_changing_{false};
  std::atomic<unsigned> relying_{0};
};

} // namespace rondo::detail::inline core
