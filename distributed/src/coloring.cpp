#include <rondo/distributed/coloring.hpp>

#include <algorithm>
#include <string>

#include <rondo/distributed/color_numbers.hpp>
#include <rondo/distributed/shares.hpp>

#include "refusal.hpp"

namespace rondo {

namespace {

using detail::along, detail::refuse;

template<std::size_t D>
void check(const structured_shape<D>& s) {
  detail::points_of(s.extents);
  detail::check_halo(s.halo);
  for(std::size_t a = 0; a != D; ++a) {
    const std::int64_t n = s.extents[a], colors = s.colors[a];
    if(colors < 1)
      refuse(std::to_string(colors) + " colors" + along(a) + "; there has to be at least one");
    if(colors > n)
      refuse(std::to_string(colors) + " colors" + along(a) + ", which has " + std::to_string(n) +
             " points; take fewer colors or a larger mesh");
    if((colors > 1 || s.periodic[a]) && s.halo > n / colors)
      refuse("a halo of " + std::to_string(s.halo) + " is deeper than the smallest color" +
             along(a) + ", which has " + std::to_string(n / colors) +
             " points; take a thinner halo, fewer colors or a larger mesh");
  }
}

constexpr std::int64_t ceiling(std::int64_t n, std::int64_t by) { return (n + by - 1) / by; }
/// Rounded down, also below 0.
constexpr std::int64_t floored(std::int64_t n, std::int64_t by) {
  return n >= 0 ? n / by : -ceiling(-n, by);
}

/// So many along an axis can be told apart by their places: see structured_points.cpp.
constexpr std::int64_t most_colors_of_coarse = std::int64_t{1} << 20U;

} // namespace

template<std::size_t D>
structured_coloring<D>::structured_coloring(const structured_shape<D>& shape)
    : shape_(shape), cut_(shape.extents) {
  check(shape);
  for(const std::int64_t n : shape.colors)
    colors_ *= static_cast<std::uint64_t>(n);
  spacing_.fill(1);
  finer_.fill(1);
}

template<std::size_t D>
structured_coloring<D> structured_coloring<D>::coarsened(const point<D>& by) const {
  structured_coloring coarse = *this;
  for(std::size_t a = 0; a != D; ++a) {
    const std::int64_t n = shape_.extents[a];
    if(by[a] < 1)
      refuse(
        "coarsened by " + std::to_string(by[a]) + along(a) + "; take 2 or 3, or 1 to leave it");
    if(shape_.periodic[a] && n % by[a] != 0)
      refuse("coarsened by " + std::to_string(by[a]) + along(a) + ", which is periodic and has " +
             std::to_string(n) + " points: take a multiple, so that its ends stay neighbours");
    if(by[a] > 1 && shape_.colors[a] > most_colors_of_coarse)
      refuse("a mesh of more than 2^20 colors" + along(a) + " can't be coarsened");
    coarse.finer_[a] = spacing_[a];
    if(n == 1)
      continue;
    coarse.shape_.extents[a] = ceiling(n, by[a]);
    coarse.spacing_[a] = coarse.shape_.extents[a] == 1 ? cut_[a] : spacing_[a] * by[a];
  }
  if(coarse.shape_.extents == shape_.extents)
    refuse("coarsened from " + detail::product(shape_.extents) + " points to as many; end there");
  return coarse;
}

template<std::size_t D>
distribution structured_coloring<D>::over(unsigned ranks) const {
  detail::check_ranks(cut_, ranks);
  if(colors_ < ranks)
    refuse("the mesh is cut into " + detail::product(shape_.colors) + " colors but there are " +
           std::to_string(ranks) + " ranks; take more colors or fewer ranks");
  return {detail::cut_mesh::of(cut_, shape_.colors), shape_.halo, ranks};
}

template<std::size_t D>
color_id structured_coloring<D>::at_place(const point<D>& place) const {
  point<3> at{};
  std::copy(place.begin(), place.end(), at.begin());
  return number_at(detail::cut_mesh::of(cut_, shape_.colors), at);
}

template<std::size_t D>
point<D> structured_coloring<D>::place_of(color_id color) const {
  const point<3> at = detail::place_of(detail::cut_mesh::of(cut_, shape_.colors), color);
  point<D> place;
  std::copy_n(at.begin(), D, place.begin());
  return place;
}

template<std::size_t D>
color_id structured_coloring<D>::owner_of(const point<D>& p) const {
  point<D> place{};
  for(std::size_t a = 0; a != D; ++a)
    place[a] =
      static_cast<std::int64_t>(detail::share_of(cut_[a], shape_.colors[a], p[a] * spacing_[a]));
  return at_place(place);
}

/// The first point of a slab of colors, in a mesh of that spacing.
template<std::size_t D>
std::int64_t structured_coloring<D>::begin_of(
  std::size_t axis, std::int64_t place, std::int64_t spacing) const {
  const std::int64_t colors = shape_.colors[axis];
  const std::int64_t around = floored(place, colors);
  const auto begin =
    static_cast<std::int64_t>(detail::share_begin(cut_[axis], colors, place - around * colors));
  return ceiling(begin, spacing) + around * ceiling(cut_[axis], spacing);
}

template<std::size_t D>
auto structured_coloring<D>::points_at(
  std::size_t axis, std::int64_t place, std::int64_t spacing) const -> interval {
  return {begin_of(axis, place, spacing), begin_of(axis, place + 1, spacing)};
}

/// The next one that has points of the next finer mesh.
template<std::size_t D>
std::int64_t structured_coloring<D>::next_place(
  std::size_t axis, std::int64_t place, bool upwards, bool& is_there) const {
  const interval here = points_at(axis, place, finer_[axis]);
  const std::int64_t beside = upwards ? here.last : here.first - 1;
  const std::int64_t all = ceiling(cut_[axis], finer_[axis]);
  const std::int64_t around = floored(beside, all);
  is_there = around == 0 || shape_.periodic[axis];
  if(!is_there)
    return place;
  const std::int64_t at = (beside - around * all) * finer_[axis];
  return static_cast<std::int64_t>(detail::share_of(cut_[axis], shape_.colors[axis], at)) +
         around * shape_.colors[axis];
}

/// In the order of their places; among them the one itself, with its own points.
template<std::size_t D>
auto structured_coloring<D>::slabs_around(std::size_t axis, std::int64_t place) const
  -> std::vector<slab> {
  const interval mine = points_at(axis, place, spacing_[axis]);
  const std::int64_t halo = shape_.halo;
  std::vector<slab> found;
  bool is_there = true;
  for(std::int64_t q = place;;) {
    q = next_place(axis, q, false, is_there);
    const interval there = points_at(axis, q, spacing_[axis]);
    if(!is_there || there.last <= mine.first - halo)
      break;
    found.push_back({q, {std::max(there.first, mine.first - halo), there.last},
      {mine.first, std::min(mine.last, there.last + halo)}});
  }
  std::reverse(found.begin(), found.end());
  found.push_back({place, mine, mine});
  for(std::int64_t q = place;;) {
    q = next_place(axis, q, true, is_there);
    const interval there = points_at(axis, q, spacing_[axis]);
    if(!is_there || there.first >= mine.last + halo)
      break;
    found.push_back({q, {there.first, std::min(there.last, mine.last + halo)},
      {std::max(mine.first, there.first - halo), mine.last}});
  }
  return found;
}

template<std::size_t D>
box<D> structured_coloring<D>::owned_at(const point<D>& place) const {
  box<D> b;
  for(std::size_t a = 0; a != D; ++a) {
    const interval i = points_at(a, place[a], spacing_[a]);
    b.lo[a] = i.first;
    b.hi[a] = i.last;
  }
  return b;
}

/// It has points of the next finer mesh.
template<std::size_t D>
bool structured_coloring<D>::sees_any(const point<D>& place) const {
  for(std::size_t a = 0; a != D; ++a) {
    const interval i = points_at(a, place[a], finer_[a]);
    if(i.first == i.last)
      return false;
  }
  return true;
}

template<std::size_t D>
box<D> structured_coloring<D>::owned(color_id color) const {
  return owned_at(place_of(color));
}

template<std::size_t D>
box<D> structured_coloring<D>::with_ghosts(color_id color) const {
  const point<D> place = place_of(color);
  box<D> b = owned_at(place);
  if(!sees_any(place))
    return b;
  for(std::size_t a = 0; a != D; ++a) {
    b.lo[a] -= depth(a);
    b.hi[a] += depth(a);
    if(shape_.periodic[a])
      continue;
    // At the end of an axis that isn't periodic there is nothing to see.
    b.lo[a] = std::max<std::int64_t>(b.lo[a], 0);
    b.hi[a] = std::min(b.hi[a], shape_.extents[a]);
  }
  return b;
}

template<std::size_t D>
std::vector<color_neighbour<D>> structured_coloring<D>::neighbours(color_id color) const {
  std::vector<color_neighbour<D>> found;
  const point<D> place = place_of(color);
  if(shape_.halo == 0 || !sees_any(place))
    return found;
  std::array<std::vector<slab>, D> slabs;
  box<D> which; // a slab along each axis
  for(std::size_t a = 0; a != D; ++a) {
    slabs[a] = slabs_around(a, place[a]);
    which.hi[a] = static_cast<std::int64_t>(slabs[a].size());
  }

  const auto look = [&](const point<D>& at) {
    color_neighbour<D> n{};
    point<D> there{};
    std::size_t sides = 0;
    for(std::size_t a = 0; a != D; ++a) {
      const slab& s = slabs[a][static_cast<std::size_t>(at[a])];
      const std::int64_t around = floored(s.place, shape_.colors[a]);
      there[a] = s.place - around * shape_.colors[a];
      n.shift[a] = around * shape_.extents[a];
      n.direction[a] = s.place - place[a];
      sides += n.direction[a] != 0;
      n.ghosts.lo[a] = s.ghosts.first;
      n.ghosts.hi[a] = s.ghosts.last;
      n.rim.lo[a] = s.rim.first;
      n.rim.hi[a] = s.rim.last;
    }
    if(sides == 0 || (sides > 1 && !shape_.diagonals) || (n.ghosts.empty() && n.rim.empty()))
      return;
    n.color = at_place(there);
    found.push_back(n);
  };

  which.for_each_row([&](point<D> at, std::int64_t length) {
    for(; at[0] != length; ++at[0])
      look(at);
  });
  return found;
}

template class structured_coloring<1>;
template class structured_coloring<2>;
template class structured_coloring<3>;

} // namespace rondo
