#pragma once

/// \file
/// A box of colors for each rank, for any number of ranks.
///
/// \code
///   const bisection cut(cut_mesh::of<2>({2048, 2048}, {16, 16}), 1, 6);   // a halo of 1, 6 ranks
///   cut.of(4);                  // the box of rank 4, in places of colors
///   cut.rank_at({3, 12, 0});    // the rank that has this color
/// \endcode
///
/// The grid of colors is cut in two, and so are the ranks, in proportion to the colors of both parts; and
/// so on, until there is a rank for each part. A cut may be anywhere between two slabs of colors, and leaves as
/// many ranks on its first side as fits that best: that cut is taken after which the busiest rank will have the
/// least to do, its halo included, so far as can be seen one cut ahead.
///
/// Pieces that have equal lengths and as many ranks are cut alike. So there are few *kinds* of pieces, some for
/// each of the log2(ranks) levels of cuts, however many ranks there are. These are listed; finding a
/// rank or a color takes a step for each level.

#include <cstddef>
#include <cstdint>
#include <vector>

#include <rondo/distributed/box.hpp>
#include <rondo/distributed/color_numbers.hpp>

namespace rondo::detail::inline distributed {

class bisection {
public:
  /// There are at least as many colors as ranks, and a rank at least.
  bisection(const cut_mesh& mesh, std::int64_t halo, unsigned ranks);

  [[nodiscard]] box<3> of(unsigned rank) const;
  [[nodiscard]] unsigned rank_at(const point<3>& place) const;

  /// The most colors that a rank has.
  [[nodiscard]] std::uint64_t most_colors() const;
  /// The work of the busiest rank, in points of its own; a point that it sees of others counts as some.
  [[nodiscard]] double most_work() const;
  /// How many kinds of pieces there are, and what they take in memory.
  [[nodiscard]] std::size_t kinds() const { return kinds_.size(); }
  [[nodiscard]] std::size_t bytes() const { return kinds_.size() * sizeof(kind); }

private:
  /// Pieces that are cut alike, unless they are of one rank.
  struct kind {
    point<3> lengths; ///< In colors.
    unsigned ranks = 1;
    unsigned first_ranks = 0; ///< On the first side of the cut.
    std::size_t axis = 0;     ///< Across which it is cut ...
    std::int64_t middle = 0;  ///< ... behind so many slabs.
    std::size_t first = 0;    ///< What kinds the two sides are.
    std::size_t last = 0;
  };

  cut_mesh mesh_;
  std::int64_t halo_;
  std::vector<kind> kinds_; ///< The first one is the whole.
};

} // namespace rondo::detail::inline distributed
