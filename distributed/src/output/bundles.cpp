#include "bundles.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace rondo::detail::inline distributed {

namespace {

/// Where a bundle is across an axis: only those with the same can come together along it.
auto across(const bundle& b, std::size_t axis) {
  const std::size_t one = axis == 0 ? 1 : 0;
  const std::size_t other = axis == 2 ? 1 : 2;
  const box<3>& p = b.points;
  return std::tuple(p.lo[other], p.hi[other], p.lo[one], p.hi[one]);
}

void merge_along(std::size_t axis, std::vector<bundle>& all, std::int64_t most) {
  std::ranges::sort(
    all, {}, [axis](const bundle& b) { return std::pair(across(b, axis), b.points.lo[axis]); });
  std::vector<bundle> merged;
  for(bundle& b : all) {
    bundle* const before = merged.empty() ? nullptr : &merged.back();
    if(before != nullptr && across(*before, axis) == across(b, axis) &&
       before->points.hi[axis] == b.points.lo[axis] &&
       before->points.size() + b.points.size() <= most) {
      before->points.hi[axis] = b.points.hi[axis];
      before->colors.insert(before->colors.end(), b.colors.begin(), b.colors.end());
    }
    else
      merged.push_back(std::move(b));
  }
  all = std::move(merged);
}

} // namespace

std::vector<bundle> bundles_of(const stored_mesh& m, std::int64_t most) {
  std::vector<bundle> all;
  bundle without_points;
  for(std::size_t c = 0; c != m.colors.size(); ++c)
    if(m.colors[c].points.empty())
      without_points.colors.push_back(c);
    else
      all.push_back({m.colors[c].points, {c}, {}});
  for(std::size_t axis = 0; axis != m.dimensions; ++axis)
    merge_along(
      axis, all, axis + 1 == m.dimensions ? most : std::numeric_limits<std::int64_t>::max());
  std::ranges::sort(all, {},
    [](const bundle& b) { return std::tuple(b.points.lo[2], b.points.lo[1], b.points.lo[0]); });
  for(bundle& b : all) {
    std::ranges::sort(b.colors);
    b.beside = m.colors[b.colors.front()].beside; // in a row, as the points then are
    for(const stored_for w : {stored_for::vertices, stored_for::faces, stored_for::edges})
      b.beside[w].hi = m.colors[b.colors.back()].beside[w].hi;
  }
  if(!without_points.colors.empty())
    all.push_back(std::move(without_points));
  return all;
}

} // namespace rondo::detail::inline distributed
