#pragma once

/// \file
/// Lets idle workers sleep in the kernel without ever losing a wake-up.
///
/// A worker that runs out of work counts itself as *searching*, later as *sleeping*. Code that
/// makes work visible calls `notify_one` afterwards; it costs one load unless somebody sleeps
/// and nobody searches. A searcher that finds work wakes the next one, so that a burst wakes as
/// many workers as it can feed, one after another, and a trickle wakes one.
///
/// The protocol: docs/protocols/notifier.md. Its model: docs/protocols/notifier.pml.

#include <atomic>
#include <cstdint>

#include <rondo/core/clock.hpp>

namespace rondo {

class notifier {
public:
  /// The caller has nothing to do and looks around. A full barrier: what the caller finished
  /// before is visible to workers that start or stop searching later.
  void begin_search();

  /// The caller found something, or gives up looking. Returns true when it was the last one
  /// searching while others sleep: the caller should then `notify_one`, because work that it
  /// left behind has nobody else to look for it.
  [[nodiscard]] bool end_search();

  /// When a sleeper began: what it needs to know of calls to `notify_all`.
  enum class ticket : std::uint32_t {};

  /// From searching to sleeping. After this the caller must look at every source of work once
  /// more, and then either `sleep` or `cancel_sleep`.
  [[nodiscard]] ticket prepare_sleep();

  /// Blocks until woken (true) or until `limit` has passed (false). Searching again after it.
  bool sleep(ticket since, std::chrono::nanoseconds limit = std::chrono::nanoseconds::max());

  /// The second look found something. Searching again after it.
  void cancel_sleep();

  /// Call after making work visible with a seq_cst operation. Returns whether it woke anybody.
  bool notify_one() {
    const counts seen{state_.load(std::memory_order_seq_cst)};
    if(seen.sleeping() == 0 || seen.searching() != 0) [[likely]]
      return false;
    return wake_one();
  }

  /// Wakes everyone between `prepare_sleep` and the end of `sleep`, whatever the searchers do:
  /// for events that concern one of them only.
  void notify_all();

  /// A full barrier, in one order with the transitions of all workers: of two threads that pass
  /// it (or begin a search), the later one sees what the earlier one did before.
  void meet() { state_.fetch_add(0, std::memory_order_seq_cst); }

  [[nodiscard]] std::uint32_t sleeping() const {
    return counts{state_.load(std::memory_order_relaxed)}.sleeping();
  }

  [[nodiscard]] bool anyone_searches() const {
    return counts{state_.load(std::memory_order_relaxed)}.searching() != 0;
  }

  /// Returns true if all of `workers` sleep. If not, one of them will prepare to sleep later than this look, and will
  /// then see with seq_cst whatever the caller did before with seq_cst.
  [[nodiscard]] bool all_sleep(std::uint32_t workers) const {
    const counts seen{state_.load(std::memory_order_seq_cst)};
    return seen.searching() == 0 && seen.sleeping() >= workers;
  }

  /// The caller searches; all others of `workers` sleep. Acquire: what they did before.
  [[nodiscard]] bool all_sleep_but_me(std::uint32_t workers) const {
    const counts seen{state_.load(std::memory_order_acquire)};
    return seen.searching() == 1 && seen.sleeping() + 1 == workers;
  }

private:
  /// `tokens` are wake-ups given and not yet taken. Sleepers wait for one as on a semaphore: it
  /// doesn't matter who takes it. `epoch` counts calls to `notify_all`, which concern those who
  /// slept then and nobody else: so they look at it, and not only for a token, which a later
  /// sleeper may have taken. All live in one word, so that every transition is one atomic step;
  /// the upper half is what the kernel compares.
  struct counts {
    std::uint64_t word;
    static constexpr std::uint64_t one_sleeping = 1;
    static constexpr std::uint64_t one_searching = std::uint64_t{1} << 16U;
    static constexpr std::uint64_t one_token = std::uint64_t{1} << 32U;
    static constexpr std::uint64_t one_epoch = std::uint64_t{1} << 44U;
    static constexpr std::uint32_t token_mask = 0xfff;
    [[nodiscard]] std::uint32_t sleeping() const { return static_cast<std::uint16_t>(word); }
    [[nodiscard]] std::uint32_t searching() const {
      return static_cast<std::uint16_t>(word >> 16U);
    }
    [[nodiscard]] std::uint32_t tokens() const {
      return static_cast<std::uint32_t>(word >> 32U) & token_mask;
    }
    [[nodiscard]] ticket epoch() const { return static_cast<ticket>(word >> 44U); }
    [[nodiscard]] std::uint32_t upper() const { return static_cast<std::uint32_t>(word >> 32U); }
  };

  bool wake_one();
  bool take_token();
  void futex_wait(std::uint32_t expected, std::chrono::nanoseconds limit);
  void futex_wake(std::uint32_t count);

  std::atomic<std::uint64_t> state_{0};
};

} // namespace rondo
