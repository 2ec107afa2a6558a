#include <rondo/distributed/color_numbers.hpp>

#include <rondo/distributed/shares.hpp>

namespace rondo::detail::inline distributed {

namespace {

/// Halves the grid of colors until one is left; where that is. Colors of the first half have a lower
/// place than `middle` along the axis: `into_first(axis, middle, colors in the first half)`.
///
/// It is the longest side in points that is halved, so that also colors that are no squares make up
/// squares. Of equal ones it is the last: then rows in memory stay whole.
template<class F>
point<3> halve(const cut_mesh& mesh, F&& into_first) {
  box<3> rest{{}, mesh.colors};
  point<3> points = mesh.extents;
  std::uint64_t n = mesh.size();
  while(n != 1) {
    std::size_t a = 3;
    for(std::size_t i = 0; i != 3; ++i)
      if(rest.length(i) > 1 && (a == 3 || points[i] >= points[a]))
        a = i;
    const std::int64_t length = rest.length(a), middle = rest.lo[a] + length / 2;
    const std::uint64_t in_first = n / length * (length / 2);
    if(into_first(a, middle, in_first)) {
      rest.hi[a] = middle;
      n = in_first;
    }
    else {
      rest.lo[a] = middle;
      n -= in_first;
    }
    points[a] =
      static_cast<std::int64_t>(share_begin(mesh.extents[a], mesh.colors[a], rest.length(a)));
  }
  return rest.lo;
}

} // namespace

color_id number_at(const cut_mesh& mesh, const point<3>& place) {
  color_id color = 0;
  halve(mesh, [&](std::size_t axis, std::int64_t middle, std::uint64_t in_first) {
    if(place[axis] < middle)
      return true;
    color += in_first;
    return false;
  });
  return color;
}

point<3> place_of(const cut_mesh& mesh, color_id color) {
  return halve(mesh, [&](std::size_t, std::int64_t, std::uint64_t in_first) {
    if(color < in_first)
      return true;
    color -= in_first;
    return false;
  });
}

} // namespace rondo::detail::inline distributed
