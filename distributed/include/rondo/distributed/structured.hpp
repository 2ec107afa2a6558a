#pragma once

/// \file
/// Meshes of 1 to 3 dimensions, cut into colors.
///
/// \code
///   using grid = structured<2>;
///   grid m{s, {.extents = {2048, 2048}, .halo = 1}};
///   field<double> u{m, "u"};
///
///   void scale(grid::view m, field<double>::accessor<rw> u) {
///     for(auto j : m.owned(1))
///       for(auto i : m.owned(0))
///         u(i, j) *= 2;
///   }
///   s.execute<scale>(m, u);
/// \endcode
///
/// A task is run once for each color. Its view says which points these are; coordinates are those of
/// the whole mesh.
///
/// *Coarser meshes* have the same colors on the same ranks, so a task may take fields of both:
///
/// \code
///   grid c = m.coarsened(2);                   // its point (i, j) is (2 i, 2 j) of m
///   field<double> w{c, "w"};
///
///   void restrict(grid::view c, field<double>::accessor<wo> w, field<double>::accessor<ro, ro> u) {
///     for(auto j : c.owned(1))
///       for(auto i : c.interior(0))
///         w(i, j) = (u(2 * i - 1, 2 * j) + 2 * u(2 * i, 2 * j) + u(2 * i + 1, 2 * j)) / 4;
///   }
///   s.execute<restrict>(c, w, u);
/// \endcode
///
/// *Staggered meshes* have, too: the faces, edges and corners of cells.
///
/// \code
///   grid f = m.faces(0);                       // its point (i, j) is the face between the cells (i - 1, j) and (i, j)
///   field<double> flux{f, "flux"};
///
///   void balance(grid::view m, field<double>::accessor<rw> u, field<double>::accessor<ro, ro> flux) {
///     for(auto j : m.owned(1))
///       for(auto i : m.owned(0))
///         u(i, j) -= flux(i + 1, j) - flux(i, j);          // also in the last cell: its face is there
///   }
///   s.execute<balance>(m, u, flux);
/// \endcode
///
/// *Points beyond the ends* of a mesh hold what is to be seen there, so that loops need not ask where they are:
///
/// \code
///   grid m{s, {.extents = {2048, 2048}, .beyond = 1}};
///
///   void walls(grid::view m, field<double>::accessor<rw> u) {
///     for(auto j : m.owned(1)) {
///       for(auto i : m.below(0))               // -1, if the color is at that end
///         u(i, j) = 0;
///       for(auto i : m.above(0))               // 2048
///         u(i, j) = u(i - 1, j);
///     }
///   }
/// \endcode

#include <array>
#include <cstdint>
#include <memory>
#include <source_location>
#include <utility>
#include <vector>

#include <rondo/distributed/box.hpp>
#include <rondo/distributed/coloring.hpp>
#include <rondo/distributed/range.hpp>
#include <rondo/distributed/topology.hpp>

namespace rondo {

template<std::size_t D>
struct structured_options {
  static_assert(1 <= D && D <= 3, "rondo::structured: a mesh has one, two or three dimensions");

  point<D> extents{}; ///< Points along each axis.
  /// Colors along each axis; all 0: chosen such that each worker of each rank has several, if the mesh is
  /// large enough. Then the number depends on that of ranks, and the last bits of sums may, too.
  point<D> colors{};
  std::int64_t halo = 1; ///< How deep a color sees into its neighbours.
  std::array<bool, D> periodic{};
  bool diagonals = false; ///< Whether it also sees those that it touches at corners.
  /// So many points lie beyond each end of an axis that isn't periodic. They are no points of the mesh, but have values that tasks
  /// write and read like a color's own.
  std::int64_t beyond = 0;
  /// So many launches in a row are made color by color, where the data allow it, so that a color is
  /// in the cache when it is worked on again. 0: as many as the size of the mesh and of the cache
  /// make worthwhile. 1: none.
  std::size_t stages = 0;
};

/// What a task sees of a mesh: one color.
template<std::size_t D>
class structured_view {
  static_assert(1 <= D && D <= 3, "rondo::structured: a mesh has one, two or three dimensions");

public:
  structured_view(const box<D>& mesh, const box<D>& owned, color_id color, color_id colors,
    const std::array<bool, D>& periodic = {}, std::int64_t beyond = 0)
      : mesh_(mesh), owned_(owned), color_(color), colors_(colors), periodic_(periodic),
        beyond_(beyond) {}

  /// The points of this color, and those of the whole mesh.
  [[nodiscard]] const box<D>& owned() const { return owned_; }
  [[nodiscard]] const box<D>& mesh() const { return mesh_; }
  /// Along one axis.
  [[nodiscard]] index_range owned(std::size_t axis) const {
    return {owned_.lo[axis], owned_.hi[axis]};
  }
  /// Its ends are neighbours: it has neither a first nor a last point.
  [[nodiscard]] bool periodic(std::size_t axis) const { return periodic_[axis]; }
  /// Without the outermost points of the mesh, of which there are `depth` at each end: those whose
  /// neighbours are all there. Along a periodic axis these are all.
  [[nodiscard]] index_range interior(std::size_t axis, std::int64_t depth = 1) const {
    if(periodic_[axis])
      return owned(axis);
    return owned(axis).cut({mesh_.lo[axis] + depth, mesh_.hi[axis] - depth});
  }
  /// The first, or the last, points of the mesh along an axis; empty if other colors have them, or
  /// nobody, as along a periodic axis.
  [[nodiscard]] index_range low_end(std::size_t axis, std::int64_t depth = 1) const {
    return cut_end(axis, {mesh_.lo[axis], mesh_.lo[axis] + depth});
  }
  [[nodiscard]] index_range high_end(std::size_t axis, std::int64_t depth = 1) const {
    return cut_end(axis, {mesh_.hi[axis] - depth, mesh_.hi[axis]});
  }
  /// The points of this color and, if it is at an end of the mesh that has points beyond, those.
  [[nodiscard]] index_range all(std::size_t axis) const {
    return {is_at_low_end(axis) ? owned_.lo[axis] - beyond_ : owned_.lo[axis],
      is_at_high_end(axis) ? owned_.hi[axis] + beyond_ : owned_.hi[axis]};
  }
  [[nodiscard]] box<D> all() const {
    box<D> b;
    for(std::size_t a = 0; a != D; ++a) {
      b.lo[a] = all(a).first();
      b.hi[a] = all(a).last();
    }
    return b;
  }
  /// Only those beyond the low end, or the high end, of an axis; empty if the color isn't there.
  [[nodiscard]] index_range below(std::size_t axis) const {
    return {all(axis).first(), owned_.lo[axis]};
  }
  [[nodiscard]] index_range above(std::size_t axis) const {
    return {owned_.hi[axis], all(axis).last()};
  }
  /// Of the interior points of a row, every second one: those with an even sum of coordinates are red.
  template<class... Other>
  [[nodiscard]] strided_range red(Other... row) const {
    return every_second((static_cast<std::int64_t>(row) + ... + 0));
  }
  template<class... Other>
  [[nodiscard]] strided_range black(Other... row) const {
    return every_second((static_cast<std::int64_t>(row) + ... + 1));
  }

  [[nodiscard]] color_id color() const { return color_; }
  [[nodiscard]] color_id colors() const { return colors_; }

private:
  [[nodiscard]] bool is_at_low_end(std::size_t axis) const {
    return !periodic_[axis] && owned_.length(axis) != 0 && owned_.lo[axis] == mesh_.lo[axis];
  }
  [[nodiscard]] bool is_at_high_end(std::size_t axis) const {
    return !periodic_[axis] && owned_.length(axis) != 0 && owned_.hi[axis] == mesh_.hi[axis];
  }
  [[nodiscard]] index_range cut_end(std::size_t axis, const index_range& end) const {
    const index_range here = owned(axis).cut(end);
    return periodic_[axis] || here.empty() ? index_range(end.first(), end.first()) : here;
  }
  [[nodiscard]] strided_range every_second(std::int64_t parity) const {
    const index_range row = interior(0);
    const std::int64_t first = row.first() + ((row.first() + parity) & 1);
    return {first, row.last(), 2};
  }

  box<D> mesh_;
  box<D> owned_;
  color_id color_;
  color_id colors_;
  std::array<bool, D> periodic_;
  std::int64_t beyond_;
};

namespace detail::inline distributed {

template<std::size_t D>
class structured_state final : public topology_state {
public:
  structured_state(
    scheduler& s, const structured_coloring<D>& coloring, const partition& cut, std::size_t stages);
  /// Between the cells of another one.
  structured_state(const structured_state& cells, const std::array<bool, D>& along);
  ~structured_state() override;
  [[nodiscard]] mesh_outline outline() const override;
  [[nodiscard]] const local_elements& elements_with_halo(std::int64_t halo) override;
  void move(const partition& to, const color_carrier& carrier) override;
  void find_order();

  [[nodiscard]] const structured_coloring<D>& coloring() const { return coloring_; }
  [[nodiscard]] structured_view<D> view_of(std::size_t local) const {
    return {coloring_.mesh(), owned_[local], mine()[local], colors(), coloring_.shape().periodic,
      coloring_.shape().beyond};
  }
  /// As in its options.
  [[nodiscard]] std::size_t wanted_stages() const { return stages_; }

private:
  void list_owned();
  [[nodiscard]] local_elements elements_as_deep_as(std::int64_t halo) const;

  structured_coloring<D> coloring_;
  std::size_t stages_;
  std::vector<box<D>> owned_;
  struct with_halo {
    std::int64_t halo;
    local_elements elements;
  };
  /// Of fields with a thinner halo, few in all. Fields look at them, so they stay where they are.
  std::vector<std::unique_ptr<with_halo>> thinner_;
};

} // namespace detail::inline distributed

template<std::size_t D>
class structured : public topology {
public:
  using view = structured_view<D>;
  using state_type = detail::structured_state<D>;

  /// Throws std::invalid_argument, and says what to do, if that is no mesh.
  structured(scheduler& s, const structured_options<D>& options,
    std::source_location where = std::source_location::current());

  /// The mesh of every second, or `by`-th, point, from the first one on: its point p is p * by here. An axis of n points
  /// has n / by of them, rounded up. Taken as points, the last one of an axis stays the last one if n - 1 is a
  /// multiple of `by`; taken as cells, each is made of whole ones if n is.
  ///
  /// It has the same colors, on the same ranks, halo, periodic axes and diagonals, so a launch may take both meshes and fields of
  /// both. A color has the coarse points within its own box; all that one needs of the other is its own or in its halo.
  /// On coarse levels some colors have no points left: their tasks run, with nothing to do. The one beside its last points still
  /// has ghosts, to interpolate from; colors that have no points of the finer mesh either have none.
  ///
  /// Throws std::invalid_argument, and says what to do, if there are no fewer points then, or if an axis is periodic and its
  /// number of points is no multiple.
  [[nodiscard]] structured coarsened(
    std::int64_t by, std::source_location where = std::source_location::current()) const {
    point<D> all;
    all.fill(by);
    return coarsened(all, where);
  }
  /// By another factor along each axis; 1: not along that one.
  [[nodiscard]] structured coarsened(
    const point<D>& by, std::source_location where = std::source_location::current()) const;

  /// The points of the mesh, or of its cells, are taken as cells. These are what lies between them: the faces across an axis, the
  /// edges along one, and the corners. Point i along an axis across which they lie is between the cells i - 1 and i. There is one more
  /// of them than there are cells, the last one behind the last cell, and the same color's; or as many, if the axis is periodic.
  ///
  /// Each is a mesh with the same colors, on the same ranks, halo, periodic axes, diagonals and points beyond the ends, so a launch may
  /// take all of them and fields of all. The points around a task's cells, and around its faces, are its own or in a halo of 1; at
  /// corners, if there are `diagonals`. In two dimensions the edges along an axis are the faces across the other one.
  ///
  /// Of a mesh that was made so, these are those of its cells; coarsened it is the one of the coarsened cells.
  [[nodiscard]] structured faces(
    std::size_t across, std::source_location where = std::source_location::current()) const;
  [[nodiscard]] structured edges(
    std::size_t along, std::source_location where = std::source_location::current()) const;
  [[nodiscard]] structured corners(
    std::source_location where = std::source_location::current()) const;

  [[nodiscard]] const structured_coloring<D>& coloring() const { return state().coloring(); }
  [[nodiscard]] view view_of(std::size_t local) const { return state().view_of(local); }

  /// For launches.
  [[nodiscard]] state_type& state() const { return static_cast<state_type&>(any_state()); }

private:
  explicit structured(std::shared_ptr<state_type> s) : topology(std::move(s)) {}
  [[nodiscard]] structured staggered(
    const std::array<bool, D>& along, const std::source_location& where) const;
};

template<std::size_t D>
struct detail::topology_of<structured_view<D>> {
  using type = structured<D>;
};

} // namespace rondo
