#pragma once

/// \file
/// Something outside of the executor that goes on only when somebody looks at it, such as messages.
///
/// \code
///   struct network : rondo::poller {
///     void poll() noexcept override { ... if(--open == 0) wanted.store(false); }
///   };
///   network n;
///   ex.attach(n);
///   n.want(ex);       // a task waits for a message: from now on workers poll
/// \endcode
///
/// While it is wanted, one idle worker polls instead of sleeping, and busy ones do now and then,
/// between tasks. So no thread is needed for it, and no core is lost to it.

#include <atomic>

namespace rondo {

class executor;

class poller {
public:
  virtual ~poller() = default;
  /// Called by one worker at a time. Short.
  virtual void poll() noexcept = 0;

  [[nodiscard]] bool is_wanted() const { return wanted.load(std::memory_order_relaxed) != 0; }

  /// The same for who is about to sleep.
  [[nodiscard]] bool is_wanted_now() const { return wanted.load(std::memory_order_seq_cst) != 0; }

  /// Somebody waits for something; see `stop_wanting`. Any thread.
  inline void want(executor& ex);
  /// As often as `want`.
  void stop_wanting() { wanted.fetch_sub(1, std::memory_order_relaxed); }

protected:
  /// So many wait.
  std::atomic<unsigned> wanted{0};
};

} // namespace rondo
