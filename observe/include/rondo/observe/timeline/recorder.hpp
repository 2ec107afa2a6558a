#pragma once

/// \file
/// An observer that writes down what happens, event by event: RONDO_OBSERVE=timeline=FILE.
///
/// \code
///   timeline_recorder r(ex);          // from here on
///   ...
///   r.stop();
///   const std::vector<std::byte> bytes = r.bytes({.rank = 0});
/// \endcode
///
/// Each thread writes into a lane of its own, which nobody else touches until `stop` has returned. Workers have one for their tasks; what is
/// told without the number of a worker (launches, passes, messages, waits) goes into the one of the thread that tells it.

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include <rondo/core/observer.hpp>
#include <rondo/observe/phases.hpp>
#include <rondo/observe/resting_tasks.hpp>
#include <rondo/observe/timeline/clock_offset.hpp>
#include <rondo/observe/timeline/event_lane.hpp>

namespace rondo {
class executor;
}

namespace rondo::detail::inline observe {

struct rank_of_timeline {
  std::uint32_t rank = 0;
  std::uint64_t run = 0; ///< The same for all ranks of a run, and another one for each run.
  std::uint32_t workers =
    0; ///< The number of workers that the timeline is told of; 0 for as many as its executor has.
  clock_offset at_begin;
  clock_offset at_end;
  std::chrono::steady_clock::time_point
    run_began{}; ///< On rank 0, by its clock. All times are told from there.
};

class timeline_recorder final : public observer, public phase_listener {
public:
  static constexpr std::size_t usual_memory = std::size_t{128} << 20U;

  /// With so many bytes for events at the most, and some for each thread. RONDO_TIMELINE_MEMORY: docs/configuration.md.
  explicit timeline_recorder(executor& ex, std::size_t most_memory = usual_memory);
  ~timeline_recorder() override;

  [[nodiscard]] std::chrono::steady_clock::time_point began() const { return began_; }

  /// Events are written down no more. By any thread, and any number of times.
  void stop();
  /// What it has seen, for a file. After `stop`.
  [[nodiscard]] std::vector<std::byte> bytes(const rank_of_timeline& rank) const;

private:
  struct thread_lane;
  struct worker_lane;
  struct resting_stack;

  void task_begin(unsigned worker, const task_info& what) noexcept override;
  void task_end(unsigned worker, const task_info& what) noexcept override;
  void suspend(unsigned worker, const task_info& what) noexcept override;
  void resume(unsigned worker, const task_info& what) noexcept override;
  void launched(const launch_info& what) noexcept override;
  void pass_begun(const pass_info& what) noexcept override;
  void pass_ended(const pass_info& what) noexcept override;
  void pass_in_vain(const pass_info& what) noexcept override;
  void message(const message_info& what) noexcept override;
  void waited(const wait_info& what) noexcept override;
  void park(unsigned worker) noexcept override;
  void wake(unsigned worker) noexcept override;
  void phase_ended(const char* name, std::uint64_t began, std::uint64_t ended,
    std::uint64_t worked_before) override;

  worker_lane* lane_of(unsigned worker) noexcept;
  thread_lane* lane_here() noexcept;
  thread_lane* find_lane_here();
  void note_pass(event_kind kind, const pass_info& what) noexcept;

  executor& ex_;
  std::chrono::steady_clock::time_point began_;
  std::uint64_t began_ticks_;
  std::chrono::steady_clock::time_point ended_;
  std::uint64_t ended_ticks_ = 0;
  unsigned workers_ = 0;

  event_room room_;
  std::vector<std::atomic<worker_lane*>> workers_lanes_; ///< Made when they are needed first.
  resting_tasks<resting_stack> rests_;
  std::mutex mutex_; ///< Of what follows.
  bool is_stopped_ = false;
  std::map<std::thread::id, std::unique_ptr<thread_lane>> threads_;
  std::vector<thread_lane*> in_order_; ///< As they came.
  std::mutex counts_mutex_;
  std::unordered_map<std::uint64_t, std::uint32_t>
    counts_; ///< Of messages: by channel, peer and what.
};

} // namespace rondo::detail::inline observe
