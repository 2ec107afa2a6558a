#pragma once

/// \file
/// Meshes for tests, in parts at random.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "distributed/meshes.hpp"
#include "distributed/teams.hpp"

#include <rondo/meshes/assemble.hpp>

namespace pieces {

using meshes::draw;
using rondo::mesh_piece;

/// The cells begin to end, with their vertices.
inline mesh_piece cells_of(const mesh_piece& whole, std::size_t begin, std::size_t end) {
  mesh_piece made{.dimension = whole.dimension};
  std::set<std::int64_t> vertices;
  for(std::size_t c = begin; c != end; ++c) {
    made.add_cell(whole.corners_of(c));
    vertices.insert(whole.corners_of(c).begin(), whole.corners_of(c).end());
  }
  for(std::size_t v = 0; v != whole.vertices.size(); ++v)
    if(vertices.contains(whole.vertices[v]))
      made.add_vertex(whole.vertices[v], whole.positions[v]);
  return made;
}

/// With the cells in another order.
inline mesh_piece shuffled(const mesh_piece& whole, std::uint64_t seed) {
  std::vector<std::size_t> order(whole.cells());
  std::iota(order.begin(), order.end(), 0);
  for(std::size_t k = order.size(); k > 1; --k)
    std::swap(order[k - 1],
      order[static_cast<std::size_t>(draw(seed, k, 0, static_cast<std::int64_t>(k) - 1))]);
  mesh_piece made{
    .dimension = whole.dimension, .vertices = whole.vertices, .positions = whole.positions};
  for(const std::size_t c : order)
    made.add_cell(whole.corners_of(c));
  return made;
}

/// Where the cells of each rank begin, and of the last one where they end: some ranks have no cells, others have many.
inline std::vector<std::size_t> random_begins(
  std::uint64_t seed, unsigned ranks, std::size_t cells) {
  std::vector<std::size_t> made{0};
  for(unsigned r = 1; r != ranks; ++r)
    made.push_back(
      draw(seed, 2 * r, 0, 2) == 0
        ? made[static_cast<std::size_t>(draw(seed, 2 * r + 1, 0, r - 1))]
        : static_cast<std::size_t>(draw(seed, 2 * r + 1, 0, static_cast<std::int64_t>(cells))));
  made.push_back(cells);
  std::ranges::sort(made);
  return made;
}

/// Which cells have that many corners in common, at least: a slow way to find neighbours over faces.
inline std::vector<std::vector<std::int64_t>> cells_with_common_corners(
  const mesh_piece& whole, std::size_t corners) {
  std::map<std::int64_t, std::vector<std::int64_t>> cells_at;
  for(std::size_t c = 0; c != whole.cells(); ++c)
    for(const std::int64_t v : whole.corners_of(c))
      cells_at[v].push_back(static_cast<std::int64_t>(c));
  std::vector<std::vector<std::int64_t>> made(whole.cells());
  for(std::size_t c = 0; c != whole.cells(); ++c) {
    std::map<std::int64_t, std::size_t> common;
    for(const std::int64_t v : whole.corners_of(c))
      for(const std::int64_t other : cells_at[v])
        ++common[other];
    for(const auto& [other, count] : common)
      if(count >= corners && other != static_cast<std::int64_t>(c))
        made[c].push_back(other);
  }
  return made;
}

/// Calls `f(team, uncut_cells)` on ranks that have the cells begins[r] to begins[r + 1] of the mesh.
template<class F>
void on_pieces(const std::vector<std::size_t>& begins, const mesh_piece& whole, const F& f) {
  on_team(static_cast<unsigned>(begins.size() - 1), [&](rondo::detail::team& all) {
    const auto look = [&](rondo::detail::team& t, const rondo::uncut_cells& cells,
                        rondo::color_id /*colors*/) {
      f(t, cells);
      return std::vector<rondo::color_id>(cells.centers.size());
    };
    static_cast<void>(assemble(all, cells_of(whole, begins[all.rank()], begins[all.rank() + 1]),
      {.colors = 1, .cut = look}));
  });
}

} // namespace pieces
