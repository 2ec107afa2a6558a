#pragma once

/// \file
/// The first exception of several tasks, for the thread that waits for them.

#include <exception>
#include <mutex>
#include <utility>

namespace rondo::detail::inline core {

class first_failure {
public:
  /// In a handler, by any thread.
  void note_current() noexcept {
    const std::lock_guard lock(mutex_);
    if(first_ == nullptr)
      first_ = std::current_exception();
  }

  /// Throws it, if there is one, and forgets it.
  void rethrow() {
    if(std::exception_ptr failure = take(); failure != nullptr)
      std::rethrow_exception(std::move(failure));
  }

  /// Null if there is none.
  [[nodiscard]] std::exception_ptr take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(first_, nullptr);
  }

private:
  std::mutex mutex_;
  std::exception_ptr first_;
};

} // namespace rondo::detail::inline core
