#pragma once

/// \file
/// The seat of worker 0, as it is seen from everywhere: whether somebody acts as that worker, and whether that is a thread of its own.
/// What a thread does when it takes the seat and when it leaves is in executor/seat.cpp. docs/protocols/quiescence.md, "The seat".

#include <atomic>
#include <cstdint>

namespace rondo::detail::inline core {

/// empty -> taken, by the one thread whose exchange succeeds -> empty, by that thread.
class worker_seat {
public:
  /// Returns true if it was empty, and is the caller's now, which does `leave`. seq_cst: a worker that looks for a deadlock
  /// counts the thread as awake somewhere at any moment.
  [[nodiscard]] bool try_take(bool by_a_worker_of_another) {
    auto seen = state::empty;
    return state_.compare_exchange_strong(seen,
      by_a_worker_of_another ? state::lent_to : state::taken, std::memory_order_seq_cst,
      std::memory_order_relaxed);
  }
  /// seq_cst: what was done in it is seen by the next one, and threads that found it taken are woken after this.
  void leave() { state_.store(state::empty, std::memory_order_seq_cst); }

  /// Acquire, where the caller goes by it: what was done in it.
  [[nodiscard]] bool is_taken(std::memory_order order = std::memory_order_relaxed) const {
    return state_.load(order) != state::empty;
  }
  /// And not by a worker of another executor.
  [[nodiscard]] bool has_a_thread() const {
    return state_.load(std::memory_order_relaxed) == state::taken;
  }

private:
  enum class state : std::uint8_t { empty, taken, lent_to };
  std::atomic<state> state_{state::empty};
};

} // namespace rondo::detail::inline core
