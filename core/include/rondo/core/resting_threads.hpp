#pragma once

/// \file
/// Threads that wait in `get()`, and code that waits for launches, be it a thread's or a task's: for the report of a deadlock.

#include <mutex>

#include <rondo/core/waits_for.hpp>

namespace rondo::detail::inline core {

class resting_threads {
public:
  /// Between these the calling thread waits for what `w` says.
  void begin(waits_for& w) noexcept {
    const std::lock_guard lock(mutex_);
    w.next = newest_;
    if(newest_ != nullptr)
      newest_->before = &w;
    newest_ = &w;
  }
  void end(waits_for& w) noexcept {
    const std::lock_guard lock(mutex_);
    (w.before != nullptr ? w.before->next : newest_) = w.next;
    if(w.next != nullptr)
      w.next->before = w.before;
  }

  /// As long as this lives, none of them goes on, or comes to rest.
  class hold {
  public:
    explicit hold(resting_threads& r) : lock_(r.mutex_), newest_(r.newest_) {}
    [[nodiscard]] waits_for* newest() const { return newest_; }

  private:
    std::unique_lock<std::mutex> lock_;
    waits_for* newest_;
  };

private:
  std::mutex mutex_;
  waits_for* newest_ = nullptr;
};

} // namespace rondo::detail::inline core
