// The keeper of a vertex gets all sides at the end of the mesh that begin there, and sees which of them lie on others. In a good mesh none does, and
// all know that after one sum. A side on which others lie at both of its ends may have hanging vertices between; it has if such sides
// cover all of it, which the keepers add up.

#include "hanging_vertices.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "keepers.hpp"

namespace rondo::detail::inline meshes {

namespace {

/// Positions of files may have six digits, of numbers that are far larger than a side.
constexpr double near_enough = 1e-6;
constexpr double most_of_length = 1e-3;

/// Of a cell, as seen from one of its ends.
struct side {
  std::int64_t from;
  std::int64_t to;
  std::int64_t cell;
  position start;  ///< Where it begins,
  position way;    ///< from there to the other end,
  position center; ///< and to the middle of the cell.
};

/// The side of a cell goes on where another cell's ends.
struct overlap {
  side whole;
  std::int64_t hanging; ///< Where that one ends. Both begin at `whole.from`.

  /// Of the side, the lesser one first.
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> ends() const {
    return std::minmax(whole.from, whole.to);
  }
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
/// The part of `a` that is across `along`, which has a length.
position across(const position& a, const position& along) {
  const double part = product(a, along) / product(along, along);
  position left = a;
  for(std::size_t k = 0; k != 3; ++k)
    left[k] -= part * along[k];
  return left;
}

/// How far from its line a point may be that lies on it.
double tolerance(const side& whole) {
  double largest = 0;
  for(std::size_t a = 0; a != 3; ++a)
    largest =
      std::max({largest, std::abs(whole.start[a]), std::abs(whole.start[a] + whole.way[a])});
  const double all = length(whole.way);
  return std::min(near_enough * std::max(all, largest), most_of_length * all);
}

/// The cells are not on the same side of the line, as those of a mesh that goes around may seem to be. What is left of cells whose
/// corners are all on it is rounding.
bool are_across(const side& a, const side& b) {
  const position here = across(a.center, a.way), there = across(b.center, a.way);
  const double least = tolerance(a);
  return length(here) > least && length(there) > least &&
         product(here, there) < (1 - near_enough) * length(here) * length(there);
}

/// Both begin at the same vertex: whether `other` ends in the middle of `whole`, with its cell on the other side.
bool lies_on(const side& other, const side& whole) {
  const double all = length(whole.way);
  if(!(all > 0))
    return false;
  const double off = tolerance(whole);
  const double part = product(other.way, whole.way) / all;
  return part > off && part < all - off && length(across(other.way, whole.way)) <= off &&
         are_across(whole, other);
}

/// Which part of `whole` the other one covers, wherever it begins.
double covered_part(const side& whole, const side& other) {
  if(other.cell == whole.cell)
    return 0;
  const double all = length(whole.way), off = tolerance(whole);
  double before = 0;
  double part = 0;
  for(const bool is_end : {false, true}) {
    position at = between(whole.start, other.start);
    for(std::size_t a = 0; a != 3 && is_end; ++a)
      at[a] += other.way[a];
    const double along = product(at, whole.way) / all;
    if(along < -off || along > all + off || length(across(at, whole.way)) > off)
      return 0;
    part = std::abs(along - before) / all;
    before = along;
  }
  return are_across(whole, other) ? part : 0;
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
          {id, cells.vertex_id(to), cells.id(c), cells.at(from),
            between(cells.at(from), cells.at(to)), between(cells.at(from), center)});
      }
    }
  }
  return out;
}

/// Those that no two cells have, of the ones that are kept here, in the order of their vertices.
std::vector<side> sides_at_end(const std::vector<std::vector<side>>& from_ranks) {
  std::vector<side> sides;
  for(const std::vector<side>& from : from_ranks)
    sides.insert(sides.end(), from.begin(), from.end());
  const auto vertices = [](const side& s) { return std::pair(s.from, s.to); };
  std::ranges::sort(sides, {}, [](const side& s) { return std::tuple(s.from, s.to, s.cell); });
  std::vector<side> all;
  for(std::size_t k = 0; k != sides.size(); ++k)
    if((k == 0 || vertices(sides[k - 1]) != vertices(sides[k])) &&
       (k + 1 == sides.size() || vertices(sides[k + 1]) != vertices(sides[k])))
      all.push_back(sides[k]);
  return all;
}

std::vector<overlap> overlaps_of(const std::vector<side>& sides) {
  std::vector<overlap> all;
  for(auto first = sides.begin(); first != sides.end();) {
    const auto last =
      std::find_if(first, sides.end(), [first](const side& s) { return s.from != first->from; });
    for(auto whole = first; whole != last; ++whole)
      for(auto other = first; other != last; ++other)
        if(other != whole && lies_on(*other, *whole))
          all.push_back({*whole, other->to});
    first = last;
  }
  return all;
}

/// Of sides that are longer than others at both ends, one end each. Sorts.
std::vector<overlap> longer_at_both_ends(std::vector<overlap>& everywhere) {
  const auto which = [](const overlap& o) { return std::pair(o.whole.cell, o.ends()); };
  std::ranges::sort(everywhere, {},
    [&which](const overlap& o) { return std::tuple(which(o), o.hanging, o.whole.from); });
  std::vector<overlap> all;
  for(auto first = everywhere.begin(); first != everywhere.end();) {
    const auto last = std::find_if(
      first, everywhere.end(), [&](const overlap& o) { return which(o) != which(*first); });
    if(std::any_of(
         first, last, [first](const overlap& o) { return o.whole.from != first->whole.from; }))
      all.push_back(*first);
    first = last;
  }
  return all;
}

/// Whether other sides, wherever they are kept, cover all of each.
std::vector<bool> are_covered(
  team& all, const std::vector<overlap>& longer, const std::vector<side>& sides) {
  constexpr double units = 1e9; // sums of integers are the same in any order
  std::vector<std::int64_t> covered(longer.size());
  for(std::size_t k = 0; k != longer.size(); ++k)
    for(const side& s : sides)
      if(s.from < s.to) // each is kept at both of its ends
        covered[k] += std::llround(units * covered_part(longer[k].whole, s));
  all.add_up(covered);
  std::vector<bool> those;
  for(const std::int64_t c : covered)
    those.push_back(static_cast<double>(c) > (1 - most_of_length) * units);
  return those;
}

[[noreturn]] void refuse(const overlap& o) {
  const std::string vertex = std::to_string(o.hanging);
  const std::string ends =
    std::to_string(o.ends().first) + " and " + std::to_string(o.ends().second);
  throw std::invalid_argument(
    "rondo::unstructured: the vertex " + vertex + " is in the middle of a side of the cell " +
    std::to_string(o.whole.cell) + ", between its corners " + ends +
    ", and is none of its corners: the cells on the other side of it would have no face in common "
    "with this one. Add it as a corner of the cell, which is a polygon then; if nothing is to flow "
    "there, a crack in the mesh has vertices of its own on each side");
}

} // namespace

void refuse_hanging_vertices(team& all, const known_cells& cells, const cell_parts& faces) {
  const std::vector<side> sides = sides_at_end(all.swap_mail(sides_for_keepers(all, cells, faces)));
  const std::vector<overlap> found = overlaps_of(sides);
  std::int64_t count[] = {static_cast<std::int64_t>(found.size())};
  all.add_up(count);
  if(count[0] == 0)
    return;
  std::vector<overlap> everywhere;
  for(const std::vector<overlap>& from :
    all.swap_mail(std::vector<std::vector<overlap>>(all.ranks(), found)))
    everywhere.insert(everywhere.end(), from.begin(), from.end());
  const std::vector<overlap> longer = longer_at_both_ends(everywhere);
  const std::vector<bool> is_covered = are_covered(all, longer, sides);
  for(std::size_t k = 0; k != longer.size(); ++k)
    if(is_covered[k])
      refuse(longer[k]);
}

} // namespace rondo::detail::inline meshes
