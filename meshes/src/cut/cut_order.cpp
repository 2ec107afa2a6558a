#include "cut_order.hpp"

#include <algorithm>

namespace rondo::detail::inline meshes {

namespace {
constexpr unsigned axis_bits = 21; // three of them are in a key
constexpr std::uint64_t steps = std::uint64_t{1} << axis_bits;
} // namespace

void center_box::include(const position& at) {
  for(std::size_t a = 0; a != 3; ++a) {
    least[a] = std::min(least[a], at[a]);
    most[a] = std::max(most[a], at[a]);
  }
}

cut_order::cut_order(const center_box& around) {
  position sides{};
  for(std::size_t a = 0; a != 3; ++a) {
    least_[a] = around.least[a] / 2;
    sides[a] = around.most[a] / 2 - least_[a];
  }
  std::ranges::stable_sort(
    axes_, [&](std::size_t a, std::size_t b) { return sides[a] > sides[b]; });
  side_ = sides[axes_[0]];
}

std::uint64_t cut_order::key(const position& at) const {
  if(side_ == 0)
    return 0;
  std::uint64_t made = 0;
  for(const std::size_t a : axes_) {
    const double step = (at[a] / 2 - least_[a]) / side_ * static_cast<double>(steps);
    // The last step is half as long as the others: its other half is beyond the box.
    made = made << axis_bits | std::min(static_cast<std::uint64_t>(step + .5), steps - 1);
  }
  return made;
}

} // namespace rondo::detail::inline meshes
