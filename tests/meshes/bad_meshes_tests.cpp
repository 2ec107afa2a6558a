// What is no mesh is refused, with the element that is wrong.

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/meshes/assemble.hpp>
#include <rondo/meshes/boxes.hpp>
#include <rondo/meshes/cut.hpp>

#include "distributed/ranks.hpp"
#include "distributed/teams.hpp"
#include "process_that.hpp"

using namespace rondo;
using detail::assembly_options;

namespace {

/// Two triangles, as mesh_piece.hpp has them.
mesh_piece two_triangles() {
  mesh_piece p{.dimension = 2};
  p.add_vertex(10, {0, 0});
  p.add_vertex(11, {1, 0});
  p.add_vertex(12, {0, 1});
  p.add_vertex(13, {1, 1});
  p.add_cell({10, 11, 12});
  p.add_cell({11, 13, 12});
  p.name("floor", {10, 11});
  return p;
}

/// Colors for the cells in their order, whatever the number of ranks.
cut_function given(std::vector<color_id> colors) {
  return [colors](detail::team&, const uncut_cells& c, color_id) {
    const auto first = colors.begin() + c.first;
    return std::vector<color_id>(first, first + static_cast<std::ptrdiff_t>(c.centers.size()));
  };
}

assembly_options colors(color_id n) { return {.colors = n}; }
assembly_options with_cut(color_id n, cut_function cut) {
  return {.colors = n, .cut = std::move(cut)};
}
assembly_options over_faces(color_id n, cut_function cut) {
  assembly_options o = with_cut(n, std::move(cut));
  o.over = element_kind::faces;
  return o;
}
assembly_options with_kind(assembly_options o, element_kind k) {
  o.wish.kinds[detail::index_of(k)] = true;
  return o;
}

/// What one rank says that makes the mesh alone.
std::string said_of(const std::function<void(mesh_piece&)>& spoil, const assembly_options& o = {}) {
  mesh_piece p = two_triangles();
  spoil(p);
  detail::team one;
  try {
    static_cast<void>(detail::assemble(one, std::move(p), o));
  }
  catch(const std::invalid_argument& e) {
    return e.what();
  }
  return "nothing";
}

using std::string;
void is_told(const string& said, const string& what) {
  CHECK_THAT(said, Catch::StartsWith("rondo::unstructured: ") && Catch::Contains(what));
}

void leave(mesh_piece&) {}

/// What the first rank says that refuses a mesh, of which each part has one triangle. Others may wait for it then, so it ends the process.
death end_of(const std::function<void(mesh_piece&, unsigned)>& spoil, const assembly_options& o) {
  return process_that([&] {
    on_team(2, [&](detail::team& all) {
      mesh_piece p = two_triangles();
      p.begins = {0, 3};
      if(all.rank() == 0)
        p.corners.resize(3);
      else
        p.corners.erase(p.corners.begin(), p.corners.begin() + 3);
      spoil(p, all.rank());
      static_cast<void>(detail::assemble(all, std::move(p), o));
    });
  });
}

} // namespace

TEST_CASE("Two triangles are a mesh") {
  CHECK(said_of(leave) == "nothing");
  CHECK(end_of([](mesh_piece&, unsigned) {}, colors(2)).code == 0);
}

TEST_CASE("Vertices that can't be are told") {
  is_told(said_of([](mesh_piece& p) {
    p.add_cell({11, 13, 99});
  }),
    "cell 2 has the vertex 99, which this part has no position of");
  is_told(said_of([](mesh_piece& p) { p.add_cell({11, 13, -1}); }), "cell 2 has the vertex -1");
  is_told(said_of([](mesh_piece& p) {
    p.add_vertex(-4, {2, 2});
  }),
    "vertex -4 has a negative number");
  is_told(said_of([](mesh_piece& p) { p.add_vertex(11, {2, 2}); }), "vertex 11 is there twice");
  is_told(said_of([](mesh_piece& p) { p.vertices.push_back(14); }), "5 vertices and 4 positions");
  for(const double x : {std::nan(""), std::numeric_limits<double>::infinity()})
    is_told(said_of([x](mesh_piece& p) { p.positions[1][1] = x; }),
      "vertex 11 has a position that is no number");
  CHECK(said_of([](mesh_piece& p) { p.add_vertex(11, {1, 0}); }) == "nothing");
  CHECK(said_of([](mesh_piece& p) { p.add_vertex(77, {5, 5}); }) == "nothing");
}

TEST_CASE("Cells that can't be are told") {
  is_told(said_of([](mesh_piece& p) {
    p.add_cell({11, 13, 11});
  }),
    "cell 2 has the vertex 11 twice");
  is_told(said_of([](mesh_piece& p) {
    p.add_cell({11, 13});
  }),
    "cell 2 has 2 corners; in 2 dimensions");
  is_told(said_of([](mesh_piece& p) { p.add_cell(std::vector<std::int64_t>(256)); }),
    "cell 2 has 256 corners");
  is_told(said_of([](mesh_piece& p) { p.dimension = 3; }), "cell 0 has 3 corners; in 3 dimensions");
  is_told(said_of([](mesh_piece& p) { p.dimension = 1; }), "cell 0 has 3 corners; in 1 dimensions");
  for(const unsigned n : {0U, 4U, 5U, ~0U})
    is_told(said_of([n](mesh_piece& p) { p.dimension = n; }),
      "cells of " + std::to_string(n) + " dimensions");
  is_told(said_of([](mesh_piece& p) { p = {}; }), "the mesh has no cells");
  is_told(said_of([](mesh_piece& p) { p.begins = {0, 3, 7}; }), "the begins of the cells");
  is_told(said_of([](mesh_piece& p) { p.begins = {0, 9, 6}; }), "the begins of the cells");
  is_told(said_of([](mesh_piece& p) { p.begins = {}; }), "the begins of the cells");
}

TEST_CASE("Cells that are there twice are told") {
  is_told(said_of([](mesh_piece& p) {
    p.add_cell({12, 10, 11});
  }),
    "the cells 0 and 2 have the same corners");
  is_told(said_of([](mesh_piece& p) {
    p.sets.clear();
    p.add_cell({13, 12, 11});
  }),
    "the cells 1 and 2 have the same corners");
}

TEST_CASE("Faces with more than two cells are told") {
  const auto add = [](mesh_piece& p) {
    p.add_vertex(14, {0.5, 0.5, 1});
    p.add_cell({11, 12, 14});
  };
  is_told(
    said_of(add, with_kind({}, element_kind::faces)), "the cells 0, 1, 2 have one face in common");
  CHECK(said_of(add) == "nothing"); // nobody asks for faces
}

TEST_CASE("Cells of several parts at one face are told in their order") {
  const auto add = [](mesh_piece& p, unsigned rank) {
    p.add_vertex(14, {0.5, 0.5, 1});
    if(rank == 1)
      p.add_cell({11, 12, 14});
  };
  const death d = end_of(add, with_kind(with_cut(2, given({1, 0, 1})), element_kind::faces));
  CHECK_THAT(d.text, Catch::Contains("the cells 0, 1, 2 have one face in common"));
}

TEST_CASE("Cuts that can't be are told") {
  is_told(said_of(leave, colors(3)), "3 colors of 2 cells");
  is_told(said_of(leave, colors(0)), "0 colors of 2 cells");
  is_told(said_of(leave, with_cut(~color_id{0}, given({0, 1}))), "colors of 2 cells");
  is_told(said_of(leave, with_cut(2, given({1, 1}))), "color 0 has got no cells");
  is_told(
    said_of(leave, with_cut(2, given({0, 2}))), "cell 1 has been given color 2, and there are 2");
  is_told(said_of(leave, with_cut(1, [](auto&&...) { return std::vector<color_id>(1); })),
    "colors to 1 of 2 cells");
  is_told(said_of(leave, with_cut(1, {})), "there is no cut");
}

TEST_CASE("Sets that can't be are told") {
  is_told(said_of([](mesh_piece& p) {
    p.sets[0].begins = {0, 3};
  }),
    "the begins of the set 'floor'");
  is_told(said_of([](mesh_piece& p) { p.sets[0].begins = {}; }), "the begins of the set 'floor'");
  is_told(said_of([](mesh_piece& p) {
    p.sets[0].begins = {1, 2};
  }),
    "the begins of the set 'floor'");
  CHECK(said_of([](mesh_piece& p) {
    p.name("far", {500, -7});
    p.name("none", std::vector<std::int64_t>());
    p.name("many", std::vector<std::int64_t>(1000, 10));
  }) == "nothing");
}

TEST_CASE("Parts that don't fit together are told") {
  const auto move_11 = [](mesh_piece& p, unsigned rank) { p.positions[1][0] += rank; };
  for(const assembly_options& o : {colors(1), colors(2), over_faces(2, given({0, 1}))}) {
    const death d = end_of(move_11, o);
    CHECK(d.code == 1);
    CHECK_THAT(d.text, Catch::Contains("vertex 11 is at ("));
  }
  const death almost =
    end_of([](mesh_piece& p, unsigned rank) { p.positions[1][0] += 1e-12 * rank; }, colors(1));
  CHECK_THAT(almost.text, Catch::Contains("vertex 11 is at (1, 0, 0) and at (1.000000000001"));
  const death dimensions = end_of(
    [](mesh_piece& p, unsigned rank) {
      if(rank == 1) {
        p.dimension = 1;
        p.corners = {10, 11};
        p.begins = {0, 2};
      }
    },
    colors(2));
  CHECK_THAT(dimensions.text, Catch::Contains("cells of 1 dimensions, others of 2"));
  const death same = end_of([](mesh_piece& p, unsigned) { p.corners = {10, 11, 12}; }, colors(2));
  CHECK_THAT(same.text, Catch::Contains("the cells 0 and 1 have the same corners"));
}

TEST_CASE("Vertices that cells share in a vertex only have one position") {
  // Over faces, and without ghosts, these triangles don't see each other.
  for(const unsigned ghosts : {0U, 1U}) {
    assembly_options o = over_faces(2, given({0, 1}));
    o.ghost_layers = ghosts;
    const death d = end_of(
      [](mesh_piece& p, unsigned rank) {
        p.add_vertex(14, {2, 0});
        p.add_vertex(15, {2, 1});
        if(rank == 1)
          p.corners = {11, 14, 15};
        p.positions[1][0] += rank;
      },
      o);
    CHECK_THAT(d.text, Catch::Contains("vertex 11 is at ("));
  }
}

TEST_CASE("Parts without cells have any dimension") {
  on_team(3, [](detail::team& all) {
    mesh_piece p{.dimension = 7};
    if(all.rank() == 1)
      p = two_triangles();
    const auto made = detail::assemble(all, std::move(p), colors(2));
    expect(made.dimension == 2);
    expect(made.in_all[0] == 2);
  });
}

TEST_CASE("So many layers of ghosts as there are, if more are asked for") {
  for(const unsigned ranks : {1U, 3U})
    on_team(ranks, [](detail::team& all) {
      assembly_options o = colors(5);
      o.ghost_layers = ~0U;
      const auto made = detail::assemble(all, box_of_triangles{4, 4}(all.rank(), all.ranks()), o);
      for(const auto& m : made.parts)
        expect(m.of(element_kind::cells).all == 32);
    });
}

TEST_CASE("Boxes have squares along each axis") {
  CHECK_THROWS_AS((box_of_triangles{0, 3}(0, 1)), std::invalid_argument);
  CHECK_THROWS_AS((box_of_tetrahedra{2, 3, -1}(0, 1)), std::invalid_argument);
}
