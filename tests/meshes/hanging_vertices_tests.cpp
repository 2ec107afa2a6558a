// A vertex in the middle of a neighbour's side is told, whatever the ranks; as a corner of the neighbour it is right. Cracks, holes and
// positions that mean nothing are no mistake.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "distributed/ranks.hpp"
#include "distributed/teams.hpp"
#include "meshes/pieces.hpp"

#include <catch2/catch.hpp>
#include <rondo/meshes/boxes.hpp>
#include <rondo/unstructured.hpp>

using namespace rondo;
using detail::assembly_options;

namespace {

/// One square, and two smaller ones at its right side. Its vertex 4 is between 1 and 2.
mesh_piece three_squares(bool names_it) {
  mesh_piece p{.dimension = 2};
  const std::array<position, 8> at{
    {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {1, .5}, {1.5, 0}, {1.5, .5}, {1.5, 1}}};
  for(std::size_t v = 0; v != at.size(); ++v)
    p.add_vertex(static_cast<std::int64_t>(v), at[v]);
  if(names_it)
    p.add_cell({0, 1, 4, 2, 3});
  else
    p.add_cell({0, 1, 2, 3});
  p.add_cell({1, 5, 6, 4});
  p.add_cell({4, 6, 7, 2});
  return p;
}

assembly_options with_faces(color_id colors) {
  assembly_options o{.colors = colors};
  o.wish.kinds[detail::index_of(element_kind::faces)] = true;
  return o;
}

/// What all ranks say, which is the same on all of them; "": nothing.
std::string said_of(const mesh_piece& whole, unsigned ranks, const assembly_options& o) {
  std::vector<std::string> said(ranks);
  on_team(ranks, [&](detail::team& all) {
    const std::size_t begin = whole.cells() * all.rank() / ranks;
    const std::size_t end = whole.cells() * (all.rank() + 1) / ranks;
    said[all.rank()] = thrown_by(
      [&] { static_cast<void>(detail::assemble(all, pieces::cells_of(whole, begin, end), o)); });
  });
  CHECK(std::set(said.begin(), said.end()).size() == 1);
  return said[0];
}

/// Squares, some of which are four smaller ones. Squares beside smaller ones name the vertices between, or not.
class squares {
public:
  squares(std::uint64_t seed, std::int64_t x, std::int64_t y, bool names_all)
      : seed_(seed), x_(x), y_(y) {
    for(std::int64_t j = 0; j != y; ++j)
      for(std::int64_t i = 0; i != x; ++i)
        if(is_split(i, j))
          for(const auto& [a, b] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 1}})
            add(2 * i + a, 2 * j + b, 1, {});
        else
          add(2 * i, 2 * j, 2,
            {is_split(i, j - 1), is_split(i + 1, j), is_split(i, j + 1), is_split(i - 1, j)},
            names_all);
    for(const std::int64_t v : used_)
      made.add_vertex(v, {static_cast<double>(v % 1000) / 6, static_cast<double>(v / 1000) / 7});
  }

  mesh_piece made{.dimension = 2};
  std::int64_t hanging = 0; ///< Sides in the middle of which there is a vertex.
  std::int64_t sides = 0;   ///< At the end of the mesh, if all is right.

private:
  [[nodiscard]] bool is_split(std::int64_t i, std::int64_t j) const {
    return i >= 0 && i < x_ && j >= 0 && j < y_ &&
           pieces::draw(seed_, static_cast<std::uint64_t>(i + 100 * j), 0, 3) == 0;
  }
  void add(std::int64_t i, std::int64_t j, std::int64_t size, const std::array<bool, 4>& has_middle,
    bool names_it = false) {
    const std::array<std::array<std::int64_t, 2>, 5> at{
      {{i, j}, {i + size, j}, {i + size, j + size}, {i, j + size}, {i, j}}};
    std::vector<std::int64_t> corners;
    const auto corner = [&](std::int64_t a, std::int64_t b) {
      corners.push_back(a + 1000 * b);
      used_.insert(corners.back());
    };
    for(std::size_t s = 0; s != 4; ++s) {
      corner(at[s][0], at[s][1]);
      if(has_middle[s] && names_it)
        corner((at[s][0] + at[s + 1][0]) / 2, (at[s][1] + at[s + 1][1]) / 2);
      hanging += has_middle[s] ? 1 : 0;
    }
    made.add_cell(corners);
    sides += (i == 0 ? 1 : 0) + (j == 0 ? 1 : 0) + (i + size == 2 * x_ ? 1 : 0) +
             (j + size == 2 * y_ ? 1 : 0);
  }

  std::uint64_t seed_;
  std::int64_t x_, y_;
  std::set<std::int64_t> used_;
};

/// Faces with one cell only, on all ranks.
std::int64_t sides_at_end(const mesh_piece& whole) {
  detail::team one;
  assembly_options o = with_faces(1);
  o.wish.tables[detail::index_of(element_kind::faces)][detail::index_of(element_kind::cells)] =
    true;
  const detail::mesh_of_rank m = detail::assemble(one, whole, o);
  const auto& cells = m.parts[0].table(element_kind::faces, element_kind::cells);
  std::int64_t all = 0;
  for(std::int64_t f = 0; f != m.in_all[detail::index_of(element_kind::faces)]; ++f)
    all += cells.row(f).second == 1 ? 1 : 0;
  return all;
}

} // namespace

TEST_CASE("A vertex in the middle of a neighbour's side is told, with the cell") {
  const std::string expected =
    "rondo::unstructured: the vertex 4 is in the middle of a side of the cell 0, between its "
    "corners 1 and 2, and is none of its corners";
  for(const unsigned ranks : {1U, 2U, 3U})
    for(const color_id colors : {color_id{3}, color_id{1}})
      for(const unsigned ghosts : {0U, 1U, 2U})
        for(const element_kind over : {element_kind::vertices, element_kind::faces}) {
          CAPTURE(ranks, colors, ghosts, over == element_kind::faces);
          assembly_options o = with_faces(colors);
          o.ghost_layers = ghosts;
          o.over = over;
          CHECK_THAT(said_of(three_squares(false), ranks, o), Catch::StartsWith(expected));
          CHECK(said_of(three_squares(true), ranks, o).empty());
        }
}

TEST_CASE("Where nothing is asked about faces a vertex in the middle of a side is no mistake") {
  CHECK(said_of(three_squares(false), 2, {.colors = 3}).empty());
  assembly_options o{.colors = 3};
  constexpr std::size_t cells = detail::index_of(element_kind::cells);
  o.wish.tables[cells][cells] = true; // the cells over faces
  CHECK_THAT(said_of(three_squares(false), 2, o), Catch::Contains("the vertex 4"));
}

TEST_CASE("Meshes with smaller cells in them are told, or right with the vertices between") {
  int hanging = 0;
  for(std::uint64_t seed = 0; seed != 60; ++seed) {
    const std::int64_t x = pieces::draw(seed, 7001, 1, 5);
    const std::int64_t y = pieces::draw(seed, 7002, 2, 5);
    CAPTURE(seed, x, y);
    const squares without(seed, x, y, false);
    const squares with(seed, x, y, true);
    const unsigned ranks = 1 + seed % 3;
    const color_id colors = seed % 2 == 0 ? 1 : 2;
    CHECK(said_of(without.made, ranks, with_faces(colors)).empty() == (without.hanging == 0));
    CHECK(said_of(with.made, ranks, with_faces(colors)).empty());
    CHECK(sides_at_end(with.made) == with.sides);
    hanging += without.hanging != 0 ? 1 : 0;
  }
  CHECK(hanging > 20);
}

TEST_CASE(
  "Several vertices in the middle of a side are told, on a slope and on a surface in space") {
  for(const double height : {0., 0.75}) {
    mesh_piece p{.dimension = 2};
    const auto at = [height](double along, double across) {
      return position{0.1 + along - 0.3 * across, 0.7 + 0.3 * along + across, height * along};
    };
    p.add_vertex(10, at(0, 0));
    p.add_vertex(20, at(1, 0));
    p.add_vertex(30, at(0.5, 1));
    p.add_cell({10, 20, 30});
    const std::array<double, 4> along{0, 0.3, 0.8, 1};
    const std::array<std::int64_t, 4> ends{10, 11, 12, 20};
    p.add_vertex(11, at(0.3, 0));
    p.add_vertex(12, at(0.8, 0));
    for(std::size_t k = 0; k != along.size(); ++k)
      p.add_vertex(100 + static_cast<std::int64_t>(k), at(along[k], -0.5));
    for(std::int64_t k = 0; k != 3; ++k)
      p.add_cell({ends[static_cast<std::size_t>(k)], 100 + k, 101 + k,
        ends[static_cast<std::size_t>(k + 1)]});
    for(const unsigned ranks : {1U, 2U, 4U})
      CHECK_THAT(said_of(p, ranks, with_faces(2)),
        Catch::Contains("the vertex 11 is in the middle of a side of the cell 0, between its "
                        "corners 10 and 20"));
  }
}

namespace {

/// Two rows of squares, below and above y = 1; along a crack in between, from x = 1 to x = 5, vertices above have numbers from 1000 on, but at its
/// ends. `above`: which of the vertices are there.
mesh_piece with_crack(
  const std::vector<std::int64_t>& below, const std::vector<std::int64_t>& above) {
  mesh_piece p{.dimension = 2};
  const auto vertex = [&p](std::int64_t number, std::int64_t x, double y) {
    p.add_vertex(number, {static_cast<double>(x), y});
    return number;
  };
  const auto row = [&](const std::vector<std::int64_t>& xs, bool is_above) {
    const auto number = [&](std::int64_t x) {
      return is_above && x > 1 && x < 5 ? 1000 + x : 100 + x;
    };
    for(const std::int64_t x : xs) {
      if(!is_above || number(x) >= 1000)
        vertex(number(x), x, 1);
      vertex(is_above ? 200 + x : x, x, is_above ? 2 : 0);
    }
    for(std::size_t k = 0; k + 1 != xs.size(); ++k) {
      const std::int64_t a = xs[k], b = xs[k + 1], far = is_above ? 200 : 0;
      p.add_cell({number(a), number(b), far + b, far + a});
    }
  };
  row(below, false);
  row(above, true);
  return p;
}

} // namespace

TEST_CASE("The two sides of a crack are no mistake, also if their vertices are elsewhere") {
  const auto fits = [](const std::vector<std::int64_t>& below,
                      const std::vector<std::int64_t>& above) {
    for(const unsigned ranks : {1U, 3U})
      CHECK(said_of(with_crack(below, above), ranks, with_faces(2)).empty());
  };
  fits({0, 1, 2, 3, 4, 5, 6}, {0, 1, 2, 3, 4, 5, 6});
  fits({0, 1, 2, 3, 4, 5, 6}, {0, 1, 3, 5, 6});
  fits({0, 1, 2, 5, 6}, {0, 1, 3, 4, 5, 6});
  fits({0, 1, 3, 5, 6}, {0, 1, 2, 3, 4, 5, 6});
}

TEST_CASE("A vertex in the middle of an edge of a surface, and of a short side far from 0 in six "
          "digits, is told") {
  mesh_piece corner{.dimension = 2};
  const std::array<position, 9> at{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {.5, 0, 0},
    {0, 0, -1}, {.5, 0, -1}, {1, 0, -1}, {2, 0, 0}}};
  for(std::size_t v = 0; v != at.size(); ++v)
    corner.add_vertex(static_cast<std::int64_t>(v), at[v]);
  corner.add_cell({0, 1, 2, 3});
  corner.add_cell({0, 4, 6, 5});
  corner.add_cell({4, 1, 7, 6});
  CHECK_THAT(said_of(corner, 2, with_faces(2)), Catch::Contains("the vertex 4 is in the middle"));

  mesh_piece rounded{.dimension = 2};
  const std::array<position, 8> digits{{{0.5, 0.5}, {0.514286, 0.507143}, {0.507, 0.52},
    {0.507143, 0.503571}, {0.503, 0.49}, {0.510, 0.493}, {0.517, 0.496}, {0, 0}}};
  for(std::size_t v = 0; v != digits.size(); ++v)
    rounded.add_vertex(static_cast<std::int64_t>(v), digits[v]);
  rounded.add_cell({0, 1, 2});
  rounded.add_cell({0, 4, 5, 3});
  rounded.add_cell({3, 5, 6, 1});
  CHECK_THAT(said_of(rounded, 2, with_faces(2)), Catch::Contains("the vertex 3 is in the middle"));
}

TEST_CASE("Holes beside the seam of a mesh that goes around are no mistake") {
  constexpr std::int64_t n = 6;
  mesh_piece p{.dimension = 2};
  for(std::int64_t x = 0; x != n; ++x)
    for(std::int64_t y = 0; y != 3; ++y)
      p.add_vertex(10 * x + y, {static_cast<double>(x), static_cast<double>(y)});
  const auto add = [&p](std::int64_t x, std::int64_t y) {
    const std::int64_t a = 10 * x + y, b = 10 * ((x + 1) % n) + y;
    p.add_cell({a, b, b + 1, a + 1});
  };
  add(n - 1, 0); // across the seam, without neighbours in its row
  add(0, 1);
  add(n - 2, 1); // above there is none across the seam
  for(const unsigned ranks : {1U, 3U})
    CHECK(said_of(p, ranks, with_faces(1)).empty());
}

TEST_CASE("Holes, meshes that go around and positions that mean nothing are no mistake") {
  // A row of squares whose last one is beside the first one: positions jump there.
  mesh_piece around{.dimension = 2};
  for(std::int64_t x = 0; x != 6; ++x)
    for(std::int64_t y = 0; y != 3; ++y)
      around.add_vertex(10 * x + y, {static_cast<double>(x), static_cast<double>(y)});
  for(std::int64_t x = 0; x != 6; ++x)
    for(std::int64_t y = 0; y != 2; ++y) {
      const std::int64_t a = 10 * x + y, b = 10 * ((x + 1) % 6) + y;
      around.add_cell({a, b, b + 1, a + 1});
    }
  CHECK(said_of(around, 1, with_faces(2)).empty());
  CHECK(said_of(around, 3, with_faces(2)).empty());

  mesh_piece with_hole{.dimension = 2};
  const mesh_piece box = box_of_triangles{6, 6}(0, 1);
  with_hole.vertices = box.vertices;
  with_hole.positions = box.positions;
  for(std::size_t c = 0; c != box.cells(); ++c)
    if(c % 7 != 3)
      with_hole.add_cell(box.corners_of(c));
  CHECK(said_of(with_hole, 1, with_faces(3)).empty());
  CHECK(said_of(with_hole, 2, with_faces(3)).empty());

  for(const double slope : {0., 1. / 3}) { // all on a point, or on a line
    mesh_piece flat = with_hole;
    for(std::size_t v = 0; v != flat.positions.size(); ++v)
      flat.positions[v] = {slope * static_cast<double>(v), slope * slope * static_cast<double>(v)};
    CHECK(said_of(flat, 2, with_faces(3)).empty());
  }
}
