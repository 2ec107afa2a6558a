#pragma once

/// \file
/// Something outside of the executor that goes on only when somebody looks at it, such as messages.
///
/// \code
///   struct network : rondo::poller {
///     void poll() noexcept override { ... if(has_come) stop_wanting(); }
///   };
///   network n;
///   ex.attach(n);
///   n.want(ex);       // a task waits for a message: from now on workers poll
/// \endcode
///
/// While it is wanted, one idle worker polls instead of sleeping, and busy ones do now and then,
/// between tasks. So no thread is needed for it, and no core is lost to it.

#include <rondo/core/clock.hpp>

namespace rondo {

class executor;

class poller {
public:
  virtual ~poller() = default;
  /// Called by one worker at a time. Short.
  virtual void poll() noexcept = 0;
  /// The same for one that waits for what is to come, and has nothing else to do: it may look several times,
  /// for some tens of nanoseconds in all.
  virtual void poll_patiently() noexcept { poll(); }

  /// Whether `rest` ends as soon as something comes. Asked before `rest` and after `poll`, by the same worker.
  [[nodiscard]] virtual bool wakes() const noexcept { return false; }
  /// Called instead of `poll` by a worker that has nothing to do: returns when something has come, where
  /// that can be told, and at the latest after that time. Others may poll meanwhile.
  virtual void rest(std::chrono::nanoseconds most) noexcept;

  /// Somebody waits for something; see `stop_wanting`. Any thread, while it is attached to that
  /// executor.
  static inline void want(executor& ex);
  /// As often as `want`.
  static inline void stop_wanting(executor& ex);
};

} // namespace rondo
