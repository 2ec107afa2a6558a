#pragma once

/// \file
/// A graph's plan and the state of its run. Protocol: docs/graph.md.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include <rondo/core/graph.hpp>

#include "pace.hpp"
#include "plan.hpp"

namespace rondo::detail::inline core {

class graph_state {
public:
  explicit graph_state(graph& g) : graph_(g) {}

  /// The shape is about to change. Throws if the graph is running.
  void change();

  /// Runs the graph on the calling worker and those that help.
  void run(worker& w);

  /// Starts a run from any thread.
  void start(executor& ex);

  void cancel();
  void resume();
  void wait();    ///< Until finished or stopped; rethrows.
  void give_up(); ///< Stops, waits, and forgets what has not run.
  /// Nothing runs, nothing is left of an earlier run.
  [[nodiscard]] bool reusable() const { return status_.load(std::memory_order_acquire) == ready; }
  /// Where it runs, unless it is reusable.
  [[nodiscard]] executor& home() const { return *executor_; }
  [[nodiscard]] bool finished() const { return status_.load(std::memory_order_acquire) == done; }

private:
  enum status : std::uint32_t { ready, running, watched, stopped, done };

  /// Why no further node begins. A failure can't be taken back.
  enum stop : std::uint8_t { nothing, cancelled, failed };

  /// A node in dynamic mode.
  struct node_job : job {
    graph_state* state;
    std::uint32_t index;
    std::atomic<std::uint32_t> open; ///< Predecessors that have not run in this pass.
  };

  /// One of the jobs that work on lanes, on the one linear sequence, or begin a run.
  struct helper_job : job {
    graph_state* state;
  };

  struct alignas(cache_line) lane_state {
    std::vector<graph_body> copies;  ///< In the order of the lane, if bodies may be copied;
    std::vector<graph_body*> bodies; ///< else where they are.
    std::uint32_t segment = 0;       ///< With `position`, guarded by `claimed`.
    std::uint32_t position = 0;
    bool finished = false;
    alignas(cache_line) std::atomic<std::uint32_t> progress{0};
    std::atomic<bool> claimed{false};
    std::atomic<bool> ended{false}; ///< A copy of `finished` for those without the claim.
  };

  void begin(executor& ex);
  void prepare(unsigned workers);
  void prepare_mode();
  void launch(worker& w);
  void launch_from_anywhere();
  void resume_under_way();
  [[nodiscard]] std::vector<std::uint32_t> take_suspended();
  bool put_aside(std::uint32_t node);
  [[nodiscard]] bool any_left() const;
  void end_of_job();
  void finish();
  void fail(std::uint32_t node) noexcept;
  void reset_positions();

  static void run_launch(job* j, worker& w);
  static void run_node(job* j, worker& w);
  static void run_linear(job* j, worker& w);
  static void run_lanes(job* j, worker& w);

  void run_chain(std::uint32_t node);
  void release(std::uint32_t node, std::uint32_t& next, bool& any);
  void linear(worker& w);
  void lanes(worker& w);
  bool leave_lanes();
  enum class advance_result : std::uint8_t { finished, blocked, stopped };
  advance_result advance(std::uint32_t lane, std::uint32_t& blocked_by);
  void run_segment(lane_state& lane, std::uint32_t number, std::uint32_t end);
  int call(graph_body& body, std::uint32_t index);
  [[nodiscard]] bool stopping() const { return stop_.load(std::memory_order_relaxed) != nothing; }

  graph& graph_;

  // The plan.
  bool planned_ = false;
  unsigned workers_ = 0;
  bool fixed_order_ = false; ///< Neither conditions nor subgraphs.
  bool one_by_one_ = false;  ///< One worker will do: there is no other, or nothing for it to do.
  std::optional<adjacency> shape_;
  std::vector<std::uint32_t> order_; ///< Empty if the order of addition will do.
  std::optional<lane_plan> lane_plan_;
  std::vector<bool> is_condition_;
  pace pace_;

  // The run.
  executor* executor_ = nullptr;
  graph_mode mode_ = graph_mode::dynamic;
  std::chrono::steady_clock::time_point began_;
  bool whole_ = true; ///< The run has not been stopped in between.
  bool tidy_ = false; ///< Counts of predecessors are as at the beginning of a run.
  block_array<node_job> nodes_;
  std::unique_ptr<lane_state[]> lanes_;
  std::atomic<std::uint32_t> inside_{0}; ///< Workers on the lanes.
  std::atomic<bool> crowded_{false};     ///< Somebody had to wait for too long.
  std::uint32_t linear_position_ = 0;
  std::vector<helper_job> helpers_;
  std::vector<std::uint32_t> suspended_; ///< Ready nodes that a stop kept from running.
  std::mutex suspended_mutex_;
  std::mutex failure_mutex_;
  std::exception_ptr failure_;
  std::uint32_t failed_node_ = 0;

  alignas(cache_line) std::atomic<std::uint32_t> status_{ready};
  std::atomic<std::uint8_t> stop_{nothing};
  std::atomic<bool> was_cancelled_{false}; ///< In this run, even if it went on.
  alignas(cache_line) std::atomic<std::uint64_t> active_{
    0}; ///< Jobs of this run not yet ended, and launches of such.
};

} // namespace rondo::detail::inline core
