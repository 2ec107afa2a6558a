// Cells that lie nowhere get coordinates: how much nearer they are to one of two landmarks than to the other one, for three pairs
// of these. All of that is whole numbers, so no rank sees anything that others would not.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

#include <rondo/meshes/cut.hpp>

#include "link_distances.hpp"

namespace rondo {

namespace detail::inline meshes {

namespace {

using numbers = link_distances::numbers;

/// Of a cell its three coordinates, and where its island is.
struct cell_place {
  std::int64_t u, v, w;
  std::int64_t middle;
};

template<class F>
numbers of_each(std::size_t count, const F& f) {
  numbers made(count);
  for(std::size_t c = 0; c != count; ++c)
    made[c] = f(c);
  return made;
}

// The first pair is as far apart as may be. The others lie where the coordinates before are about 0, and far from each other there.
std::vector<cell_place> places_of(team& all, colors_around& cells) {
  const std::size_t own = cells.own();
  const link_distances links(all, cells);
  const auto distances_from_highest = [&](const auto& score) {
    return links.from(links.highest(of_each(own, score)));
  };
  const numbers d = links.from(links.first_of_islands());
  const numbers a = distances_from_highest([&](std::size_t c) { return d[c]; });
  const numbers b = distances_from_highest([&](std::size_t c) { return a[c]; });
  const auto u = [&](std::size_t c) { return a[c] - b[c]; };
  const numbers e = distances_from_highest([&](std::size_t c) { return std::min(a[c], b[c]); });
  const numbers f = distances_from_highest([&](std::size_t c) { return e[c] - std::abs(u(c)); });
  const auto v = [&](std::size_t c) { return e[c] - f[c]; };
  const numbers g = distances_from_highest(
    [&](std::size_t c) { return 2 * std::min(e[c], f[c]) - std::abs(u(c)); });
  const numbers h =
    distances_from_highest([&](std::size_t c) { return g[c] - std::abs(u(c)) - std::abs(v(c)); });
  const auto w = [&](std::size_t c) { return g[c] - h[c]; };
  const numbers middles = links.middles_of_islands(of_each(own, [&](std::size_t c) {
    return 2 * (std::abs(u(c)) + std::abs(v(c)) + std::abs(w(c))); // no axis below goes farther
  }));
  std::vector<cell_place> made(own);
  for(std::size_t c = 0; c != own; ++c)
    made[c] = {u(c), v(c), w(c), middles[c]};
  return made;
}

/// Ways to look at coordinates: of grids some lie along diagonals, and cuts along these are long.
struct axes {
  struct axis {
    std::int64_t u, v, w;
  };
  axis x, y, z;
};
constexpr axes ways[] = {
  {{1, 0, 0}, {0, 1, 0}, {0, 0, 0}},
  {{1, 1, 0}, {1, -1, 0}, {0, 0, 0}},
  {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
  {{2, -2, 0}, {1, 1, 2}, {1, 1, -2}},
  {{2, 2, 0}, {1, -1, 2}, {1, -1, -2}},
};

double along(const axes::axis& a, const cell_place& p, std::int64_t more = 0) {
  return static_cast<double>(a.u * p.u + a.v * p.v + a.w * p.w + more);
}

/// How many links are between colors; each is counted twice.
std::int64_t links_between_colors(
  team& all, colors_around& cells, const std::vector<color_id>& cut) {
  std::vector<told_of_cell> colors;
  for(std::size_t c = 0; c != cut.size(); ++c)
    colors.push_back({static_cast<std::int32_t>(c), cut[c]});
  cells.set_colors(all, colors);
  std::int64_t count[] = {0};
  for(const told_of_cell& c : colors)
    count[0] += std::ranges::count_if(
      cells.linked(c.cell), [&](std::int32_t other) { return cells.color(other) != c.color; });
  all.add_up(count);
  return count[0];
}

std::vector<color_id> best_bisection(team& all, const uncut_cells& cells, color_id colors) {
  colors_around around(all, cells, std::vector<color_id>(cells.centers.size()));
  // Many programs number cells so that neighbours are near.
  std::vector<position> centers;
  for(std::size_t c = 0; c != cells.centers.size(); ++c)
    centers.push_back({static_cast<double>(cells.first + static_cast<std::int64_t>(c)), 0, 0});
  const auto cut_at = [&] {
    return cut_by_bisection(
      all, {.first = cells.first, .in_all = cells.in_all, .centers = centers}, colors);
  };
  std::vector<color_id> best = cut_at();
  std::int64_t fewest = links_between_colors(all, around, best);
  const std::vector<cell_place> places = places_of(all, around);
  for(const axes& way : ways) {
    for(std::size_t c = 0; c != places.size(); ++c)
      centers[c] = {along(way.x, places[c], places[c].middle), along(way.y, places[c]),
        along(way.z, places[c])};
    std::vector<color_id> cut = cut_at();
    if(const std::int64_t links = links_between_colors(all, around, cut); links < fewest) {
      fewest = links;
      best = std::move(cut);
    }
  }
  return best;
}

} // namespace

} // namespace detail::inline meshes

std::vector<color_id> cut_by_distances(
  detail::team& all, const uncut_cells& cells, color_id colors) {
  if(!cells.graph)
    throw std::invalid_argument("rondo::cut_by_distances: needs the graph of the cells");
  if(colors == 1)
    return std::vector<color_id>(cells.centers.size());
  const cell_graph graph = cells.graph();
  const uncut_cells with_graph{
    .first = cells.first, .in_all = cells.in_all, .centers = cells.centers, .graph = [&] {
      return graph;
    }};
  return refined_cut(all, with_graph, detail::best_bisection(all, with_graph, colors));
}

cut_function cut_by_position(std::function<position(std::int64_t)> where) {
  return [where = std::move(where)](detail::team& all, const uncut_cells& cells, color_id colors) {
    std::vector<position> centers;
    for(std::size_t c = 0; c != cells.centers.size(); ++c)
      centers.push_back(where(cells.first + static_cast<std::int64_t>(c)));
    return cut_refined(all,
      {.first = cells.first, .in_all = cells.in_all, .centers = centers, .graph = cells.graph},
      colors);
  };
}

} // namespace rondo
