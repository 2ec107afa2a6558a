#pragma once

/// \file
/// Where an executor looks after its poller: who wants it, who calls it, and who stays awake for it. While it is
/// wanted, one worker, the watcher, polls instead of sleeping; or a thread does, if the options ask for one.
///
/// The protocol: docs/protocols/poller.md.

#include <atomic>
#include <cstdint>
#include <memory>

#include <rondo/core/clock.hpp>
#include <rondo/core/notifier.hpp>
#include <rondo/core/poller.hpp>
#include <rondo/core/split_deque.hpp>

namespace rondo::detail::inline core {

class poll_post {
public:
  /// Sleepers are woken by `n`.
  explicit poll_post(notifier& n);
  ~poll_post();
  poll_post(const poll_post&) = delete;
  poll_post& operator=(const poll_post&) = delete;

  /// Throws std::logic_error if there is a poller already.
  void attach(poller& p, bool with_thread);
  /// Nobody is inside of it, or will call it, after that.
  void detach(poller& p);
  /// Ends the thread, if there is one.
  void stop_thread();

  // ---- who wants it ----------------------------------------------------------------------

  void want() {
    if(wanted_.fetch_add(1, std::memory_order_seq_cst) == 0)
      call_watcher();
  }
  void stop_wanting() { wanted_.fetch_sub(1, std::memory_order_relaxed); }
  [[nodiscard]] bool is_wanted() const { return wanted_.load(std::memory_order_relaxed) != 0; }

  // ---- looking ---------------------------------------------------------------------------

  /// Calls the poller, wanted or not, unless somebody else does just now.
  void poll() { poll_as(&poller::poll); }
  /// The same, where the caller waits for what it brings.
  void poll_patiently() { poll_as(&poller::poll_patiently); }
  /// Returns true if what somebody wanted has come.
  bool poll_and_compare();

  // ---- the watcher -----------------------------------------------------------------------

  /// Returns true if this worker must not sleep.
  bool watch(const worker& w);
  /// It has found work, or nothing is wanted. A worker that leaves the post with work asks `needs_watcher` after that.
  void leave(const worker& w);
  /// seq_cst: either the caller, who is about to sleep, sees that the poller is wanted, or the one that wants it sees the
  /// sleeper.
  [[nodiscard]] bool needs_watcher() const;
  /// The watcher has looked in vain for so long.
  void rest_watching(std::chrono::nanoseconds waited);

  /// From now on the watcher leaves its core to others at once, where being woken costs nothing: it is the only worker,
  /// and shares that core.
  void let_give_way(bool may) { may_give_way_.store(may, std::memory_order_relaxed); }
  [[nodiscard]] bool gives_way() const {
    return may_give_way_.load(std::memory_order_relaxed) && is_wanted() &&
           wakes_.load(std::memory_order_relaxed);
  }

  // ---- the thread ------------------------------------------------------------------------

  [[nodiscard]] bool has_thread() const { return has_thread_.load(std::memory_order_relaxed); }
  /// The calling thread is one.
  static bool is_thread();
  /// Something may come, or is just being brought by the thread. Acquire: what that has brought.
  [[nodiscard]] bool thread_may_bring() const {
    return has_thread() &&
           (wanted_.load(std::memory_order_seq_cst) != 0 || polls_.load(std::memory_order_acquire));
  }

private:
  struct thread_holder;

  void poll_as(void (poller::*how)() noexcept);
  void call_watcher();
  void call_thread();
  void rest_in_poller(std::chrono::nanoseconds waited);
  void start_thread();
  void see_to_progress();

  notifier& notifier_;
  std::atomic<poller*> poller_{nullptr};
  std::atomic<bool> polls_{false}; ///< Somebody calls it.
  std::atomic<bool> rests_{false}; ///< The watcher rests in it.
  std::atomic<bool> wakes_{false}; ///< And would be woken by what comes, said the last poll.
  std::atomic<bool> may_give_way_{false};
  std::atomic<const worker*> watcher_{nullptr}; ///< Stays awake for it.
  /// So many wait for what it brings. Not in the poller: workers look at it whether there is one or not.
  alignas(cache_line) std::atomic<unsigned> wanted_{0};
  std::atomic<bool> has_thread_{false};
  std::atomic<bool> thread_ends_{false};
  std::atomic<std::uint32_t> calls_{0};   ///< So often the poller was not wanted, and then was.
  std::unique_ptr<thread_holder> thread_; ///< Written by `attach` and `detach`.
};

} // namespace rondo::detail::inline core
