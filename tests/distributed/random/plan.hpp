#pragma once

/// \file
/// Random programs of tasks over fields. A plan says what such a program does, launch by launch, and
/// is the same for all that run it: ranks with a scheduler, or one loop over whole arrays.
///
/// Everything comes from a hash of the seed and the position, so any seed can be looked at alone:
/// RONDO_SEED=17 distributed_tests "random programs*".

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <tracing/random_programs.hpp>

#include "tiling.hpp"

namespace random_programs {

/// What a launch does; see tasks.hpp.
enum class deed : unsigned char {
  fill_hashes,      ///< writes
  fill_numbers,     //
  fill_triples,     //
  checker_hashes,   ///< every second point, from the others around it, where these are
  update_hashes,    ///< reads and writes
  update_numbers,   //
  relax_hashes,     ///< reads and writes, and reads ghosts
  relax_numbers,    //
  relax_triples,    //
  hashes_by_hashes, ///< writes one field and reads another one with ghosts
  near_hashes,      ///< the same, and looks no farther than the next point
  numbers_by_hashes,
  triples_by_numbers,
  hashes_by_triples,
  scribble_hashes,   ///< overwrites ghosts that it has read
  scribble_triples,  ///< only overwrites ghosts
  rim_of_hashes,     ///< reads the ghosts and writes the owned points of the same field
  three,             ///< fields at once
  restrict_hashes,   ///< of a coarse mesh, by those of the one that it was made of
  prolong_hashes,    ///< the other way round
  hashes_between,    ///< of a staggered mesh, by those of its cells
  hashes_of_cells,   ///< the other way round
  fill_beyond,       ///< reads and writes points beyond the ends
  relax_beyond,      ///< and reads ghosts
  scatter_hashes,    ///< contributes to what neighbours own
  scatter_numbers,   ///< the same with another fold, and a thinner halo
  copy_hashes,       ///< to another mesh, whatever its extents and colors
  marks_by_hashes,   ///< of a field with a value for each color
  hashes_by_marks,   ///< the other way round
  steer,             ///< reads and writes what every rank has
  hashes_by_course,  ///< and reads that
  fill_rows,         ///< of a ragged field: writes
  relax_rows,        ///< reads and writes, and reads ghosts
  rows_by_hashes,    ///< makes them longer or shorter by what the other field has
  hashes_by_rows,    ///< the other way round
  near_rows,         ///< the same, and looks no farther than the next point
  rim_of_rows,       ///< reads the ghosts and writes the owned rows of the same field
  append_rows,       ///< reads and writes, and appends to those of neighbours
  append_hashes,     ///< the same, by what the field has; and only writes
  make_rows,         ///< another ragged field: all rows are empty
  fill_walkers,      ///< of particles: writes
  walk,              ///< moves, makes and erases them
  walk_by_hashes,    ///< the same, by what the field has where they are
  hashes_by_walkers, ///< reads and writes, by those that are there
  fill_tiles,        ///< of an unstructured mesh: writes
  relax_tiles,       ///< reads and writes, and reads those beside them
  tiles_by_corners,  ///< writes, from the corners that tiles have
  corners_by_tiles,  ///< the other way round
  scatter_tiles,     ///< contributes to corners
  sides_by_tiles,    ///< the same of sides
  tiles_by_sides,    //
  fill_tile_rows,    ///< of a ragged field: writes
  relax_tile_rows,   ///< reads and writes, and reads those beside them
  append_tile_rows,  ///< reads and writes, and appends to those beside them
  append_to_corners, ///< writes rows of corners, and appends to them, by rows of tiles
  tiles_by_rows,     ///< of tiles and of corners
  save_tiles,        ///< tiles, corners and their rows, to a file
  load_tiles,        ///< from it
  save,              ///< hashes, rows, walkers, marks, and what every rank has, to a file
  load,              ///< from it
  sum,               ///< reductions: those after this one, too
  sum_with_ghosts,
  least,
  greatest,
  in_order, ///< with a fold that neither commutes nor is associative
  at_point, ///< no reduction, but a value that all get: at a point, and of a color
  of_color, //
  sum_of_tiles,
  two_at_once, ///< reduces over a field that it writes
  note,        ///< without a topology
  make_field,  ///< another field: all values are 0
  count
};
constexpr bool is_of_tiles(deed d) {
  return (d >= deed::fill_tiles && d <= deed::load_tiles) || d == deed::sum_of_tiles;
}
constexpr bool is_of_tile_rows(deed d) {
  return d >= deed::fill_tile_rows && d <= deed::tiles_by_rows;
}
/// Messages are as long as rows or numbers of particles say.
constexpr bool is_of_rows(deed d) {
  return (d >= deed::fill_rows && d <= deed::hashes_by_walkers) || is_of_tile_rows(d);
}
constexpr bool is_of_files(deed d) { return d >= deed::save_tiles && d <= deed::load; }
constexpr bool is_reduction(deed d) { return d >= deed::sum && d <= deed::two_at_once; }

/// Ways to launch that have nothing to do with a mesh's dimensions, and take compilers long, are tried with this many of them only:
/// numbers of passes as arguments, and priorities.
inline constexpr std::size_t dimensions_of_all_ways = 2;

/// What is brought back of what is in a file.
enum class part : unsigned char { all, values, rows, walkers };

struct op {
  static constexpr unsigned nothing = ~0U;

  deed what{};
  unsigned mesh = 0;
  unsigned field = 0;       ///< Which of two fields of hashes is written.
  unsigned to = 0;          ///< Which mesh values are copied to.
  std::uint64_t id = 0;     ///< Folded into everything it writes.
  unsigned takes = nothing; ///< The result of a reduction before it; as a future.
  unsigned makes = nothing; ///< Where the result of this reduction is kept.
  /// In a loop: in those passes whose number, divided by `every`, leaves `rest`, and from one pass on,
  /// which in `iterate` may be one that doesn't run.
  unsigned every = 1;
  unsigned rest = 0;
  unsigned from = 0;
  [[nodiscard]] bool is_in(std::uint64_t pass) const {
    return pass % every == rest && pass >= from;
  }
  /// In `repeat` it is given the number of the pass, if it takes nothing else.
  [[nodiscard]] bool takes_number(std::size_t dimensions) const {
    return takes == nothing && id % 4 == 1 &&
           (dimensions == dimensions_of_all_ways || is_of_tiles(what));
  }
  /// Of what loads. Over tiles there are no walkers, and all is loaded instead.
  [[nodiscard]] bool loads_only(part p) const { return static_cast<part>(id % 4) == p; }
  [[nodiscard]] bool loads(part p) const { return loads_only(part::all) || loads_only(p); }
};

enum class block_kind : unsigned char {
  launches,
  loop,
  guards,
  repeat,
  iterate,
  when,
  either,
  wait,
  look,
  balance
};

struct block {
  block_kind kind{};
  std::vector<op> body;
  std::vector<block> inner; ///< Loops in the body, before the launch with this number.
  std::size_t inner_at = 0;
  std::uint64_t passes = 1;     ///< At most.
  std::uint64_t lag = 0;        ///< Of `iterate`.
  bool is_traced = false;       ///< `iterate` with a trace.
  unsigned stop = 0;            ///< Of `iterate`: a reduction made in the body says when it ends...
  unsigned stops_at_one_in = 1; ///< ...with this probability.
  op
    condition; ///< Of `when`, `either`: the reduction that says in the same way whether the body runs.
  std::vector<op> otherwise; ///< Of `either`.
  /// Of `iterate`: the result of the last pass that leaves the loop, and where it is kept.
  unsigned leaves = op::nothing;
  unsigned left = op::nothing;
  unsigned look_at = op::nothing; ///< A result that the program itself waits for.
  std::uint64_t balanced =
    0; ///< Of `balance`, and of loops between whose passes colors move: by what; 0: they don't.
};

struct mesh_plan {
  std::array<std::int64_t, 3> extents{1, 1, 1}; ///< Of the cells, if it is staggered.
  std::array<std::int64_t, 3> colors{1, 1, 1};
  std::array<bool, 3> periodic{};
  std::int64_t halo = 1;
  bool diagonals = false;
  std::int64_t beyond = 0;
  std::int64_t halo_of_numbers = 1; ///< Of one of its fields: less, perhaps.
  std::size_t stages = 1;           ///< Launches that are gathered, and launched in waves.
  /// It was made of that mesh, by taking every `by`-th point.
  static constexpr unsigned nobody = ~0U;
  unsigned finer = nobody;
  std::array<std::int64_t, 3> by{1, 1, 1};
  [[nodiscard]] bool is_coarse() const { return finer != nobody; }
  /// Or is between the cells of that one, along these axes.
  unsigned cells = nobody;
  std::array<bool, 3> between{};
  [[nodiscard]] bool is_staggered() const { return cells != nobody; }
  [[nodiscard]] std::uint64_t count() const {
    return static_cast<std::uint64_t>(colors[0] * colors[1] * colors[2]);
  }
};

/// Meshes with their fields, and what is done with them before they go.
struct stage {
  std::vector<mesh_plan> meshes;
  std::optional<tiling> tiles;
  std::vector<block> blocks;
};

struct plan {
  std::uint64_t seed = 0;
  std::size_t dimensions = 1;
  std::vector<stage> stages;
  unsigned values = 0;             ///< Results of reductions that are kept.
  std::uint64_t fewest_colors = 1; ///< Of a mesh: there can be no more ranks.
  std::size_t window = 4096;
  bool finds_repeats = true;
  bool has_files = false;
  bool has_files_of_tiles = false; ///< They are in HDF5: only if Rondo is built with it.
  bool is_in_hdf5 = false;         ///< So are the others.
};

/// With files it may have some, but need not.
plan make_plan(std::uint64_t seed, bool may_have_files = false);

/// What a program leaves: the same for all who run it.
struct outcome {
  std::vector<std::uint64_t> log;    ///< Of tasks without a topology.
  std::vector<std::uint64_t> looks;  ///< What the program itself has seen.
  std::vector<std::uint64_t> fields; ///< A hash of each field, at the end of each stage.
  std::vector<std::uint64_t> passes; ///< Of each `iterate`.
};

} // namespace random_programs
