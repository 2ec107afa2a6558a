// Cuts whose borders have been made shorter.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "distributed/ranks.hpp"
#include "meshes/pieces.hpp"
#include "meshes/shaken_meshes.hpp"

#include <catch2/catch.hpp>
#include <rondo/meshes/boxes.hpp>
#include <rondo/meshes/cut.hpp>

using namespace rondo;
using pieces::draw;

namespace {

using colors_of = std::vector<color_id>;
using rows = std::vector<std::vector<std::int64_t>>;

/// Of all cells. `cut` is a cut_function.
template<class Cut>
colors_of cut_on(const std::vector<std::size_t>& begins, const mesh_piece& whole, color_id colors,
  const Cut& cut) {
  colors_of made(whole.cells());
  pieces::on_pieces(begins, whole, [&](detail::team& all, const uncut_cells& cells) {
    const colors_of own = cut(all, cells, colors);
    expect(own.size() == cells.centers.size());
    std::ranges::copy(own, made.begin() + cells.first);
  });
  return made;
}
template<class Cut>
colors_of cut_alone(const mesh_piece& whole, color_id colors, const Cut& cut) {
  return cut_on({0, whole.cells()}, whole, colors, cut);
}
/// Refines a cut of all cells.
colors_of refined_on(
  const std::vector<std::size_t>& begins, const mesh_piece& whole, const colors_of& cut) {
  return cut_on(
    begins, whole, 0, [&](detail::team& all, const uncut_cells& cells, color_id /*colors*/) {
      const auto begin = cut.begin() + cells.first;
      return refined_cut(all, cells, {begin, begin + std::ssize(cells.centers)});
    });
}

std::vector<std::size_t> counts(const colors_of& cut) {
  std::vector<std::size_t> made(1 + *std::ranges::max_element(cut));
  for(const color_id c : cut)
    ++made[c];
  return made;
}
std::size_t faces_cut(const rows& graph, const colors_of& cut) {
  std::size_t made = 0;
  for(std::size_t c = 0; c != graph.size(); ++c)
    for(const std::int64_t other : graph[c])
      if(cut[c] < cut[static_cast<std::size_t>(other)])
        ++made;
  return made;
}
/// Cells that have none of their color beside them.
std::size_t lone_cells(const rows& graph, const colors_of& cut) {
  std::size_t made = 0;
  for(std::size_t c = 0; c != graph.size(); ++c)
    if(std::ranges::none_of(graph[c],
         [&](std::int64_t other) { return cut[static_cast<std::size_t>(other)] == cut[c]; }))
      ++made;
  return made;
}

} // namespace

TEST_CASE("a refined cut is the same on any number of ranks") {
  for(std::uint64_t seed = 0; seed != meshes::scaled(6, 2); ++seed) {
    const mesh_piece whole = seed % 2 == 0 ? shaken_meshes::triangles(draw(seed, 1, 3, 30), seed)
                                           : shaken_meshes::tetrahedra(draw(seed, 1, 2, 7), seed);
    for(const color_id colors : {1, 2, 5, 8, 16}) {
      const colors_of expected = cut_alone(whole, colors, cut_refined);
      CAPTURE(seed, colors);
      CHECK(counts(expected) == counts(cut_alone(whole, colors, cut_by_bisection)));
      for(const unsigned ranks : {2U, 3U, 5U, 8U}) {
        CAPTURE(ranks);
        CHECK(cut_on(pieces::random_begins(seed, ranks, whole.cells()), whole, colors,
                cut_refined) == expected);
      }
    }
  }
}

TEST_CASE("any cut may be refined, on any number of ranks") {
  for(std::uint64_t seed = 0; seed != meshes::scaled(4, 2); ++seed) {
    const mesh_piece whole = shaken_meshes::triangles(16, seed);
    colors_of cut(whole.cells());
    for(std::size_t c = 0; c != cut.size();
        ++c) // with colors far away, and not all of those between
      cut[c] = static_cast<color_id>(draw(seed, c, 0, 6)) * 1'000'000'007;
    const colors_of expected = refined_on({0, cut.size()}, whole, cut);
    const rows graph = pieces::cells_with_common_corners(whole, 2);
    CAPTURE(seed);
    CHECK(faces_cut(graph, expected) * 4 < faces_cut(graph, cut) * 3);
    for(const color_id c : cut)
      if(std::ranges::count(cut, c) != std::ranges::count(expected, c))
        FAIL_CHECK(c);
    for(const unsigned ranks : {2U, 5U})
      CHECK(refined_on(pieces::random_begins(seed, ranks, cut.size()), whole, cut) == expected);
  }
}

TEST_CASE("a refined cut is shorter where the mesh has no lines") {
  for(std::uint64_t seed = 0; seed != meshes::scaled(3, 1); ++seed) {
    CAPTURE(seed);
    for(const mesh_piece& whole :
      {shaken_meshes::triangles(60, seed), shaken_meshes::tetrahedra(12, seed)}) {
      const rows graph = pieces::cells_with_common_corners(whole, whole.dimension);
      const colors_of bisected = cut_alone(whole, 16, cut_by_bisection);
      const colors_of refined = cut_alone(whole, 16, cut_refined);
      CAPTURE(whole.dimension, faces_cut(graph, bisected));
      CHECK(faces_cut(graph, refined) * 12 < faces_cut(graph, bisected) * 11);
      CHECK(lone_cells(graph, bisected) != 0);
      CHECK(lone_cells(graph, refined) == 0);
    }
  }
}

TEST_CASE("a refined cut stays where it goes along lines of the mesh") {
  const mesh_piece whole = box_of_triangles{64, 64}(0, 1);
  const rows graph = pieces::cells_with_common_corners(whole, 2);
  for(const color_id colors : {2, 4, 64}) {
    const colors_of bisected = cut_alone(whole, colors, cut_by_bisection);
    CHECK(faces_cut(graph, cut_alone(whole, colors, cut_refined)) <= faces_cut(graph, bisected));
  }
  CHECK(cut_alone(whole, 4, cut_refined) == cut_alone(whole, 4, cut_by_bisection));
}

TEST_CASE("cells that lie apart from their color change it") {
  const mesh_piece whole = box_of_triangles{12, 12}(0, 1);
  const rows graph = pieces::cells_with_common_corners(whole, 2);
  colors_of cut = cut_alone(whole, 2, cut_by_bisection);
  // One from the middle of a color, which no other border is near to, for one of the border.
  const auto lone = static_cast<std::size_t>(
    std::ranges::find_if(cut, [](color_id c) { return c == 0; }) - cut.begin());
  cut[lone] = 1;
  const auto at_border = [&](std::size_t c) {
    return cut[c] == 1 && c != lone && std::ranges::any_of(graph[c], [&](std::int64_t other) {
      return cut[static_cast<std::size_t>(other)] == 0;
    });
  };
  std::size_t back = 0;
  while(!at_border(back))
    ++back;
  cut[back] = 0;
  REQUIRE(lone_cells(graph, cut) == 1);
  const colors_of refined = refined_on({0, 100, cut.size()}, whole, cut);
  CHECK(lone_cells(graph, refined) == 0);
  CHECK(faces_cut(graph, refined) == 12);
  CHECK(counts(refined) == counts(cut));
}

TEST_CASE("cells without neighbours, and colors without borders, are left as they are") {
  mesh_piece apart{.dimension = 2};
  colors_of cut;
  for(std::int64_t c = 0; c != 9; ++c) {
    for(std::int64_t v = 0; v != 3; ++v)
      apart.add_vertex(
        3 * c + v, {static_cast<double>(c), static_cast<double>(v), static_cast<double>(v * v)});
    apart.add_cell({3 * c, 3 * c + 1, 3 * c + 2});
    cut.push_back(static_cast<color_id>(c % 4));
  }
  CHECK(refined_on({0, 9}, apart, cut) == cut);
  CHECK(refined_on({0, 0, 4, 4, 9}, apart, cut) == cut);
}

TEST_CASE("a cut without a graph can't be refined") {
  detail::team one;
  const std::vector<position> centers(4);
  CHECK_THROWS_WITH(refined_cut(one, {0, 4, centers}, {0, 0, 1, 1}),
    "rondo::refined_cut: needs the graph of the cells");
  CHECK(cut_refined(one, {0, 4, centers}, 1) == colors_of(4));
}
