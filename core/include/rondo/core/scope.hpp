#pragma once

/// \file
/// A scope: tasks that are waited for together.
///
/// \code
///   rondo::executor ex;
///   rondo::scope s(ex);
///   for(auto& file : files)
///     s.spawn([&file] { load(file); });
///   s.wait();            // helps; rethrows the first exception
/// \endcode
///
/// Tasks may spawn further ones into the scope they run in. Any thread and any task may wait, but for
/// tasks of the scope itself, which would wait for themselves; a worker of another executor goes on
/// with that one's work meanwhile. The destructor waits too, and drops exceptions that nobody has asked for; it is the last one
/// to touch the scope.

#include <atomic>
#include <cstdint>
#include <utility>

#include <rondo/core/executor.hpp>
#include <rondo/core/first_failure.hpp>

namespace rondo {

class scope final : task_owner {
public:
  explicit scope(executor& ex) : executor_(ex) {}
  /// On the executor whose worker we are on, else on the `default_executor()`.
  scope() : scope(this_worker() != nullptr ? this_worker()->home() : default_executor()) {}
  ~scope() { wait_for_all(); }
  scope(const scope&) = delete;
  scope& operator=(const scope&) = delete;

  template<class F>
  void spawn(F&& f) {
    spawn({}, std::forward<F>(f));
  }

  template<class F>
  void spawn(task_options options, F&& f) {
    open_.fetch_add(1, std::memory_order_relaxed);
    try {
      detail::engine_of(executor_).submit_for(*this, options, std::forward<F>(f));
    }
    catch(...) {
      open_.fetch_sub(1, std::memory_order_relaxed);
      throw;
    }
  }

  /// Returns when everything spawned has ended, and helps until then. Rethrows the first
  /// exception since the last `wait`.
  void wait() {
    wait_for_all();
    failure_.rethrow();
  }

private:
  // The number of unfinished tasks, and whether the waiter may be asleep.
  static constexpr std::uint64_t watched = std::uint64_t{1} << 63U;

  void wait_for_all() {
    const auto ended = [this](detail::wait_phase phase) {
      const auto seen = phase == detail::wait_phase::looking
                          ? open_.load(std::memory_order_acquire)
                          : open_.fetch_or(watched, std::memory_order_seq_cst);
      return (seen & ~watched) == 0;
    };
    if(worker* const w = this_worker(); w != nullptr && &w->home() == &executor_)
      detail::engine_of(executor_).wait_on(*w, ended);
    else
      detail::engine_of(executor_).help_until(ended);
    // No longer watched; unless somebody else has spawned or waits again meanwhile.
    auto seen = watched;
    open_.compare_exchange_strong(seen, 0, std::memory_order_relaxed);
  }

  void task_failed(worker&) noexcept override { failure_.note_current(); }

  void task_ended(worker& w) noexcept override {
    executor& home = w.home(); // the scope may be gone after the next line
    if(open_.fetch_sub(1, std::memory_order_seq_cst) == (watched | 1))
      detail::engine_of(home).wake_waiters();
    w.finished.add_one();
  }

  executor& executor_;
  std::atomic<std::uint64_t> open_{0};
  detail::first_failure failure_;
};

} // namespace rondo
