#include <rondo/distributed/coloring.hpp>

#include <algorithm>
#include <string>

#include <rondo/distributed/color_numbers.hpp>
#include <rondo/distributed/shares.hpp>

#include "refusal.hpp"

namespace rondo {

namespace {

using detail::along, detail::refuse;

/// No color's box can have more than 2^62 points with these, unless it has too many without.
constexpr std::int64_t most_beyond = std::int64_t{1} << 16U;

template<std::size_t D>
void check(const structured_shape<D>& s) {
  detail::points_of(s.extents);
  detail::check_halo(s.halo);
  if(s.beyond < 0 || s.beyond > most_beyond)
    refuse(std::to_string(s.beyond) +
           " points beyond the ends; take as many as tasks look at there, or 0");
  for(std::size_t a = 0; a != D; ++a) {
    const std::int64_t n = s.extents[a], colors = s.colors[a];
    if(colors < 1)
      refuse(std::to_string(colors) + " colors" + along(a) +
             "; there has to be at least one along each axis, or 0 along all of them: then they "
             "are chosen");
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
    : shape_(shape), cut_(shape.extents), cells_(shape.extents) {
  check(shape);
  for(const std::int64_t n : shape.colors)
    colors_ *= static_cast<std::uint64_t>(n);
  spacing_.fill(1);
  finer_.fill(1);
  for(std::size_t a = 0; a != D; ++a)
    end_[a] = finer_end_[a] = shape.colors[a] - 1;
}

template<std::size_t D>
structured_coloring<D> structured_coloring<D>::coarsened(const point<D>& by) const {
  structured_coloring coarse = *this;
  for(std::size_t a = 0; a != D; ++a) {
    const std::int64_t n = cells_[a];
    if(by[a] < 1)
      refuse(
        "coarsened by " + std::to_string(by[a]) + along(a) + "; take 2 or 3, or 1 to leave it");
    if(shape_.periodic[a] && n % by[a] != 0)
      refuse("coarsened by " + std::to_string(by[a]) + along(a) + ", which is periodic and has " +
             std::to_string(n) + " points: take a multiple, so that its ends stay neighbours");
    if(by[a] > 1 && shape_.colors[a] > most_colors_of_coarse)
      refuse("a mesh of more than 2^20 colors" + along(a) + " can't be coarsened");
    coarse.finer_[a] = spacing_[a];
    coarse.finer_end_[a] = end_[a];
    coarse.end_[a] = place_of_cell(a, n - 1);
    if(n == 1)
      continue;
    coarse.cells_[a] = ceiling(n, by[a]);
    coarse.shape_.extents[a] = coarse.cells_[a] + more_[a];
    coarse.spacing_[a] = coarse.cells_[a] == 1 ? cut_[a] : spacing_[a] * by[a];
  }
  if(coarse.cells_ == cells_)
    refuse("coarsened from " + detail::product(shape_.extents) + " points to as many; end there");
  return coarse;
}

template<std::size_t D>
structured_coloring<D> structured_coloring<D>::staggered(const std::array<bool, D>& along) const {
  structured_coloring other = *this;
  for(std::size_t a = 0; a != D; ++a) {
    other.more_[a] = along[a] && !shape_.periodic[a] ? 1 : 0;
    other.shape_.extents[a] = cells_[a] + other.more_[a];
  }
  return other;
}

template<std::size_t D>
structured_coloring<D> structured_coloring<D>::with_halo(std::int64_t halo) const {
  detail::check_halo(halo);
  if(halo > shape_.halo)
    refuse("a halo of " + std::to_string(halo) + " for a field of a mesh that has one of " +
           std::to_string(shape_.halo) + "; make the mesh with .halo = " + std::to_string(halo));
  structured_coloring other = *this;
  other.shape_.halo = halo;
  return other;
}

template<std::size_t D>
bool structured_coloring<D>::is_coarse() const {
  point<D> ones;
  ones.fill(1);
  return spacing_ != ones;
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
std::int64_t structured_coloring<D>::place_of_cell(std::size_t axis, std::int64_t cell) const {
  return static_cast<std::int64_t>(
    detail::share_of(cut_[axis], shape_.colors[axis], cell * spacing_[axis]));
}

template<std::size_t D>
color_id structured_coloring<D>::owner_of(const point<D>& p) const {
  point<D> place{};
  for(std::size_t a = 0; a != D; ++a) {
    const bool is_last = more_[a] != 0 && p[a] >= cells_[a];
    place[a] =
      is_last ? end_[a] : place_of_cell(a, std::clamp<std::int64_t>(p[a], 0, cells_[a] - 1));
  }
  return at_place(place);
}

/// The first cell of a slab of colors, in a mesh of that spacing.
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
auto structured_coloring<D>::cells_at(
  std::size_t axis, std::int64_t place, std::int64_t spacing) const -> interval {
  return {begin_of(axis, place, spacing), begin_of(axis, place + 1, spacing)};
}

/// Behind the last cell there is one point more, perhaps.
template<std::size_t D>
auto structured_coloring<D>::points_at(std::size_t axis, std::int64_t place) const -> interval {
  interval i = cells_at(axis, place, spacing_[axis]);
  if(place == end_[axis])
    i.last += more_[axis];
  return i;
}

template<std::size_t D>
auto structured_coloring<D>::with_beyond_at(std::size_t axis, std::int64_t place) const
  -> interval {
  interval i = points_at(axis, place);
  if(shape_.periodic[axis] || i.first == i.last)
    return i;
  if(i.last == shape_.extents[axis])
    i.last += shape_.beyond;
  if(i.first == 0)
    i.first -= shape_.beyond;
  return i;
}

/// The next one that has points of the next finer mesh.
template<std::size_t D>
std::int64_t structured_coloring<D>::next_place(
  std::size_t axis, std::int64_t place, bool upwards, bool& is_there) const {
  const interval here = cells_at(axis, place, finer_[axis]);
  const std::int64_t beside = upwards ? here.last : here.first - 1;
  const std::int64_t all = ceiling(cut_[axis], finer_[axis]);
  const std::int64_t around = floored(beside, all);
  is_there = around == 0 || shape_.periodic[axis];
  if(!is_there) { // that has its last point, perhaps, and none of its cells
    is_there = upwards && more_[axis] != 0 && place < finer_end_[axis];
    return is_there ? finer_end_[axis] : place;
  }
  const std::int64_t at = (beside - around * all) * finer_[axis];
  return static_cast<std::int64_t>(detail::share_of(cut_[axis], shape_.colors[axis], at)) +
         around * shape_.colors[axis];
}

/// The links of the colors at `place` with those at `other`. The points that these are about to see are as deep as the halo from theirs on,
/// whether this is beyond the end of the mesh or not.
template<std::size_t D>
auto structured_coloring<D>::slab_beside(
  std::size_t axis, std::int64_t place, std::int64_t other) const -> slab {
  const auto seen = [&](std::int64_t from, std::int64_t of) {
    const interval here = points_at(axis, from), there = with_beyond_at(axis, of);
    const std::int64_t first = std::max(there.first, here.first - shape_.halo);
    return interval{first, std::max(first, std::min(there.last, here.last + shape_.halo))};
  };
  return {other, seen(place, other), seen(other, place)};
}

/// In the order of their places; among them the one itself, with all that it has.
template<std::size_t D>
auto structured_coloring<D>::slabs_around(std::size_t axis, std::int64_t place) const
  -> std::vector<slab> {
  const interval mine = cells_at(axis, place, spacing_[axis]);
  const std::int64_t halo = shape_.halo;
  std::vector<slab> found;
  bool is_there = true;
  for(std::int64_t q = place;;) {
    q = next_place(axis, q, false, is_there);
    if(!is_there || cells_at(axis, q, spacing_[axis]).last <= mine.first - halo)
      break;
    found.push_back(slab_beside(axis, place, q));
  }
  std::reverse(found.begin(), found.end());
  const interval all = with_beyond_at(axis, place);
  found.push_back({place, all, all});
  for(std::int64_t q = place;;) {
    q = next_place(axis, q, true, is_there);
    if(!is_there || cells_at(axis, q, spacing_[axis]).first >= mine.last + halo)
      break;
    found.push_back(slab_beside(axis, place, q));
  }
  return found;
}

template<std::size_t D>
box<D> structured_coloring<D>::owned_at(const point<D>& place) const {
  box<D> b;
  for(std::size_t a = 0; a != D; ++a) {
    const interval i = points_at(a, place[a]);
    b.lo[a] = i.first;
    b.hi[a] = i.last;
  }
  return b;
}

template<std::size_t D>
box<D> structured_coloring<D>::with_beyond(color_id color) const {
  const point<D> place = place_of(color);
  box<D> b;
  for(std::size_t a = 0; a != D; ++a) {
    const interval i = with_beyond_at(a, place[a]);
    b.lo[a] = i.first;
    b.hi[a] = i.last;
  }
  return b;
}

/// It has points of the next finer mesh.
template<std::size_t D>
bool structured_coloring<D>::sees_any(const point<D>& place) const {
  for(std::size_t a = 0; a != D; ++a) {
    const interval i = cells_at(a, place[a], finer_[a]);
    if(i.first == i.last && (more_[a] == 0 || place[a] != finer_end_[a]))
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
  box<D> b = with_beyond(color);
  if(!sees_any(place))
    return b;
  for(std::size_t a = 0; a != D; ++a) {
    const interval i = points_at(a, place[a]);
    std::int64_t first = i.first - depth(a), last = i.last + depth(a);
    if(!shape_.periodic[a]) { // further than beyond the ends of the mesh there is nothing to see
      first = std::max(first, -shape_.beyond);
      last = std::min(last, shape_.extents[a] + shape_.beyond);
    }
    b.lo[a] = std::min(b.lo[a], first);
    b.hi[a] = std::max(b.hi[a], last);
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
