#pragma once

/// \file
/// How a structured mesh is cut into colors.
///
/// \code
///   const structured_coloring<2> mesh({.extents = {2048, 2048}, .colors = {8, 8}, .halo = 1});
///   for(const auto& n : mesh.neighbours(5))
///     std::cout << n.color << " owns " << n.ghosts << " of what color 5 sees\n";
///   const distribution who = mesh.over(ranks);
///   who.rank_of(5);
/// \endcode
///
/// *Coordinates.* Points have the same coordinates everywhere: those of the whole mesh, from 0 to
/// its extents. A color's ghosts beyond the end of a periodic axis have coordinates below 0, or
/// from the extent on, so that they are where the color sees them.
///
/// *Numbers.* Colors are numbered by halving the mesh again and again across its longest side
/// (color_numbers.hpp). Numbers depend on the shape only, not on the number of ranks.
///
/// *Ranks.* Each has a box of colors, for any number of ranks: the mesh is cut in two, in proportion to
/// the ranks on both sides, again and again (bisection.hpp). So its colors can lie side by side in memory, and it
/// has few neighbours. Boxes are whole slabs of colors: with few colors for each rank some have more than
/// others, unless numbers of ranks and colors fit.
///
/// *Coarser meshes.* Of every second point, say, with the same colors: each has the points within its own part of the
/// finer mesh. It may have none, and then still sees those around it, as long as it has points of the next finer mesh;
/// so it can interpolate to these. Which colors a color sees is found by going from one that has such points to the next.
///
/// *Staggered meshes.* If points are taken as cells, these have faces, edges and corners: meshes with the same colors, and one
/// point more along some axes, unless these are periodic. Point i along such an axis is between the cells i - 1 and i. It belongs to
/// the color of cell i; the last one, to that of the last cell. On a coarse level that is the last cell of the next finer mesh: its color
/// has the last point of that one, or sees it, and sees the last cell of this one.
///
/// *Points beyond the ends* of axes that are not periodic have coordinates below 0, or from the extent on. They are no points of the
/// mesh, but belong to the colors of those that they are next to, and their neighbours see them as they see others of the same color.
///
/// *Costs.* Everything takes some log(colors) steps, whatever the number of ranks.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <rondo/distributed/box.hpp>
#include <rondo/distributed/distribution.hpp>

namespace rondo {

template<std::size_t D>
struct structured_shape {
  point<D> extents{};    ///< points along each axis
  point<D> colors{};     ///< colors along each axis; see color_grid.hpp for how to choose
  std::int64_t halo = 1; ///< how deep a color sees into its neighbours
  std::array<bool, D> periodic{};
  bool diagonals = false;  ///< whether colors that touch at an edge or a corner are neighbours too
  std::int64_t beyond = 0; ///< points beyond each end of an axis that isn't periodic
};

/// Another color that a color touches.
template<std::size_t D>
struct color_neighbour {
  color_id color;
  point<D> direction; ///< -1, 0 or 1 along each axis
  point<D> shift;     ///< what its coordinates are to be shifted by to be seen from here
  box<D> ghosts;      ///< what it has and is seen from here; there it is `ghosts` without `shift`
  box<D> rim;         ///< what is had here and seen from there

  /// A box as the neighbour sees it.
  [[nodiscard]] constexpr box<D> seen_from_there(const box<D>& here) const {
    point<D> back{};
    for(std::size_t a = 0; a != D; ++a)
      back[a] = -shift[a];
    return here.shifted(back);
  }
};

/// See the head of this file. Instantiated for 1 to 3 dimensions.
template<std::size_t D>
class structured_coloring {
public:
  static constexpr std::uint64_t most_points = std::uint64_t{1} << 60U;

  /// std::invalid_argument, with what to do about it, if
  ///  - an axis has no points, no colors or more colors than points,
  ///  - the halo is deeper than the smallest color along an axis that is cut or periodic: ghosts
  ///    are those of adjacent colors only.
  explicit structured_coloring(const structured_shape<D>& shape);

  /// The mesh of every `by[a]`-th point along each axis, the first one being 0: its point p is p[a] * by[a] here. Colors
  /// and ranks are the same; a color owns what lies within its own box here. An axis of n points has n / by, rounded up.
  ///
  /// std::invalid_argument, with what to do about it, if that is no coarser mesh, or an axis is periodic and its number of
  /// points is no multiple.
  [[nodiscard]] structured_coloring coarsened(const point<D>& by) const;
  /// If points are cells, what is between these along some axes: faces, edges or corners. A staggered mesh stands for its cells, so it
  /// is made of those, too, as is a coarser one.
  [[nodiscard]] structured_coloring staggered(const std::array<bool, D>& along) const;
  [[nodiscard]] bool is_coarse() const;
  /// The same one, of which colors see less of each other. std::invalid_argument if it would be more.
  [[nodiscard]] structured_coloring with_halo(std::int64_t halo) const;

  [[nodiscard]] const structured_shape<D>& shape() const { return shape_; }
  /// The whole mesh.
  [[nodiscard]] box<D> mesh() const { return {{}, shape_.extents}; }
  /// How many colors.
  [[nodiscard]] std::uint64_t colors() const { return colors_; }

  /// A box of colors for each rank. Throws std::invalid_argument if there are fewer colors than ranks.
  [[nodiscard]] distribution over(unsigned ranks) const;

  /// Where a color is in the grid of colors, and which one is there.
  [[nodiscard]] point<D> place_of(color_id color) const;
  [[nodiscard]] color_id at_place(const point<D>& place) const;
  /// Which color owns that point of the mesh.
  [[nodiscard]] color_id owner_of(const point<D>& p) const;

  /// What a color owns of the mesh: along each axis as much as the others, up to one point, or face.
  [[nodiscard]] box<D> owned(color_id color) const;
  /// The same with its points beyond the ends.
  [[nodiscard]] box<D> with_beyond(color_id color) const;
  /// The box around what a color has and sees. Without diagonals nobody fills its corners.
  [[nodiscard]] box<D> with_ghosts(color_id color) const;
  /// How deep ghosts are along an axis where there are any: 0 along one that is neither cut nor
  /// periodic.
  [[nodiscard]] std::int64_t depth(std::size_t axis) const {
    return shape_.colors[axis] > 1 || shape_.periodic[axis] ? shape_.halo : 0;
  }

  /// In a fixed order of their directions: axis 0 changes fastest. Along a periodic
  /// axis with one color a color is its own neighbour; with two it has the other one twice, with
  /// different directions and shifts. At most 26, unless the mesh is coarse and colors have fewer points than the halo is deep.
  [[nodiscard]] std::vector<color_neighbour<D>> neighbours(color_id color) const;

private:
  /// Points of an axis: first <= p < last.
  struct interval {
    std::int64_t first;
    std::int64_t last;
  };
  /// Along one axis, a slab of colors and what it has to do with another one. Places go on beyond the ends of a
  /// periodic axis, as coordinates do.
  struct slab {
    std::int64_t place;
    interval ghosts; ///< Its own points that the other one sees.
    interval rim;    ///< The other one's points that it sees.
  };

  [[nodiscard]] std::int64_t place_of_cell(std::size_t axis, std::int64_t cell) const;
  [[nodiscard]] std::int64_t begin_of(
    std::size_t axis, std::int64_t place, std::int64_t spacing) const;
  [[nodiscard]] interval cells_at(std::size_t axis, std::int64_t place, std::int64_t spacing) const;
  [[nodiscard]] interval points_at(std::size_t axis, std::int64_t place) const;
  [[nodiscard]] interval with_beyond_at(std::size_t axis, std::int64_t place) const;
  [[nodiscard]] slab slab_beside(std::size_t axis, std::int64_t place, std::int64_t other) const;
  [[nodiscard]] std::vector<slab> slabs_around(std::size_t axis, std::int64_t place) const;
  [[nodiscard]] std::int64_t next_place(
    std::size_t axis, std::int64_t place, bool upwards, bool& is_there) const;
  [[nodiscard]] box<D> owned_at(const point<D>& place) const;
  [[nodiscard]] bool sees_any(const point<D>& place) const;

  structured_shape<D> shape_;
  std::uint64_t colors_ = 1;
  point<D> cut_;   ///< Extents of the mesh that was cut into colors.
  point<D> cells_; ///< Cells of this one, but for what is staggered ...
  point<D>
    more_{}; ///< ... along an axis, which has a point more than it has cells, unless it is periodic.
  point<D>
    end_; ///< The place of the colors that have that one: those of the last cell of the next finer mesh.
  point<D> spacing_;   ///< From one point to the next, in points of that.
  point<D> finer_;     ///< The same of the next finer mesh,
  point<D> finer_end_; ///< and where that has its last point.
};

} // namespace rondo
