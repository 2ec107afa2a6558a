#pragma once

/// \file
/// Which rank has which colors: ranges of their numbers, or boxes of a mesh.
///
/// \code
///   const distribution d(10, 4);                    // 10 colors on 4 ranks
///   d.of(1);                                        // colors 2, 3, 4
///   d.rank_of(4);                                   // 1
///   const distribution boxes = mesh.over(6);        // coloring.hpp
/// \endcode
///
/// Colors don't depend on ranks; only who has them does. There is no table of ranks: a rank can ask
/// about any other, in a step for each doubling of their number.

#include <cstdint>
#include <memory>

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

  [[nodiscard]] std::uint64_t colors() const { return colors_; }
  [[nodiscard]] unsigned ranks() const { return ranks_; }
  [[nodiscard]] color_set of(unsigned rank) const;
  [[nodiscard]] unsigned rank_of(color_id color) const;

  /// Whether ranks may have other colors than those of their share.
  [[nodiscard]] bool has_boxes() const { return boxes_ != nullptr; }
  /// The range of colors that a rank would have without boxes: in reductions it sees to these.
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
};

} // namespace rondo
