#pragma once

/// \file
/// What may yet come to an executor, beside the jobs that lie there and what its awake workers do: something from outside of the
/// process, threads that wait for it and may find something, waits that end by themselves, bodies of `run`, and workers that act
/// for others just now. It is counted here by those who begin and end it, and decides nothing: `executor/stillness.cpp` does, for the look for deadlocks and for
/// waits that end when nothing can come any more. docs/protocols/fiber.md, "Deadlocks".
///
/// Each of these is a hint, but where an order is named: the code that decides looks twice.

#include <atomic>
#include <cstdint>

#include <rondo/core/clock.hpp>

namespace rondo::detail::inline core {

class prospects {
public:
  using time_point = std::chrono::steady_clock::time_point;

  // ---- from outside of the process -------------------------------------------------------

  void begin_external() { external_.fetch_add(1, std::memory_order_relaxed); }
  void end_external() { external_.fetch_sub(1, std::memory_order_relaxed); }
  [[nodiscard]] bool any_external() const { return external_.load(std::memory_order_relaxed) != 0; }

  // ---- threads that are no workers, and wait ---------------------------------------------

  /// Returns true if it is the only one. seq_cst: a worker that asks with seq_cst before it sleeps sees that, or this thread sees the
  /// worker asleep after this.
  [[nodiscard]] bool begin_wait() {
    events_of_waits_.fetch_add(1, std::memory_order_relaxed);
    return waits_.fetch_add(1, std::memory_order_seq_cst) == 0;
  }
  void end_wait() {
    events_of_waits_.fetch_add(1, std::memory_order_relaxed);
    waits_.fetch_sub(1, std::memory_order_relaxed);
  }
  /// In a wait.
  void begin_sleep() { sleepers_.fetch_add(1, std::memory_order_relaxed); }
  void end_sleep() { sleepers_.fetch_sub(1, std::memory_order_relaxed); }

  [[nodiscard]] unsigned waits(std::memory_order order = std::memory_order_relaxed) const {
    return waits_.load(order);
  }
  [[nodiscard]] bool do_all_waits_sleep() const {
    const unsigned waiting = waits();
    return sleepers_.load(std::memory_order_relaxed) == waiting;
  }
  /// Changes when such a wait begins or ends.
  [[nodiscard]] std::uint64_t events_of_waits() const {
    return events_of_waits_.load(std::memory_order_relaxed);
  }

  // ---- waits that end once nothing runs any more -----------------------------------------

  /// As long as it lives there is one more. The code that waits is counted awake, or there is something to be had, from before the
  /// end of its life.
  class self_ending_wait {
  public:
    explicit self_ending_wait(prospects& of) : of_(of) {
      of_.self_ending_.fetch_add(1, std::memory_order_relaxed);
    }
    ~self_ending_wait() { of_.self_ending_.fetch_sub(1, std::memory_order_release); }
    self_ending_wait(const self_ending_wait&) = delete;
    self_ending_wait& operator=(const self_ending_wait&) = delete;

  private:
    prospects& of_;
  };
  [[nodiscard]] bool any_self_ending() const {
    return self_ending_.load(std::memory_order_acquire) != 0;
  }

  // ---- bodies of `run` -------------------------------------------------------------------

  /// As long as it lives one is under way.
  class body {
  public:
    explicit body(prospects& of) : of_(of) { of_.bodies_.fetch_add(1, std::memory_order_relaxed); }
    ~body() { of_.bodies_.fetch_sub(1, std::memory_order_relaxed); }
    body(const body&) = delete;
    body& operator=(const body&) = delete;

  private:
    prospects& of_;
  };
  [[nodiscard]] bool any_body() const { return bodies_.load(std::memory_order_relaxed) != 0; }

  // ---- workers and visitors --------------------------------------------------------------

  /// One of the workers acts for another executor, on top of what it does here; or that is over.
  void note_covered(int change) { covered_.fetch_add(change, std::memory_order_relaxed); }
  [[nodiscard]] unsigned covered() const {
    return static_cast<unsigned>(covered_.load(std::memory_order_acquire));
  }

  /// A visitor came to the empty seat then, and has found nothing.
  void note_visit_in_vain(time_point began) {
    visited_at_.store(began.time_since_epoch().count(), std::memory_order_relaxed);
  }
  [[nodiscard]] bool is_visited_since(time_point t) const {
    return visited_at_.load(std::memory_order_relaxed) >= t.time_since_epoch().count();
  }

private:
  std::atomic<std::uint32_t> external_{0};
  std::atomic<std::uint32_t> waits_{0};
  std::atomic<std::uint32_t> sleepers_{0};
  std::atomic<std::uint64_t> events_of_waits_{0};
  std::atomic<std::uint32_t> self_ending_{0};
  std::atomic<std::uint32_t> bodies_{0};
  std::atomic<int> covered_{0};
  std::atomic<std::int64_t> visited_at_{0};
};

} // namespace rondo::detail::inline core
