// Which cells share faces, before they are cut.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "distributed/ranks.hpp"
#include "meshes/pieces.hpp"

#include <catch2/catch.hpp>
#include <rondo/meshes/boxes.hpp>

using namespace rondo;
using pieces::draw;

namespace {

using rows = std::vector<std::vector<std::int64_t>>;

/// What a cut is told of the mesh, on ranks that have the cells begins[r] to begins[r + 1].
rows graph_on(const std::vector<std::size_t>& begins, const mesh_piece& whole) {
  rows made(whole.cells());
  pieces::on_pieces(begins, whole, [&](detail::team& all, const uncut_cells& cells) {
    const cell_graph graph = cells.graph();
    expect(graph.cells() == cells.centers.size());
    for(std::size_t c = 0; c != graph.cells(); ++c)
      made[begins[all.rank()] + c].assign(graph.of(c).begin(), graph.of(c).end());
  });
  return made;
}

void check(const mesh_piece& whole, const rows& expected, std::uint64_t seed) {
  for(const unsigned ranks : {1U, 2U, 3U, 5U, 8U}) {
    CAPTURE(ranks, seed);
    CHECK(graph_on(pieces::random_begins(seed, ranks, whole.cells()), whole) == expected);
  }
}

} // namespace

TEST_CASE("cells share faces with those of other ranks, too") {
  for(std::uint64_t seed = 0; seed != 4; ++seed) {
    const auto in_order = box_of_triangles{draw(seed, 1, 1, 12), draw(seed, 2, 1, 12)}(0, 1);
    check(in_order, pieces::cells_with_common_corners(in_order, 2), seed);
    const auto triangles = pieces::shuffled(in_order, seed);
    check(triangles, pieces::cells_with_common_corners(triangles, 2), seed);
    const auto tetrahedra = pieces::shuffled(
      box_of_tetrahedra{draw(seed, 3, 1, 4), draw(seed, 4, 1, 4), draw(seed, 5, 1, 4)}(0, 1), seed);
    check(tetrahedra, pieces::cells_with_common_corners(tetrahedra, 3), seed);
  }
}

TEST_CASE("faces may have any number of corners, and cells different ones") {
  // A prism on a hexahedron, a pyramid on the prism, and a tetrahedron on the pyramid.
  mesh_piece solids{.dimension = 3};
  for(std::int64_t v = 0; v != 12; ++v)
    solids.add_vertex(
      v, {static_cast<double>(v), static_cast<double>(v * v), 1. / (1. + static_cast<double>(v))});
  solids.add_cell({0, 1, 2, 3, 4, 5, 6, 7});
  solids.add_cell({4, 5, 8, 7, 6, 9});
  solids.add_cell({4, 7, 9, 8, 10});
  solids.add_cell({4, 7, 10, 11});
  check(solids, {{1}, {0, 2}, {1, 3}, {2}}, 1);

  // Lines end at points; three of them at the same one.
  mesh_piece lines{.dimension = 1};
  for(std::int64_t v = 0; v != 5; ++v)
    lines.add_vertex(v, {static_cast<double>(v)});
  for(const std::int64_t v : {4, 3, 2})
    lines.add_cell({v, 1});
  lines.add_cell({4, 0});
  check(lines, {{1, 2, 3}, {0, 2}, {0, 1}, {0}}, 2);
}

TEST_CASE("surfaces may have junctions, and cells several faces in common") {
  // Four triangles at one edge, on any ranks.
  mesh_piece fan{.dimension = 2};
  for(std::int64_t v = 0; v != 6; ++v)
    fan.add_vertex(v, {static_cast<double>(v), static_cast<double>(v % 2)});
  for(const std::int64_t tip : {2, 3, 4, 5})
    fan.add_cell({0, 1, tip});
  for(std::uint64_t seed = 0; seed != 6; ++seed)
    check(fan, {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}}, seed);

  // A quadrilateral and a triangle that have two edges in common.
  mesh_piece two{.dimension = 2};
  for(std::int64_t v = 0; v != 4; ++v)
    two.add_vertex(v, {static_cast<double>(v), static_cast<double>(v % 2)});
  two.add_cell({0, 1, 2, 3});
  two.add_cell({0, 1, 2});
  check(two, {{1}, {0}}, 3);
}

TEST_CASE("a cell may have no neighbours") {
  mesh_piece apart{.dimension = 2};
  for(std::int64_t v = 0; v != 6; ++v)
    apart.add_vertex(v, {static_cast<double>(v), static_cast<double>(v % 2)});
  apart.add_cell({0, 1, 2});
  apart.add_cell({3, 4, 5});
  check(apart, {{}, {}}, 4);
}
