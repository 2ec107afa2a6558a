#pragma once

/// \file
/// Which points a copy between two meshes has.

#include <rondo/distributed/copy_plan.hpp>

namespace rondo::detail::inline distributed {

template<std::size_t D>
point<D> negated(point<D> p) {
  for(auto& x : p)
    x = -x;
  return p;
}

/// Of what is named, the points that both meshes have, in coordinates of the mesh that they come from.
template<std::size_t D>
box<D> common_points(const structured_coloring<D>& from, const structured_coloring<D>& to,
  const copied_points<D>& what) {
  return intersection(
    intersection(what.points, from.mesh()), to.mesh().shifted(negated(what.shift)));
}

} // namespace rondo::detail::inline distributed
