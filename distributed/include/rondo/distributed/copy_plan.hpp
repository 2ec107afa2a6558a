#pragma once

/// \file
/// What a rank has to copy, send and receive so that points of one structured mesh get the values of those of another one.
///
/// \code
///   const copied_points<2> all{{{0, 0}, {64, 64}}, {}};     // at the same coordinates
///   const exchange_plan plan = plan_copy<2>({from, cut}, {to, other_cut}, all);
/// \endcode
///
/// A pure function, as for ghosts: exchange_plan.hpp. The meshes may have other extents and other colors, which other ranks have.
/// Of what is named, only points are copied that both have. Making the plan takes some log(colors) steps for each pair of colors of
/// which one has what the other one gets.

#include <cstddef>

#include <rondo/distributed/coloring.hpp>
#include <rondo/distributed/exchange_plan.hpp>
#include <rondo/distributed/partition.hpp>

namespace rondo::detail::inline distributed {

/// These points, in coordinates of the mesh that they come from. Where they get to they have others, by so much.
template<std::size_t D>
struct copied_points {
  box<D> points;
  point<D> shift;

  friend constexpr bool operator==(const copied_points&, const copied_points&) = default;
};

template<std::size_t D>
struct cut_points {
  const structured_coloring<D>& mesh;
  const partition& cut;
};

/// Copies and what is sent name colors that the rank has of the first mesh as sources; `colors` are those of the second one.
/// Instantiated for 1 to 3 dimensions.
template<std::size_t D>
[[nodiscard]] exchange_plan plan_copy(
  const cut_points<D>& from, const cut_points<D>& to, const copied_points<D>& what);

class field_state;

/// In three dimensions; meshes of fewer are one point thick along the others.
struct copy_request {
  field_state* from;
  field_state* to;
  unsigned dimensions; ///< Of the box of points; 0 if there is none, and all are copied.
  copied_points<3> what;

  friend bool operator==(const copy_request&, const copy_request&) = default;
};

} // namespace rondo::detail::inline distributed
