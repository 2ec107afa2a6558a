#pragma once

/// \file
/// An observer that adds up what happens, in some ten kilobytes for each worker however long the program runs.
///
/// \code
///   recorder r(ex);                       // from here on
///   ...
///   const measures now = r.taken();       // so far
/// \endcode
///
/// A worker writes what is its own, and nobody else does; a thread that asks reads it meanwhile, each number by itself. So a number
/// that is read while tasks run may be one task behind another one.

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <rondo/core/clock.hpp>
#include <rondo/core/observer.hpp>
#include <rondo/observe/measures.hpp>
#include <rondo/observe/phases.hpp>
#include <rondo/observe/resting_tasks.hpp>

namespace rondo {
class executor;
}

namespace rondo::detail::inline observe {

class recorder final : public observer, public phase_listener {
public:
  explicit recorder(executor& ex);
  ~recorder() override;

  /// Since it was made, or told to forget.
  [[nodiscard]] measures taken() const;
  /// Forgets what was. Not while tasks run.
  void clear();

  [[nodiscard]] std::uint64_t worked() const override;

private:
  struct worker_page;

  [[nodiscard]] bool follows_launches() const noexcept override { return false; }
  void task_begin(unsigned worker, const task_info& what) noexcept override;
  void task_end(unsigned worker, const task_info& what) noexcept override;
  void suspend(unsigned worker, const task_info& what) noexcept override;
  void resume(unsigned worker, const task_info& what) noexcept override;
  void message(const message_info& what) noexcept override;
  void waited(const wait_info& what) noexcept override;
  void steal(unsigned thief, unsigned victim) noexcept override;
  void phase_ended(const char* name, std::uint64_t began, std::uint64_t ended,
    std::uint64_t worked_before) override;

  worker_page* page_of(unsigned worker) noexcept;
  void begin_measuring();
  [[nodiscard]] std::uint64_t first_slice() const;
  void look_at_others(worker_page& p, std::uint64_t now) noexcept;
  void note_longest(worker_page& p, std::uint64_t now, const task_info& before, bool has_message);
  [[nodiscard]] std::uint64_t others_worked_until(const worker_page& p, std::uint64_t now) const;
  void look_at_memory(std::uint64_t now);

  executor& ex_;
  double ns_per_tick_;
  std::uint64_t began_ = 0; ///< Ticks.
  std::chrono::steady_clock::time_point began_at_;
  double cpu_before_ = 0;
  double kept_before_ = 0;

  /// Made when they begin their first task: there may be more later than now.
  std::vector<std::atomic<worker_page*>> pages_;
  alignas(64) std::atomic<std::uint64_t> arrived_{0}; ///< Messages.
  std::atomic<std::uint64_t> last_arrival_{0};        ///< Of a message; ticks.
  std::atomic<std::uint64_t> counted_until_{0};       ///< Times in which no worker had a task.
  std::uint64_t short_look_ = 0; ///< In shorter gaps nobody looks what others do.

  struct at_rest;
  resting_tasks<std::unique_ptr<at_rest>> rests_;

  mutable std::mutex mutex_; ///< Of what follows.
  std::vector<waits_at> waits_;
  std::vector<phase_times> phases_;
  double waited_ = 0;               ///< Seconds.
  std::uint64_t worked_before_ = 0; ///< When the last wait was over, and when that was.
  std::uint64_t last_wait_ = 0;
  /// The memory that the process had, at times that are further and further apart.
  struct memory_at {
    double seconds;
    std::uint64_t bytes;
  };
  std::vector<memory_at> memory_;
  std::atomic<std::uint64_t> look_next_{0}; ///< At the memory; ticks.
  std::uint64_t look_every_ = 0;
};

} // namespace rondo::detail::inline observe
