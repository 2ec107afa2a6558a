#pragma once

/// \file
/// What crews that claim the same launches tell each other, so that launches which do next to nothing stay with one
/// of them. docs/protocols/flow.md, "Short launches"

#include <atomic>
#include <cstdint>

#include <rondo/core/two_numbers.hpp>

namespace rondo::detail::inline tracing {

/// Of a flow, or of a closed loop. All of it are hints, so relaxed is enough: whatever is read, each launch is claimed once.
class short_launches {
public:
  /// Ticks. It takes about as long to get one from another core, with what it works on.
  static constexpr std::uint64_t least_worth_sharing = 500;

  void has_claimed(unsigned seat) { claimer_.store(seat, std::memory_order_relaxed); }
  /// Returns true if that seat has claimed last.
  [[nodiscard]] bool are_of(unsigned seat) const {
    return claimer_.load(std::memory_order_relaxed) == seat;
  }

  /// So long took each of those that a crew had claimed. The longest ones count most: that some are long is known at
  /// once, that all are short after some fifty claims.
  void note(std::uint64_t each) {
    const std::uint64_t before = longest_.load(std::memory_order_relaxed);
    const std::uint64_t now = larger_of(each, before - before / 8);
    if(now != before)
      longest_.store(now, std::memory_order_relaxed);
  }
  /// One worker is to run them. The more there are, the more is to be had from handing them over.
  [[nodiscard]] bool are_for_one_of(unsigned workers) const {
    return workers > 1 &&
           longest_.load(std::memory_order_relaxed) < least_worth_sharing / (workers - 1);
  }
  void begin_as(const short_launches& before) {
    longest_.store(before.longest_.load(std::memory_order_relaxed), std::memory_order_relaxed);
  }

private:
  std::atomic<unsigned> claimer_{0};
  std::atomic<std::uint64_t> longest_{1'000 * least_worth_sharing};
};

} // namespace rondo::detail::inline tracing
