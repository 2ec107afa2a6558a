#pragma once

/// \file
/// How long many things took: how many of them took about so long. Eight steps for each doubling, so what is read off is right to a
/// sixteenth, and it takes three kilobytes however many they are.

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace rondo::detail::inline observe {

/// In any unit: while tasks run in ticks of the processor, later in nanoseconds.
struct durations {
  static constexpr unsigned per_doubling = 8;
  static constexpr std::size_t steps =
    352; ///< The last one begins with an hour and more, of nanoseconds.

  std::array<std::uint64_t, steps> counts{};

  static constexpr std::size_t step_of(std::uint64_t time) {
    if(time < per_doubling)
      return time;
    const auto doublings = static_cast<std::size_t>(std::bit_width(time)) - 1;
    const std::size_t step = per_doubling * doublings + (time >> (doublings - 3)) % per_doubling;
    return step < steps ? step : steps - 1;
  }
  static constexpr double middle_of(std::size_t step) {
    if(step < 3 * per_doubling)
      return static_cast<double>(step);
    const std::size_t less = step / per_doubling - 3;
    const auto least = static_cast<double>((per_doubling + step % per_doubling) << less);
    // Of whole numbers: from the least to the one before the next step's.
    return least + 0.5 * static_cast<double>((std::uint64_t{1} << less) - 1);
  }

  /// By the one thread that writes; others may read meanwhile, with `copy`.
  void add(std::uint64_t time, std::uint64_t times = 1) {
    const std::atomic_ref<std::uint64_t> n(counts[step_of(time)]);
    n.store(n.load(std::memory_order_relaxed) + times, std::memory_order_relaxed);
  }
  [[nodiscard]] durations copy();
  /// In another unit, of which there are `factor` to one of this.
  [[nodiscard]] durations scaled(double factor) const;

  durations& operator+=(const durations& other);
  [[nodiscard]] std::uint64_t count() const;
  /// Of those that took about so long or less.
  [[nodiscard]] std::uint64_t count_up_to(double most) const;
  /// Such that this part of them took no longer; 0 if there are none.
  [[nodiscard]] double quantile(double part) const;
  /// Their sum, each counted with `most` at the most.
  [[nodiscard]] double sum_up_to(double most) const;
};

} // namespace rondo::detail::inline observe
