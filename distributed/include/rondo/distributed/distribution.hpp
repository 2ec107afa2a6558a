#pragma once

/// \file
/// Which rank has which colors: ranges of equal length up to one color, the first rank the first.
///
/// \code
///   const distribution d{.colors = 10, .ranks = 4};
///   d.of(1);         // colors 2, 3, 4
///   d.rank_of(4);    // 1
/// \endcode
///
/// Colors don't depend on ranks; only who has them does. Nothing here is a table: a rank can ask
/// about any other at the same small cost.

#include <cstddef>
#include <cstdint>

namespace rondo {

/// A color's number, counted over all ranks.
using color_id = std::uint64_t;

/// The colors `first` to `last`, without `last`.
struct color_range {
  color_id first = 0;
  color_id last = 0;

  [[nodiscard]] constexpr std::uint64_t size() const { return last - first; }
  [[nodiscard]] constexpr color_id operator[](std::size_t local) const { return first + local; }
  [[nodiscard]] constexpr bool contains(color_id c) const { return first <= c && c < last; }
  friend constexpr bool operator==(const color_range&, const color_range&) = default;
};

namespace detail::inline distributed {

/// n things are cut into `parts` of equal length up to one, the long ones spread evenly. Where
/// part `part` begins (`part` may be `parts`), and the part that thing `index` is in.
[[nodiscard]] std::uint64_t share_begin(std::uint64_t n, std::uint64_t parts, std::uint64_t part);
[[nodiscard]] std::uint64_t share_of(std::uint64_t n, std::uint64_t parts, std::uint64_t index);

} // namespace detail::inline distributed

struct distribution {
  std::uint64_t colors = 1;
  unsigned ranks = 1;

  [[nodiscard]] color_range of(unsigned rank) const {
    return {detail::share_begin(colors, ranks, rank), detail::share_begin(colors, ranks, rank + 1)};
  }
  [[nodiscard]] unsigned rank_of(color_id color) const {
    return static_cast<unsigned>(detail::share_of(colors, ranks, color));
  }
};

} // namespace rondo
