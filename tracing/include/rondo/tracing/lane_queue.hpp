#pragma once

/// \file
/// The launches of a flow that belong to one lane of a template, in the order of the program. One thread
/// pushes, and any crew may claim: mostly that of the lane. docs/protocols/flow.md, "Lanes".

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <rondo/core/split_deque.hpp>
#include <rondo/core/two_numbers.hpp>
#include <rondo/tracing/claim_size.hpp>
#include <rondo/tracing/standing_launches.hpp>

namespace rondo::detail::inline tracing {

struct batch;
struct launch;

class lane_queue {
public:
  struct range {
    std::uint64_t first = 0;
    std::uint32_t count = 0;
  };

  /// No more launches than this may be under way at any time, in all lanes.
  explicit lane_queue(std::size_t under_way)
      : slots_(std::bit_ceil(under_way)), standing_(slots_.size()), passes_(slots_.size()) {}

  // ---- the code that launches ------------------------------------------------------------------

  void push(launch& l) { push_word(reinterpret_cast<std::uintptr_t>(&l)); }
  /// One that says neither its batch nor its passes: it is not written, so that its cache lines stay where they are.
  void push_standing(launch& l, batch& home, const standing_use& use) {
    const std::size_t i = index_of(launched_.load(std::memory_order_relaxed));
    standing& p = standing_[i];
    p.home.store(&home, std::memory_order_relaxed);
    p.round.store(
      use.pass == nullptr ? use.round : use.round | is_in_loop, std::memory_order_relaxed);
    if(use.pass != nullptr)
      passes_[i].store(use.pass, std::memory_order_relaxed);
    push_word(reinterpret_cast<std::uintptr_t>(&l) | stands);
  }

  // ---- crews -----------------------------------------------------------------------------------

  /// The oldest of those that nobody has claimed; none: there are none.
  range claim(std::uint32_t at_most) {
    std::uint64_t first = claimed_.load(std::memory_order_relaxed);
    std::int64_t n = 0;
    do {
      // Others may have claimed launches behind those that we see as launched.
      n = static_cast<std::int64_t>(launched_.load(std::memory_order_acquire) - first);
      if(n <= 0)
        return {};
      n = smaller_of<std::int64_t>(n, at_most);
      // Relaxed: what is claimed was acquired with `launched_`.
    } while(!claimed_.compare_exchange_weak(first, first + static_cast<std::uint64_t>(n),
      std::memory_order_relaxed, std::memory_order_relaxed));
    return {first, static_cast<std::uint32_t>(n)};
  }
  /// One that was claimed, until it has ended: before that its slot is not used again.
  [[nodiscard]] launch& operator[](std::uint64_t i) const {
    return *reinterpret_cast<launch*>(
      slots_[index_of(i)].load(std::memory_order_relaxed) & ~stands);
  }
  /// What was claimed, by the crew that has: those that stand are told what they don't say, and begin anew.
  void prepare(range r);

  /// To be claimed. seq_cst: the crew that asks may have been told to look, or not to, with a fence.
  [[nodiscard]] bool is_anything_left() const {
    return claimed_.load(std::memory_order_seq_cst) != launched_.load(std::memory_order_seq_cst);
  }

  /// The crew of the lane runs something that takes long, beside messages. A hint, which guards nothing.
  void go_away() { is_away_.store(true, std::memory_order_relaxed); }
  void come_back() { is_away_.store(false, std::memory_order_relaxed); }
  [[nodiscard]] bool is_away() const { return is_away_.load(std::memory_order_relaxed); }

  /// The crew of the lane has been here, at this time.
  void note_visit(std::uint64_t now) { visited_.store(now, std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t last_visit() const {
    return visited_.load(std::memory_order_relaxed);
  }

private:
  /// Of a launch that stands. Apart from the others: what is written here goes to another core, line by line.
  struct standing {
    std::atomic<batch*> home;
    std::atomic<std::uint64_t> round; ///< And `is_in_loop`.
  };
  static constexpr std::uintptr_t stands = 1; ///< In a slot.
  static constexpr std::uint64_t is_in_loop = std::uint64_t{1}
                                              << 63U; ///< Its pass is in `passes_`.

  void push_word(std::uintptr_t word) {
    const std::uint64_t n = launched_.load(std::memory_order_relaxed);
    slots_[index_of(n)].store(word, std::memory_order_relaxed);
    // Release: the launch, its slot, and what belongs to that.
    launched_.store(n + 1, std::memory_order_release);
  }
  [[nodiscard]] std::size_t index_of(std::uint64_t i) const { return i & (slots_.size() - 1); }

  std::vector<std::atomic<std::uintptr_t>> slots_; ///< Launches; and whether they stand.
  std::vector<standing> standing_;
  std::vector<std::atomic<loop_pass*>> passes_; ///< Of those in loops, apart for the same reason.
  alignas(cache_line) std::atomic<std::uint64_t> launched_{0};
  alignas(cache_line) std::atomic<std::uint64_t> claimed_{0};
  std::atomic<std::uint64_t> visited_{0};
  std::atomic<bool> is_away_{false};

public:
  claim_size at_a_time{1}; ///< How many are claimed at a time.
};

/// The queues of a flow, by lanes.
using lane_queues = std::vector<std::unique_ptr<lane_queue>>;

} // namespace rondo::detail::inline tracing
