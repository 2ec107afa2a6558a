// Which cells are in the first half of a part follows from the centers of the part's cells, and from how many colors and cells the
// mesh has: so it doesn't matter which rank has which cell, and whether one rank halves a part or all ranks do.
//
// First all ranks halve all parts at once, again and again, until there are some for each rank. Then each rank gets the cells of
// its parts, and goes on alone.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include <rondo/distributed/shares.hpp>
#include <rondo/meshes/cut.hpp>

#include "cut_cell.hpp"
#include "cut_order.hpp"
#include "nth_places.hpp"
#include "ranks_of_cells.hpp"

namespace rondo {

namespace detail::inline meshes {

namespace {

/// How many cells some colors have: of all colors as many, up to one.
struct cell_shares {
  std::uint64_t cells = 0;
  color_id colors = 0;

  [[nodiscard]] std::uint64_t of(const color_range& some) const {
    return share_begin(cells, colors, some.last) - share_begin(cells, colors, some.first);
  }
};

/// The part that is cut next, and the cells of it that this rank has.
struct cut_part {
  color_range colors;
  std::span<cut_cell> cells;

  [[nodiscard]] color_range first_half() const {
    return {colors.first, colors.first + colors.size() / 2};
  }
  /// The cells before `middle` are its first half.
  [[nodiscard]] std::pair<cut_part, cut_part> halves(std::span<cut_cell>::iterator middle) const {
    const color_id between = first_half().last;
    return {{{colors.first, between}, {cells.begin(), middle}},
      {{between, colors.last}, {middle, cells.end()}}};
  }
  void put_in_order(const center_box& around) const {
    const cut_order order(around);
    for(cut_cell& c : cells)
      c.place.key = order.key(c.at);
  }
};

center_box box_around(std::span<const cut_cell> cells) {
  center_box made;
  for(const cut_cell& c : cells)
    made.include(c.at);
  return made;
}

/// Of all ranks' cells of each part.
std::vector<center_box> boxes_around(team& all, std::span<const cut_part> parts) {
  std::vector<double> bounds;
  for(const cut_part& p : parts) {
    const center_box own = box_around(p.cells);
    for(std::size_t a = 0; a != 3; ++a) {
      bounds.push_back(own.least[a]);
      bounds.push_back(-own.most[a]);
    }
  }
  all.take_least(bounds);
  std::vector<center_box> made(parts.size());
  auto bound = bounds.begin();
  for(center_box& b : made)
    for(std::size_t a = 0; a != 3; ++a) {
      b.least[a] = *bound++;
      b.most[a] = -*bound++;
    }
  return made;
}

/// By all ranks. Parts of one color stay as they are.
std::vector<cut_part> halved_by_all(
  team& all, std::span<const cut_part> parts, const cell_shares& shares) {
  const std::vector<center_box> boxes = boxes_around(all, parts);
  std::vector<nth_of_part> middles;
  for(std::size_t p = 0; p != parts.size(); ++p)
    if(parts[p].colors.size() > 1) {
      parts[p].put_in_order(boxes[p]);
      middles.push_back(
        {parts[p].cells, shares.of(parts[p].colors), shares.of(parts[p].first_half())});
    }
  const std::vector<cut_place> found =
    nth_places(all, middles, static_cast<unsigned>(std::bit_width(shares.cells)));
  std::vector<cut_part> made;
  auto middle = found.begin();
  for(const cut_part& p : parts) {
    if(p.colors.size() == 1) {
      made.push_back(p);
      continue;
    }
    const auto at = std::partition(
      p.cells.begin(), p.cells.end(), [&](const cut_cell& c) { return c.place < *middle; });
    ++middle;
    const auto [first, last] = p.halves(at);
    made.push_back(first);
    made.push_back(last);
  }
  return made;
}

/// The color of a cell, on its way to the rank that has asked for it.
struct colored_cell {
  std::int64_t number = 0;
  color_id color = 0;
};

/// Which ranks have asked for which cells, and what they are told.
class askers {
public:
  askers(team& all, const uncut_cells& cells)
      : ranks_(all, cells), first_(cells.first), own_(cells.centers.size()), out_(all.ranks()) {}

  void tell(const cut_part& part) {
    for(const cut_cell& c : part.cells) {
      const colored_cell told{c.place.number, part.colors.first};
      if(static_cast<std::uint64_t>(told.number - first_) < own_.size())
        put(told);
      else
        out_[ranks_.rank_of(told.number)].push_back(told);
    }
  }
  [[nodiscard]] std::vector<color_id> answers(team& all) && {
    for(const auto& from : all.swap_mail(std::move(out_)))
      for(const colored_cell& told : from)
        put(told);
    return std::move(own_);
  }

private:
  ranks_of_cells ranks_;
  std::int64_t first_;
  std::vector<color_id> own_;
  std::vector<std::vector<colored_cell>> out_;

  void put(const colored_cell& told) {
    own_[static_cast<std::size_t>(told.number - first_)] = told.color;
  }
};

/// By this rank, which has all cells of the part.
void cut_alone(const cut_part& part, const cell_shares& shares, askers& to) {
  if(part.colors.size() == 1) {
    to.tell(part);
    return;
  }
  part.put_in_order(box_around(part.cells));
  const auto middle =
    part.cells.begin() + static_cast<std::ptrdiff_t>(shares.of(part.first_half()));
  std::nth_element(part.cells.begin(), middle, part.cells.end(),
    [](const cut_cell& a, const cut_cell& b) { return a.place < b.place; });
  const auto [first, last] = part.halves(middle);
  cut_alone(first, shares, to);
  cut_alone(last, shares, to);
}

/// Each rank gets all cells of some of the parts. Returns the cells that this rank has now of each part.
std::vector<std::vector<cut_cell>> deal_parts(team& all, std::span<const cut_part> parts) {
  const auto rank_of = [&](std::size_t part) { return part * all.ranks() / parts.size(); };
  std::vector<std::vector<cut_cell>> out(all.ranks());
  for(std::size_t p = 0; p != parts.size(); ++p)
    if(rank_of(p) != all.rank())
      for(const cut_cell& c : parts[p].cells)
        out[rank_of(p)].push_back({c.at, {p, c.place.number}}); // On the way the key is the part.
  const auto in = all.swap_mail(std::move(out));

  std::vector<std::size_t> sizes(parts.size());
  for(const auto& from : in)
    for(const cut_cell& c : from)
      ++sizes[c.place.key];
  std::vector<std::vector<cut_cell>> made(parts.size());
  for(std::size_t p = 0; p != parts.size(); ++p)
    if(rank_of(p) == all.rank()) {
      made[p].reserve(parts[p].cells.size() + sizes[p]);
      made[p].assign(parts[p].cells.begin(), parts[p].cells.end());
    }
  for(const auto& from : in)
    for(const cut_cell& c : from)
      made[c.place.key].push_back(c);
  return made;
}

/// All ranks find the same mistake, so that none waits for the others.
void check(team& all, const uncut_cells& cells, color_id colors) {
  const std::string_view who = "rondo::unstructured: ";
  const auto in_all = static_cast<std::uint64_t>(cells.in_all);
  if(colors == 0 || colors > in_all)
    throw std::invalid_argument(std::string(who) + std::to_string(colors) + " colors of " +
                                std::to_string(in_all) + " cells; each color needs a cell");
  double wrong = std::numeric_limits<double>::infinity();
  for(std::size_t c = 0; c != cells.centers.size(); ++c)
    if(!std::ranges::all_of(cells.centers[c], [](double x) { return std::isfinite(x); })) {
      wrong = static_cast<double>(cells.first + static_cast<std::int64_t>(c));
      break;
    }
  all.take_least(std::span(&wrong, 1));
  if(wrong != std::numeric_limits<double>::infinity())
    throw std::invalid_argument(std::string(who) + "the center of cell " +
                                std::to_string(static_cast<std::int64_t>(wrong)) +
                                " is nowhere: a coordinate of it is infinite, or no number");
}

} // namespace

} // namespace detail::inline meshes

std::vector<color_id> cut_by_bisection(
  detail::team& all, const uncut_cells& cells, color_id colors) {
  detail::check(all, cells, colors);
  const detail::cell_shares shares{static_cast<std::uint64_t>(cells.in_all), colors};
  detail::askers to(all, cells);

  std::vector<detail::cut_cell> own;
  own.reserve(cells.centers.size());
  for(const position& at : cells.centers)
    own.push_back({at, {0, cells.first + static_cast<std::int64_t>(own.size())}});
  std::vector<detail::cut_part> parts{{{0, colors}, own}};
  // Two parts for each rank, so that none gets many more cells than the others.
  while(parts.size() < colors && parts.size() + 1 < 2 * std::size_t{all.ranks()})
    parts = detail::halved_by_all(all, parts, shares);

  std::vector<std::vector<detail::cut_cell>> dealt;
  if(all.ranks() > 1) {
    dealt = detail::deal_parts(all, parts);
    for(std::size_t p = 0; p != parts.size(); ++p)
      parts[p].cells = dealt[p];
  }
  for(const detail::cut_part& p : parts)
    if(!p.cells.empty())
      detail::cut_alone(p, shares, to);
  return std::move(to).answers(all);
}

} // namespace rondo
