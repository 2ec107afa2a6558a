#pragma once

/// \file
/// How much time tasks have spent on each color of a rank: what balance.hpp goes by.
///
/// \code
///   color_costs costs;                      // nothing is measured
///   costs.restart(8);                       // of 8 colors, from here on
///   { const cost_meter here(costs.of(3)); ... }
///   costs.seconds();                        // of each of the 8
/// \endcode
///
/// Several tasks may work on a color at the same time, if they read it, so times are added up by atomic operations. Nothing is ordered by
/// them: what is read, and restarted, after all tasks have ended is whole.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <rondo/core/clock.hpp>
#include <rondo/core/split_deque.hpp>

namespace rondo::detail::inline distributed {

/// Of one color. A cache line each, as workers write them after each task.
struct alignas(cache_line) color_cost {
  std::atomic<std::int64_t> nanoseconds{0};
};

class color_costs {
public:
  [[nodiscard]] bool is_measured() const { return costs_ != nullptr; }
  /// Nothing has been measured so far of so many colors. While no task runs.
  void restart(std::size_t colors) {
    costs_ = std::make_unique<color_cost[]>(colors);
    colors_ = colors;
  }
  /// Null if nothing is measured.
  [[nodiscard]] color_cost* of(std::size_t color) const {
    return costs_ == nullptr ? nullptr : &costs_[color];
  }
  [[nodiscard]] std::vector<double> seconds() const {
    std::vector<double> all;
    for(std::size_t c = 0; c != colors_; ++c)
      all.push_back(
        1e-9 * static_cast<double>(costs_[c].nanoseconds.load(std::memory_order_relaxed)));
    return all;
  }

private:
  std::unique_ptr<color_cost[]> costs_;
  std::size_t colors_ = 0;
};

/// From here to the end of the block, if anything is measured.
class cost_meter {
public:
  explicit cost_meter(color_cost* of) : of_(of) {
    if(of_ != nullptr) [[unlikely]]
      began_ = std::chrono::steady_clock::now();
  }
  ~cost_meter() {
    if(of_ != nullptr) [[unlikely]]
      of_->nanoseconds.fetch_add(
        std::chrono::nanoseconds(std::chrono::steady_clock::now() - began_).count(),
        std::memory_order_relaxed);
  }
  cost_meter(const cost_meter&) = delete;
  cost_meter& operator=(const cost_meter&) = delete;

private:
  color_cost* of_;
  std::chrono::steady_clock::time_point began_{};
};

} // namespace rondo::detail::inline distributed
