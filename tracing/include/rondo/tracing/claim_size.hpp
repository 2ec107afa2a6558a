#pragma once

/// \file
/// How many launches a crew claims at a time: so many that they take about as long as is wished for.

#include <atomic>
#include <cstdint>

#include <rondo/core/two_numbers.hpp>

namespace rondo::detail::inline tracing {

/// Of launches that several crews claim. All of it are hints, so relaxed is enough.
///
/// Long launches and short ones may come in turns, so the last claim alone says little: a crew that has just claimed
/// a short one would have the next one claim several long ones, which nobody else could run then. So it grows only as
/// far as the longest ones of late allow. A long launch is known at once, that all are short after some twenty claims.
class claim_size {
public:
  explicit claim_size(std::uint32_t at_first) : most_(at_first) {}

  [[nodiscard]] std::uint32_t most() const { return most_.load(std::memory_order_relaxed); }
  /// Ticks for each launch: the mean of the last dozens.
  [[nodiscard]] std::uint64_t mean() const { return mean_.load(std::memory_order_relaxed); }

  /// `claimed` launches took so many ticks, and a claim is to take about `worth`.
  void note(std::uint64_t took, std::uint32_t claimed, std::uint64_t worth, std::uint32_t limit) {
    const std::uint64_t each = took / claimed;
    note_mean(each, claimed);
    const std::uint64_t before = longest_.load(std::memory_order_relaxed);
    const std::uint64_t longest = larger_of(each, before - (before + 3) / 4);
    if(longest != before)
      longest_.store(longest, std::memory_order_relaxed);
    const std::uint32_t now = most();
    if(took > worth && now > 1)
      set(larger_of(1U, static_cast<std::uint32_t>(now * worth / took)));
    else if(took < worth / 4 && now < limit && 2 * now * longest <= worth)
      set(smaller_of(2 * now, limit));
  }

private:
  void note_mean(std::uint64_t each, std::uint32_t claimed) {
    constexpr std::uint64_t dozens = 32;
    const std::uint64_t share = smaller_of<std::uint64_t>(claimed, dozens);
    const std::uint64_t mean = mean_.load(std::memory_order_relaxed);
    mean_.store(mean == 0 ? each : (mean * (dozens - share) + each * share) / dozens,
      std::memory_order_relaxed);
  }
  void set(std::uint32_t n) { most_.store(n, std::memory_order_relaxed); }

  std::atomic<std::uint32_t> most_;
  std::atomic<std::uint64_t> longest_{
    0}; ///< Ticks for each launch of a claim; a quarter less with each.
  std::atomic<std::uint64_t> mean_{0};
};

} // namespace rondo::detail::inline tracing
