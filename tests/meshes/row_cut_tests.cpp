// Cuts of rows, which lie nowhere.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "distributed/ranks.hpp"
#include "meshes/matrices.hpp"

#include <catch2/catch.hpp>
#include <rondo/meshes/cut.hpp>

#include "sparse/uncut_rows.hpp"

using namespace rondo;
using pieces::draw;

namespace {

using colors_of = std::vector<color_id>;

/// Of all rows; ranks have those between the begins. `cut` is a cut_function.
template<class Cut>
colors_of cut_on(const std::vector<std::size_t>& begins, const sparse_piece& whole, color_id colors,
  const Cut& cut) {
  colors_of made(whole.rows());
  on_team(static_cast<unsigned>(begins.size() - 1), [&](detail::team& all) {
    const detail::uncut_rows rows = detail::checked_rows(
      all, matrices::rows_of(whole, begins[all.rank()], begins[all.rank() + 1]));
    const std::vector<position> centers(rows.piece.rows());
    uncut_cells cells{.first = rows.first, .in_all = rows.in_all, .centers = centers};
    const detail::ranks_of_cells ranks(all, cells);
    cells.graph = [&] { return detail::graph_of_rows(all, rows, ranks); };
    const colors_of own = cut(all, cells, colors);
    expect(own.size() == rows.piece.rows());
    std::ranges::copy(own, made.begin() + rows.first);
  });
  return made;
}
template<class Cut>
colors_of cut_alone(const sparse_piece& whole, color_id colors, const Cut& cut) {
  return cut_on({0, whole.rows()}, whole, colors, cut);
}

std::int64_t links_between(const sparse_piece& whole, const colors_of& cut) {
  std::set<std::pair<std::int64_t, std::int64_t>> links;
  for(std::size_t r = 0; r != whole.rows(); ++r)
    for(const std::int64_t c : whole.columns_of(r))
      if(cut[r] != cut[static_cast<std::size_t>(c)])
        links.insert(std::minmax(static_cast<std::int64_t>(r), c));
  return std::ssize(links);
}

/// With the rows in another order; row r becomes row to[r].
sparse_piece renumbered(const sparse_piece& whole, const std::vector<std::int64_t>& to) {
  std::vector<std::size_t> from(to.size());
  for(std::size_t r = 0; r != to.size(); ++r)
    from[static_cast<std::size_t>(to[r])] = r;
  sparse_piece made;
  for(const std::size_t r : from) {
    std::vector<std::int64_t> columns;
    for(const std::int64_t c : whole.columns_of(r))
      columns.push_back(to[static_cast<std::size_t>(c)]);
    made.add_row(columns);
  }
  return made;
}
std::vector<std::int64_t> random_order(std::size_t count, std::uint64_t seed) {
  std::vector<std::int64_t> made(count);
  for(std::size_t k = 0; k != count; ++k)
    made[k] = static_cast<std::int64_t>(k);
  for(std::size_t k = count; k > 1; --k)
    std::swap(made[k - 1],
      made[static_cast<std::size_t>(draw(seed, k, 0, static_cast<std::int64_t>(k) - 1))]);
  return made;
}

/// Matrices one beside the other, with nothing between them.
sparse_piece side_by_side(const std::vector<sparse_piece>& all) {
  sparse_piece made;
  for(const sparse_piece& p : all) {
    const auto first = static_cast<std::int64_t>(made.rows());
    for(std::size_t r = 0; r != p.rows(); ++r) {
      std::vector<std::int64_t> columns;
      for(const std::int64_t c : p.columns_of(r))
        columns.push_back(first + c);
      made.add_row(columns);
    }
  }
  return made;
}

void check_sizes(const colors_of& cut, color_id colors) {
  std::vector<std::size_t> sizes(colors);
  for(const color_id c : cut)
    ++sizes.at(c);
  const auto [least, most] = std::ranges::minmax(sizes);
  CHECK(most - least <= 1);
}

} // namespace

TEST_CASE("rows of a grid are cut into colors with short borders, however they are numbered") {
  const sparse_piece grid = matrices::grid_matrix(30, 30);
  const std::int64_t shortest = 60; // four squares
  for(const std::uint64_t seed : {0U, 1U, 2U, 3U, 4U}) {
    const sparse_piece m = seed == 0 ? grid : renumbered(grid, random_order(grid.rows(), seed));
    const colors_of cut = cut_alone(m, 4, cut_by_distances);
    check_sizes(cut, 4);
    INFO("seed " << seed);
    CHECK(10 * links_between(m, cut) <= 16 * shortest);
  }
}

namespace {
/// Nothing, if Rondo was built without METIS.
std::optional<colors_of> cut_as_metis_does(const sparse_piece& whole, color_id colors) {
  bool is_there = true;
  colors_of made =
    cut_alone(whole, colors, [&is_there](detail::team& all, const uncut_cells& cells, color_id n) {
      try {
        return cut_by_metis(all, cells, n);
      }
      catch(const std::runtime_error& e) {
        if(std::string_view(e.what()).find("was built without") == std::string_view::npos)
          throw;
        is_there = false;
        return colors_of(cells.centers.size());
      }
    });
  if(!is_there)
    return std::nullopt;
  return made;
}
} // namespace

TEST_CASE("the cut that a matrix has by itself has at most 1.3 times the links of METIS' cut") {
  for(const sparse_piece& grid : {matrices::grid_matrix(50, 50), matrices::grid_matrix(90, 20),
        matrices::grid_matrix(14, 14, 14)})
    for(const std::uint64_t seed : {0U, 1U, 2U})
      for(const color_id colors : {2U, 8U, 16U}) {
        const sparse_piece m = seed == 0 ? grid : renumbered(grid, random_order(grid.rows(), seed));
        const std::optional<colors_of> by_metis = cut_as_metis_does(m, colors);
        if(!by_metis)
          return;
        const std::int64_t theirs = links_between(m, *by_metis);
        const std::int64_t ours = links_between(m, cut_alone(m, colors, sparse_options{}.cut));
        CAPTURE(m.rows(), seed, colors, ours, theirs);
        CHECK(10 * ours <= 13 * theirs);
      }
}

TEST_CASE("a cut of rows is the same on any number of ranks") {
  for(const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    const sparse_piece m = seed == 1
                             ? renumbered(matrices::grid_matrix(11, 9), random_order(99, seed))
                             : matrices::random_matrix(seed, 60 + 40 * static_cast<int>(seed));
    for(const color_id colors : {1U, 2U, 5U, 8U}) {
      const colors_of alone = cut_alone(m, colors, cut_by_distances);
      check_sizes(alone, colors);
      for(const unsigned ranks : {2U, 3U, 5U}) {
        INFO("seed " << seed << ", colors " << colors << ", ranks " << ranks);
        CHECK(cut_on(pieces::random_begins(seed + ranks, ranks, m.rows()), m, colors,
                cut_by_distances) == alone);
      }
    }
  }
}

TEST_CASE("what no links lead to stays together") {
  // Of equal size, and one color for each of them: no link has to be cut.
  const sparse_piece islands = side_by_side({matrices::grid_matrix(6, 6),
    matrices::grid_matrix(4, 9), matrices::grid_matrix(36, 1), matrices::grid_matrix(3, 4, 3)});
  const sparse_piece m = renumbered(islands, random_order(islands.rows(), 7));
  for(const unsigned ranks : {1U, 3U}) {
    const colors_of cut =
      cut_on(pieces::random_begins(ranks, ranks, m.rows()), m, 4, cut_by_distances);
    CHECK(links_between(m, cut) == 0);
  }
  sparse_piece none;
  for(int r = 0; r != 50; ++r)
    none.add_row({});
  check_sizes(cut_alone(none, 7, cut_by_distances), 7);
}

TEST_CASE("a program may say where rows are") {
  const auto order = random_order(400, 5);
  const sparse_piece m = renumbered(matrices::grid_matrix(20, 20), order);
  std::vector<position> at(400);
  for(std::size_t r = 0; r != 400; ++r)
    at[static_cast<std::size_t>(order[r])] = {
      static_cast<double>(r % 20), static_cast<double>(r / 20), 0};
  const auto where = [&](std::int64_t row) { return at[static_cast<std::size_t>(row)]; };
  CHECK(links_between(m, cut_alone(m, 4, cut_by_position(where))) == 40);
}
