#pragma once

/// \file
/// Ranges of colors for ranks, such that the slowest rank has as little to do as can be.
///
/// \code
///   const work_of_colors work{.costs = {1, 1, 1, 5}, .workers = {1, 1}};
///   even_ranges(work, {0, 2, 4});                  // 0, 3, 4: three colors, and one
///   time_of_slowest(work, {0, 3, 4});              // 5
/// \endcode
///
/// A pure function. A rank works on its colors with its workers, and on each with one of them: it takes what all cost, divided by the workers, and
/// no less than the color that costs most. Of all ways with the best time it is one by which few colors move.

#include <cstdint>
#include <span>
#include <vector>

#include <rondo/distributed/color_set.hpp>

namespace rondo::detail::inline distributed {

struct work_of_colors {
  std::vector<double> costs;     ///< Of each color; none is less than 0.
  std::vector<unsigned> workers; ///< Of each rank.
};

/// Rank r has colors from `begins[r]` to `begins[r + 1]`. Each has one at least, if there are as many. `now`: where ranges begin now, or would
/// best if nothing has to be kept.
[[nodiscard]] std::vector<color_id> even_ranges(
  const work_of_colors& work, std::span<const color_id> now);
/// Where ranges begin with about as much of the costs each.
[[nodiscard]] std::vector<color_id> ranges_by_sums(const work_of_colors& work);

/// What the slowest rank takes. `rank_of[c]`: who has color c.
[[nodiscard]] double time_of_slowest(const work_of_colors& work, std::span<const unsigned> rank_of);
/// If the work could be divided at will.
[[nodiscard]] double ideal_time(const work_of_colors& work);

} // namespace rondo::detail::inline distributed
