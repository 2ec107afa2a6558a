#include <rondo/distributed/structured_points.hpp>

#include <algorithm>

namespace rondo::detail::inline distributed {

namespace {

template<std::size_t D>
box<D> around(const box<D>& a, const box<D>& b) {
  box<D> both;
  for(std::size_t i = 0; i != D; ++i) {
    both.lo[i] = std::min(a.lo[i], b.lo[i]);
    both.hi[i] = std::max(a.hi[i], b.hi[i]);
  }
  return both;
}

/// Directions as numbers, in the order of neighbours. Along each axis they are below 2^20: coloring.cpp.
template<std::size_t D>
std::uint64_t number_of(const point<D>& direction, std::int64_t sign) {
  constexpr std::int64_t middle = std::int64_t{1} << 20U;
  std::uint64_t number = 0;
  for(std::size_t a = D; a-- != 0;)
    number = number << 21U | static_cast<std::uint64_t>(sign * direction[a] + middle);
  return number;
}

/// Some ghosts are beside a color along two axes at once.
template<std::size_t D>
bool has_corners(const structured_coloring<D>& mesh) {
  std::size_t axes = 0;
  for(std::size_t a = 0; a != D; ++a)
    axes += mesh.depth(a) != 0 ? 1 : 0;
  return axes > 1 && mesh.shape().diagonals;
}

/// So few points that beyond it others are seen that its neighbour sees as well.
template<std::size_t D>
bool is_thin(const structured_coloring<D>& mesh, const box<D>& owned) {
  for(std::size_t a = 0; a != D; ++a)
    if(owned.length(a) < mesh.depth(a))
      return true;
  return owned.empty();
}

} // namespace

template<std::size_t D>
block_layout structured_points<D>::layout(color_id color) const {
  return block_layout::around(mesh_.with_ghosts(color));
}

template<std::size_t D>
selection structured_points<D>::owned(color_id color) const {
  return selection::of(mesh_.with_beyond(color));
}

template<std::size_t D>
std::vector<neighbour> structured_points<D>::neighbours(color_id color) const {
  std::vector<neighbour> all;
  for(const color_neighbour<D>& n : mesh_.neighbours(color))
    all.push_back({n.color, number_of(n.direction, 1), number_of(n.direction, -1),
      selection::of(n.ghosts), selection::of(n.seen_from_there(n.ghosts)), selection::of(n.rim)});
  return all;
}

template<std::size_t D>
std::optional<block_layout> structured_points<D>::together(const color_set& colors) const {
  if(colors.size() < 2 || has_corners(mesh_))
    return std::nullopt;
  box<D> all = mesh_.with_ghosts(colors[0]);
  box<D> all_owned = mesh_.with_beyond(colors[0]);
  std::int64_t points = 0;
  for(const color_id c : colors) {
    if(is_thin(mesh_, mesh_.owned(c)))
      return std::nullopt;
    const box<D> owned = mesh_.with_beyond(c);
    all = around(all, mesh_.with_ghosts(c));
    all_owned = around(all_owned, owned);
    points += owned.size();
  }
  if(points != all_owned.size())
    return std::nullopt;
  return block_layout::around(all);
}

template<std::size_t D>
bool structured_points<D>::has_ghosts() const {
  bool any = false;
  for(std::size_t a = 0; a != D; ++a)
    any = any || mesh_.depth(a) != 0;
  return any;
}

template class structured_points<1>;
template class structured_points<2>;
template class structured_points<3>;

} // namespace rondo::detail::inline distributed
