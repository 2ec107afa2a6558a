#pragma once

/// \file
/// The body of a loop that is being called while its launches are kept. They run when it has returned, so a `get()` in it for one of
/// them would never end. The loop is told beforehand, and can launch them.

#include <atomic>

namespace rondo::detail::inline futures {

/// From when it is made until it ends, by code on one stack. They nest.
class called_body {
public:
  called_body(const called_body&) = delete;
  called_body& operator=(const called_body&) = delete;

  /// Some thread is calling one. Code that is called by a body sees that.
  [[nodiscard]] static bool is_any() { return count_.load(std::memory_order_relaxed) != 0; }
  /// The caller is going to wait for a value: all bodies that are being called on its stack are told.
  static void tell_wait();

protected:
  called_body();
  ~called_body();
  /// Also where the value is there already: whether it is may differ from rank to rank, and what follows from the wait must not.
  virtual void before_wait() = 0;

private:
  called_body* const around_; ///< On the same stack; or null.
  // Relaxed: a body is called, and waits in it begin, on one thread, or on one after the other.
  inline static constinit std::atomic<unsigned> count_{0};
};

} // namespace rondo::detail::inline futures
