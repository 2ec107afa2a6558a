#pragma once

/// \file
/// Which color each cell of a mesh belongs to.
///
/// A cut depends on the mesh and on the number of colors alone, never on the ranks that make it: so colors have the same cells, and
/// results the same bits, on any number of ranks.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <rondo/distributed/color_set.hpp>
#include <rondo/distributed/team.hpp>
#include <rondo/meshes/mesh_piece.hpp>

namespace rondo {

/// Of each cell of a rank those that share a face with it, by their numbers in the mesh: ascending, each once. Cells of other ranks
/// are among them.
struct cell_graph {
  std::vector<std::int64_t> others{}; ///< Of all cells, one after the other,
  std::vector<std::int64_t> begins{
    0}; ///< and where those of each begin; of the last one where they end.

  [[nodiscard]] std::size_t cells() const { return begins.size() - 1; }
  [[nodiscard]] std::span<const std::int64_t> of(std::size_t cell) const {
    return std::span(others).subspan(static_cast<std::size_t>(begins[cell]),
      static_cast<std::size_t>(begins[cell + 1] - begins[cell]));
  }
};

/// The cells of a rank, before they are cut.
struct uncut_cells {
  std::int64_t first;                ///< The number of the first one; the others follow it.
  std::int64_t in_all;               ///< On all ranks.
  std::span<const position> centers; ///< Of each: the mean of its corners.
  /// Which of the mesh share faces with these. It is computed when it is called: by all ranks, or by none.
  std::function<cell_graph()> graph{};
};

/// Called by all ranks of the team (team.hpp: they may tell each other what they know). Returns a color, below `colors`, for each cell of the rank.
using cut_function =
  std::function<std::vector<color_id>(topo::team& all, const uncut_cells& cells, color_id colors)>;

/// Halves the cells by a plane across the axis along which they extend farthest, and each half again; where the number of colors is
/// odd, one part has one more. Colors have the same number of cells, up to one. Colors with consecutive numbers lie side by side.
[[nodiscard]] std::vector<color_id> cut_by_bisection(
  topo::team& all, const uncut_cells& cells, color_id colors);

/// The same cut, with shorter borders: cells beside a border change places as long as fewer faces are between colors then. Colors
/// keep their numbers of cells. Few cells that lie apart from all others of their color are left. Needs `cells.graph`.
[[nodiscard]] std::vector<color_id> refined_cut(
  topo::team& all, const uncut_cells& cells, std::vector<color_id> cut);

/// cut_by_bisection, refined. What `unstructured` does if it isn't told another one.
///
/// Of meshes without structure 2 to 17 % more faces are between colors than METIS leaves, whose counts differ by 3 %; 30 % where cells are far
/// finer in some places and colors are few, and some 50 % where a box that lies aslant is cut in two: planes are across axes. Takes about five times as long as the bisection alone: a fifth more for the whole mesh.
[[nodiscard]] std::vector<color_id> cut_refined(
  topo::team& all, const uncut_cells& cells, color_id colors);

/// What METIS finds best, `METIS_PartGraphKway`; colors have up to 3 % more cells than others. One rank gets which cells of the whole
/// mesh share faces, and cuts alone, so this is for meshes that one rank has memory for: some hundred bytes for each cell. Needs
/// `cells.graph`. Throws std::runtime_error if Rondo was built without METIS.
[[nodiscard]] std::vector<color_id> cut_by_metis(
  topo::team& all, const uncut_cells& cells, color_id colors);

/// The same by Scotch 7, whose parallel sister would cut in another way on another number of ranks.
[[nodiscard]] std::vector<color_id> cut_by_scotch(
  topo::team& all, const uncut_cells& cells, color_id colors);

/// For cells that lie nowhere, such as rows of a sparse matrix: looks at `cells.graph` alone. Distances over links from some landmarks, far from each
/// other, are coordinates; of a few bisections by these, and of one by the numbers of cells, the one with the fewest links between colors is
/// refined. Islands, to which no links lead from the rest, are kept together as far as may be.
///
/// Of grids in two and three dimensions as many links are between colors as METIS leaves, up to 18 % more or less, however rows are numbered. What `sparse` does if it isn't told another cut.
[[nodiscard]] std::vector<color_id> cut_by_distances(
  topo::team& all, const uncut_cells& cells, color_id colors);

/// cut_refined, with the cells where `where` says by their numbers.
[[nodiscard]] cut_function cut_by_position(std::function<position(std::int64_t)> where);

} // namespace rondo
