// The keeper of a vertex gets all sides at the end of the mesh that begin there, and sees which of them lie on others. A side that is
// longer than others at both of its ends has a hanging vertex. In a good mesh nothing is longer, and all know that after one sum.

#include "hanging_vertices.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "keepers.hpp"

namespace rondo::detail::inline meshes {

namespace {

/// Of the length of a side: positions of files may have six digits.
constexpr double near_enough = 1e-6;

/// Of a cell, as seen from one of its ends.
struct side {
  std::int64_t from;
  std::int64_t to;
  std::int64_t cell;
  position way;    ///< From one to the other,
  position center; ///< and to the middle of the cell.
};

/// The side of a cell goes on where another cell's ends.
struct overlap {
  std::int64_t cell;
  std::array<std::int64_t, 2> ends; ///< Of the side, in ascending order.
  std::int64_t from;                ///< The one that both sides have.
  std::int64_t hanging;
};

position between(const position& from, const position& to) {
  position way{};
  for(std::size_t a = 0; a != 3; ++a)
    way[a] = to[a] - from[a];
  return way;
}
double product(const position& a, const position& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
double length(const position& a) { return std::sqrt(product(a, a)); }
/// What of `a` is across `along`, which has a length.
position across(const position& a, const position& along) {
  const double part = product(a, along) / product(along, along);
  position left = a;
  for(std::size_t k = 0; k != 3; ++k)
    left[k] -= part * along[k];
  return left;
}

/// Both begin at the same vertex: whether `other` ends in the middle of `whole`, with its cell on the other side.
bool lies_on(const side& other, const side& whole) {
  const double all = length(whole.way);
  if(!(all > 0))
    return false;
  const double part = product(other.way, whole.way) / all;
  if(part <= near_enough * all || part >= (1 - near_enough) * all ||
     length(across(other.way, whole.way)) > near_enough * all)
    return false;
  const position here = across(whole.center, whole.way);
  const position there = across(other.center, whole.way);
  // What is left of cells whose corners are all on this line is rounding.
  return length(here) > near_enough * all && length(there) > near_enough * all &&
         product(here, there) < -near_enough * length(here) * length(there);
}

/// Faces that only one cell has which is known here. Another rank may have a cell with it.
std::vector<std::vector<side>> sides_for_keepers(
  const team& all, const known_cells& cells, const cell_parts& faces) {
  std::vector<std::uint8_t> cells_with_it(faces.size());
  for(std::size_t c = 0; c != cells.size(); ++c)
    for(const std::int32_t f : faces.of(c))
      ++cells_with_it[static_cast<std::size_t>(f)];
  std::vector<std::vector<side>> out(all.ranks());
  for(std::size_t c = 0; c != cells.own(); ++c) {
    const auto corners = cells.corners(c);
    const auto its = faces.of(c);
    for(std::size_t k = 0; k != its.size(); ++k) {
      if(cells_with_it[static_cast<std::size_t>(its[k])] != 1)
        continue;
      const corner_list ends =
        part_of_shape(cells.dimension(), corners.size(), element_kind::faces, k);
      const position center = cells.center(c);
      for(const bool turns : {false, true}) {
        const std::int32_t from = corners[ends.at[turns ? 1 : 0]];
        const std::int32_t to = corners[ends.at[turns ? 0 : 1]];
        const std::int64_t id = cells.vertex_id(from);
        out[rank_that_keeps({0, static_cast<std::uint64_t>(id)}, all.ranks())].push_back(
          {id, cells.vertex_id(to), cells.id(c), between(cells.at(from), cells.at(to)),
            between(cells.at(from), center)});
      }
    }
  }
  return out;
}

/// All begin at the same vertex, and are in the order of their ends.
void add_overlaps(std::span<const side> sides, std::vector<overlap>& to) {
  // What two cells have is between these.
  const auto is_at_end = [sides](std::size_t k) {
    return (k == 0 || sides[k - 1].to != sides[k].to) &&
           (k + 1 == sides.size() || sides[k + 1].to != sides[k].to);
  };
  for(std::size_t k = 0; k != sides.size(); ++k)
    for(std::size_t n = 0; n != sides.size(); ++n)
      if(n != k && is_at_end(k) && is_at_end(n) && lies_on(sides[n], sides[k]))
        to.push_back({sides[k].cell,
          {std::min(sides[k].from, sides[k].to), std::max(sides[k].from, sides[k].to)},
          sides[k].from, sides[n].to});
}

std::vector<overlap> overlaps_of(const std::vector<std::vector<side>>& from_ranks) {
  std::vector<side> sides;
  for(const std::vector<side>& from : from_ranks)
    sides.insert(sides.end(), from.begin(), from.end());
  std::ranges::sort(sides, {}, [](const side& s) { return std::tuple(s.from, s.to, s.cell); });
  std::vector<overlap> all;
  for(auto first = sides.begin(); first != sides.end();) {
    const auto last =
      std::find_if(first, sides.end(), [first](const side& s) { return s.from != first->from; });
    add_overlaps({first, last}, all);
    first = last;
  }
  return all;
}

[[noreturn]] void refuse(const overlap& o) {
  const std::string vertex = std::to_string(o.hanging);
  const std::string ends = std::to_string(o.ends[0]) + " and " + std::to_string(o.ends[1]);
  throw std::invalid_argument(
    "rondo::unstructured: the vertex " + vertex + " is in the middle of a side of the cell " +
    std::to_string(o.cell) + ", between its corners " + ends +
    ", and is none of its corners: the cells on the other side of it would have no face in common "
    "with this one. Add it as a corner of the cell, which is a polygon then; if nothing is to flow "
    "there, a crack in the mesh has vertices of its own on each side");
}

} // namespace

void refuse_hanging_vertices(team& all, const known_cells& cells, const cell_parts& faces) {
  const std::vector<overlap> found =
    overlaps_of(all.swap_mail(sides_for_keepers(all, cells, faces)));
  std::int64_t count[] = {static_cast<std::int64_t>(found.size())};
  all.add_up(count);
  if(count[0] == 0)
    return;
  std::vector<overlap> everywhere;
  for(const std::vector<overlap>& from :
    all.swap_mail(std::vector<std::vector<overlap>>(all.ranks(), found)))
    everywhere.insert(everywhere.end(), from.begin(), from.end());
  std::ranges::sort(
    everywhere, {}, [](const overlap& o) { return std::tuple(o.cell, o.ends, o.hanging, o.from); });
  for(const overlap& o : everywhere)
    if(std::ranges::any_of(everywhere, [&o](const overlap& other) {
         return other.cell == o.cell && other.ends == o.ends && other.from != o.from;
       }))
      refuse(o);
}

} // namespace rondo::detail::inline meshes
