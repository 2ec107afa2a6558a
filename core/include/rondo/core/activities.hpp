#pragma once

/// \file
/// What an executor has begun and what of that has ended, in numbers: tasks, and all else that `executor::wait` waits for. Each worker
/// counts its own in a line of its own (`worker::submitted`, `worker::finished`); what others begin and end is counted here.
/// docs/protocols/quiescence.md

#include <atomic>
#include <cstdint>

#include <rondo/core/split_deque.hpp>

namespace rondo {

class worker;

namespace detail::inline core {

class worker_table;

class activities {
public:
  /// `mine`: the worker of this executor that the caller is, or null.
  void begin(worker* mine);
  void end(worker* mine);

  /// Nothing is under way.
  [[nodiscard]] bool have_all_ended(const worker_table& workers) const;

  /// Between these somebody waits for that: workers that run out of work ask.
  void begin_wait() { waits_.fetch_add(1, std::memory_order_seq_cst); }
  void end_wait() { waits_.fetch_sub(1, std::memory_order_seq_cst); }
  [[nodiscard]] bool are_awaited() const { return waits_.load(std::memory_order_seq_cst) != 0; }

private:
  alignas(cache_line) std::atomic<std::uint64_t> begun_{0};
  std::atomic<std::uint64_t> ended_{0};
  alignas(cache_line) std::atomic<std::uint32_t> waits_{0}; // workers look at it often
};

} // namespace detail::inline core
} // namespace rondo
