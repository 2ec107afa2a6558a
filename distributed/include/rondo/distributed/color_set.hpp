#pragma once

/// \file
/// Colors: their numbers, ranges of them, and those that a rank has.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace rondo {

/// A color's number, counted over all ranks.
using color_id = std::uint64_t;

/// The colors `first` to `last`, without `last`.
struct color_range {
  color_id first = 0;
  color_id last = 0;

  [[nodiscard]] constexpr std::uint64_t size() const { return last - first; }
  [[nodiscard]] constexpr bool contains(color_id c) const { return first <= c && c < last; }
  friend constexpr bool operator==(const color_range&, const color_range&) = default;
};

/// The colors of a rank, in the order of their numbers. On the rank they are counted from 0.
class color_set {
public:
  color_set() = default;
  explicit color_set(const color_range& range) {
    colors_.reserve(range.size());
    for(color_id c = range.first; c != range.last; ++c)
      colors_.push_back(c);
  }
  /// In any order.
  explicit color_set(std::vector<color_id> colors);

  [[nodiscard]] std::size_t size() const { return colors_.size(); }
  [[nodiscard]] bool empty() const { return colors_.empty(); }
  [[nodiscard]] color_id operator[](std::size_t local) const { return colors_[local]; }
  [[nodiscard]] auto begin() const { return colors_.begin(); }
  [[nodiscard]] auto end() const { return colors_.end(); }

  [[nodiscard]] bool contains(color_id c) const {
    const std::size_t at = local(c);
    return at != size() && colors_[at] == c;
  }
  /// Which one of them a color is; if it is none of them, which one the next is.
  [[nodiscard]] std::size_t local(color_id c) const {
    std::size_t first = 0;
    std::size_t last = size();
    while(first != last) {
      const std::size_t middle = first + (last - first) / 2;
      if(colors_[middle] < c)
        first = middle + 1;
      else
        last = middle;
    }
    return first;
  }

  friend bool operator==(const color_set&, const color_set&) = default;

private:
  std::vector<color_id> colors_;
};

/// As in "0 to 3, 8".
std::string describe(const color_set& colors);

} // namespace rondo
