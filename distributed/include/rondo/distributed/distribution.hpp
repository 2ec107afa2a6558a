#pragma once

/// \file
/// Which rank has which colors: ranges of their numbers, as long as each other or not, or boxes of a mesh.
///
/// \code
///   const distribution d(10, 4);                    // 10 colors on 4 ranks
///   d.of(1);                                        // colors 2, 3, 4
///   d.rank_of(4);                                   // 1
///   const distribution boxes = mesh.over(6);        // coloring.hpp
///   const distribution uneven({0, 2, 3, 7, 10});    // where the ranges of 4 ranks begin, and the end
/// \endcode
///
/// Colors don't depend on ranks; only who has them does. A rank can ask about any other, in a step for each doubling of their number.
/// There is no table of ranks, other than of uneven ranges, which balancing makes: 8 bytes a rank.

#include <cstdint>
#include <memory>
#include <vector>

#include <rondo/distributed/color_set.hpp>
#include <rondo/distributed/shares.hpp>

namespace rondo {

namespace detail::inline distributed {
struct cut_mesh;
class bisection;
} // namespace detail::inline distributed

class distribution {
public:
  /// Ranges of equal length up to one, the first rank the first. With fewer colors than ranks some have none.
  distribution(std::uint64_t colors, unsigned ranks) : colors_(colors), ranks_(ranks) {}
  /// Boxes of about as many colors: bisection.hpp. There are at least as many colors as ranks.
  distribution(const detail::cut_mesh& mesh, std::int64_t halo, unsigned ranks);
  /// Rank r has the colors from `begins[r]` to `begins[r + 1]`.
  explicit distribution(std::vector<color_id> begins);

  [[nodiscard]] std::uint64_t colors() const { return colors_; }
  [[nodiscard]] unsigned ranks() const { return ranks_; }
  [[nodiscard]] color_set of(unsigned rank) const;
  [[nodiscard]] unsigned rank_of(color_id color) const;

  /// Whether ranks may have other colors than those of their share.
  [[nodiscard]] bool leaves_shares() const { return boxes_ != nullptr || begins_ != nullptr; }
  /// The range of colors that a rank would have if all were of equal length: in reductions it sees to these.
  [[nodiscard]] color_range share_of_rank(unsigned rank) const {
    return {
      detail::share_begin(colors_, ranks_, rank), detail::share_begin(colors_, ranks_, rank + 1)};
  }
  [[nodiscard]] unsigned sees_to(color_id color) const {
    return static_cast<unsigned>(detail::share_of(colors_, ranks_, color));
  }

private:
  struct boxes;

  std::uint64_t colors_;
  unsigned ranks_;
  std::shared_ptr<const boxes> boxes_;
  std::shared_ptr<const std::vector<color_id>> begins_;
};

} // namespace rondo
