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

template<std::size_t D>
detail::cut_mesh cut_of(const structured_shape<D>& s) {
  return detail::cut_mesh::of(s.extents, s.colors);
}

} // namespace

template<std::size_t D>
structured_coloring<D>::structured_coloring(const structured_shape<D>& shape) : shape_(shape) {
  check(shape);
  for(const std::int64_t n : shape.colors)
    colors_ *= static_cast<std::uint64_t>(n);
}

template<std::size_t D>
distribution structured_coloring<D>::over(unsigned ranks) const {
  detail::check_ranks(shape_.extents, ranks);
  if(colors_ < ranks)
    refuse("the mesh is cut into " + detail::product(shape_.colors) + " colors but there are " +
           std::to_string(ranks) + " ranks; take more colors or fewer ranks");
  return {cut_of(shape_), shape_.halo, ranks};
}

template<std::size_t D>
color_id structured_coloring<D>::at_place(const point<D>& place) const {
  point<3> at{};
  std::copy(place.begin(), place.end(), at.begin());
  return number_at(cut_of(shape_), at);
}

template<std::size_t D>
point<D> structured_coloring<D>::place_of(color_id color) const {
  const point<3> at = detail::place_of(cut_of(shape_), color);
  point<D> place;
  std::copy_n(at.begin(), D, place.begin());
  return place;
}

template<std::size_t D>
color_id structured_coloring<D>::owner_of(const point<D>& p) const {
  point<D> place{};
  for(std::size_t a = 0; a != D; ++a)
    place[a] =
      static_cast<std::int64_t>(detail::share_of(shape_.extents[a], shape_.colors[a], p[a]));
  return at_place(place);
}

template<std::size_t D>
std::int64_t structured_coloring<D>::begin_of(std::size_t axis, std::int64_t place) const {
  return static_cast<std::int64_t>(
    detail::share_begin(shape_.extents[axis], shape_.colors[axis], place));
}

template<std::size_t D>
box<D> structured_coloring<D>::owned_at(const point<D>& place) const {
  box<D> b;
  for(std::size_t a = 0; a != D; ++a) {
    b.lo[a] = begin_of(a, place[a]);
    b.hi[a] = begin_of(a, place[a] + 1);
  }
  return b;
}

template<std::size_t D>
box<D> structured_coloring<D>::owned(color_id color) const {
  return owned_at(place_of(color));
}

template<std::size_t D>
box<D> structured_coloring<D>::with_ghosts(color_id color) const {
  box<D> b = owned(color);
  for(std::size_t a = 0; a != D; ++a) {
    // At the end of an axis that isn't periodic there is nothing to see.
    if(shape_.periodic[a] || b.lo[a] != 0)
      b.lo[a] -= depth(a);
    if(shape_.periodic[a] || b.hi[a] != shape_.extents[a])
      b.hi[a] += depth(a);
  }
  return b;
}

template<std::size_t D>
std::vector<color_neighbour<D>> structured_coloring<D>::neighbours(color_id color) const {
  std::vector<color_neighbour<D>> found;
  if(shape_.halo == 0)
    return found;
  const point<D> place = place_of(color);
  const box<D> mine = owned_at(place);

  const auto look = [&](const point<D>& direction) {
    color_neighbour<D> n{0, direction, {}, mine, mine};
    point<D> there = place;
    for(std::size_t a = 0; a != D; ++a) {
      if(direction[a] == 0)
        continue;
      there[a] += direction[a];
      const std::int64_t last = shape_.colors[a] - 1;
      if(there[a] < 0 || there[a] > last) {
        if(!shape_.periodic[a])
          return;
        there[a] = there[a] < 0 ? last : 0;
        n.shift[a] = direction[a] * shape_.extents[a];
      }
      if(direction[a] < 0) {
        n.ghosts.hi[a] = mine.lo[a];
        n.ghosts.lo[a] = mine.lo[a] - shape_.halo;
        n.rim.hi[a] = mine.lo[a] + shape_.halo;
      }
      else {
        n.ghosts.lo[a] = mine.hi[a];
        n.ghosts.hi[a] = mine.hi[a] + shape_.halo;
        n.rim.lo[a] = mine.hi[a] - shape_.halo;
      }
    }
    n.color = at_place(there);
    found.push_back(n);
  };

  point<D> ones{};
  ones.fill(1);
  box<D>{{}, ones}.grown(1).for_each_row([&](point<D> direction, std::int64_t) {
    for(direction[0] = -1; direction[0] <= 1; ++direction[0]) {
      std::size_t sides = 0;
      for(const std::int64_t d : direction)
        sides += d != 0;
      if(sides == 1 || (sides > 1 && shape_.diagonals))
        look(direction);
    }
  });
  return found;
}

template class structured_coloring<1>;
template class structured_coloring<2>;
template class structured_coloring<3>;

} // namespace rondo
