// Meshes from files of Gmsh: one mesh in four formats, in any number of parts.

#include <algorithm>
#include <map>
#include <set>

#include <catch2/catch.hpp>
#include <rondo/meshes/gmsh.hpp>

#include "gmsh_writer.hpp"

using namespace rondo;

namespace {

using numbers = std::vector<std::int64_t>;

/// What the parts of a mesh are together.
struct whole_mesh {
  unsigned dimension = 0;
  std::map<std::int64_t, position> vertices;
  std::vector<numbers> cells;
  std::map<std::string, std::vector<numbers>> sets;

  bool operator==(const whole_mesh&) const = default;
};

std::vector<numbers> rows_of(const numbers& corners, const numbers& begins) {
  REQUIRE(begins.front() == 0);
  REQUIRE(begins.back() == static_cast<std::int64_t>(corners.size()));
  std::vector<numbers> rows;
  for(std::size_t i = 0; i + 1 < begins.size(); ++i)
    rows.emplace_back(corners.begin() + begins[i], corners.begin() + begins[i + 1]);
  return rows;
}

whole_mesh read_in(unsigned parts, const std::string& file) {
  whole_mesh whole;
  const gmsh_file mesh(file);
  for(unsigned part = 0; part != parts; ++part) {
    const mesh_piece piece = mesh(part, parts);
    whole.dimension = piece.dimension;

    REQUIRE(piece.vertices.size() == piece.positions.size());
    const std::set<std::int64_t> has(piece.vertices.begin(), piece.vertices.end());
    CHECK(has.size() == piece.vertices.size());
    CHECK(has == std::set<std::int64_t>(piece.corners.begin(), piece.corners.end()));
    for(std::size_t i = 0; i != piece.vertices.size(); ++i) {
      const auto [known, is_new] = whole.vertices.emplace(piece.vertices[i], piece.positions[i]);
      CHECK(known->second == piece.positions[i]);
    }

    for(auto& cell : rows_of(piece.corners, piece.begins))
      whole.cells.push_back(std::move(cell));
    CHECK(std::ranges::is_sorted(piece.sets, {}, &mesh_piece::named::name));
    for(const auto& set : piece.sets)
      for(auto& member : rows_of(set.corners, set.begins))
        whole.sets[set.name].push_back(std::move(member));
  }
  return whole;
}

whole_mesh read(const written_mesh& m, format f) {
  const file_of_test file(bytes_of(m, f));
  return read_in(1, file.name());
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for(std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

} // namespace

TEST_CASE("two triangles with a boundary are the same in all formats of Gmsh") {
  const whole_mesh expected{
    .dimension = 2,
    .vertices = {{1, {0, 0, 0}}, {2, {1, 0, .125}}, {3, {0, 1, 0}}, {4, {1, 1, 0}}},
    .cells = {{1, 2, 3}, {2, 4, 3}},
    .sets = {{"the floor", {{1, 2}}}, {"physical 7", {{2, 4}, {4, 3}}}, {"corner", {{1}}},
      {"all", {{1, 2, 3}, {2, 4, 3}}}},
  };
  for(const format f : all_formats) {
    CAPTURE(static_cast<int>(f));
    CHECK(read(two_triangles(), f) == expected);
  }
}

TEST_CASE("volumes of all kinds are the same in all formats of Gmsh") {
  for(const format f : all_formats) {
    CAPTURE(static_cast<int>(f));
    const whole_mesh m = read(volumes(), f);
    CHECK(m.dimension == 3);
    CHECK(m.cells == std::vector<numbers>{{1, 2, 3, 5}, {2, 3, 5, 6}, {1, 2, 4, 3, 5, 6, 8, 7},
                       {5, 6, 7, 9, 10, 11}, {5, 6, 8, 7, 12}});
    CHECK(
      m.sets == std::map<std::string, std::vector<numbers>>{{"inlet", {{1, 2, 3}, {1, 2, 4, 3}}}});
    CHECK(m.vertices.size() == 12);
    CHECK(m.vertices.at(12) == position{1, 1, 2});
  }
}

TEST_CASE(
  "cells of Gmsh have one order in any number of parts, and are once there in several groups") {
  const written_mesh m = triangles_and_quads(6);
  const whole_mesh expected = read(m, format::text_4);
  CHECK(expected.cells.size() == 48);
  CHECK(expected.sets.at("all") == expected.cells);
  CHECK(expected.sets.at("left \"half\"") == expected.sets.at("physical 5"));
  CHECK(expected.sets.at("floor").size() == 6);
  for(const format f : all_formats) {
    CAPTURE(static_cast<int>(f));
    const file_of_test file(bytes_of(m, f));
    for(const unsigned parts : {1u, 2u, 3u, 7u, 100u}) {
      CAPTURE(parts);
      CHECK(read_in(parts, file.name()) == expected);
    }
    CHECK(gmsh_file(file.name())(1, 3).cells() == 16);
  }
}

TEST_CASE("rows of elements of Gmsh may be longer than what is read at once") {
  written_mesh m;
  for(std::int64_t i = 1; i <= 150'001; ++i)
    m.nodes.push_back({i, {static_cast<double>(i), 0, 0}});
  for(std::int64_t i = 1; i <= 150'000; ++i)
    m.elements.push_back({i, 1, 1, {i, i + 1}});
  m.groups = {{{1, 1}, {1, 2}}};
  for(const format f : all_formats) {
    CAPTURE(static_cast<int>(f));
    const file_of_test file(bytes_of(m, f));
    const mesh_piece piece = gmsh_file(file.name())(6, 8);
    REQUIRE(piece.cells() == 18'750);
    CHECK(piece.dimension == 1);
    CHECK(piece.corners.front() == 112'501);
    CHECK(piece.corners.back() == 131'251);
    CHECK(piece.sets.size() == 2);
    CHECK(piece.sets.back().corners == piece.corners);
  }
}

TEST_CASE("nodes of Gmsh may have numbers that are far apart") {
  for(const format f : {format::text_2, format::text_4, format::binary_4}) {
    CAPTURE(static_cast<int>(f));
    written_mesh m = two_triangles();
    const auto renumber = [](std::int64_t& node) {
      node = node == 3 ? 9'007'199'254'740'992 : node * 70'000'000'000;
    };
    for(auto& node : m.nodes)
      renumber(node.number);
    for(auto& e : m.elements)
      for(auto& node : e.nodes)
        renumber(node);
    const whole_mesh read_back = read(m, f);
    CHECK(read_back.cells[0] == numbers{70'000'000'000, 140'000'000'000, 9'007'199'254'740'992});
    CHECK(read_back.vertices.at(9'007'199'254'740'992) == position{0, 1, 0});
    CHECK(read_back.vertices.size() == 4);
  }
}

TEST_CASE("texts of Gmsh may have Windows line ends, and any blanks") {
  for(const format f : {format::text_2, format::text_4}) {
    CAPTURE(static_cast<int>(f));
    written_mesh mesh = two_triangles();
    mesh.names[{1, 1}] = "floor"; // without a blank
    const whole_mesh expected = read(mesh, f);
    const std::string text = bytes_of(mesh, f);
    for(const auto& changed : {replaced(text, "\n", "\r\n"), replaced(text, " ", "\t  "),
          replaced(text, "\n", "\n\n"), text.substr(0, text.size() - 1)}) {
      const file_of_test file(changed);
      CHECK(read_in(2, file.name()) == expected);
    }
  }
}

TEST_CASE("sections of Gmsh that say nothing of a mesh are skipped") {
  const std::string before = "$Comments\nof $Nodes, for $5\n$EndCommentsOfMine\n$EndComments\n";
  for(const format f : all_formats) {
    CAPTURE(static_cast<int>(f));
    const std::string bytes = bytes_of(two_triangles(), f);
    std::string data = "$NodeData\n1\n\"$Elements\"\n";
    data += std::string("\0$\n$$End\n\n$EndNode\n", 19);
    data += "\n$EndNodeData\n";
    if(!is_version_4(f))
      data += "$Entities\nof my own\n$EndEntities\n";
    const std::size_t nodes = bytes.find("$Nodes");
    const file_of_test file(
      before + bytes.substr(0, nodes) + before + data + bytes.substr(nodes) + data + before);
    CHECK(read_in(2, file.name()) == read(two_triangles(), f));
  }
}

TEST_CASE("elements of a partitioned file of Gmsh have the groups of their part of an entity") {
  for(const format f : {format::text_4, format::binary_4}) {
    CAPTURE(static_cast<int>(f));
    written_mesh m = two_triangles();
    m.elements.back().entity = 17;
    number_writer w(is_binary(f));
    w.text("$PartitionedEntities\n");
    for(const int n : {1, 1})
      w.size(n);
    w.integer(5); // a ghost
    w.integer(1);
    for(const int n : {0, 0, 1, 0})
      w.size(n);
    w.end_line();
    for(const int n : {17, 2, 1})
      w.integer(n);
    w.size(1);
    w.integer(1);
    for(int i = 0; i != 6; ++i)
      w.real(i);
    w.size(2);
    w.integer(-1); // of the other orientation
    w.integer(9);
    w.size(0);
    w.end_section("PartitionedEntities");
    std::string bytes = bytes_of(m, f);
    bytes.insert(bytes.find("$Nodes"), w.done());
    const file_of_test file(bytes);
    const whole_mesh read_back = read_in(1, file.name());
    CHECK(read_back.sets.at("all") == std::vector<numbers>{{1, 2, 3}, {2, 4, 3}});
    CHECK(read_back.sets.at("physical 9") == std::vector<numbers>{{2, 4, 3}});
  }
}

TEST_CASE(
  "groups of Gmsh with one name are one set, and groups of several dimensions without names too") {
  written_mesh m = two_triangles();
  m.names = {{{1, 1}, "x"}, {{0, 3}, "x"}, {{1, 7}, ""}};
  m.groups[{2, 1}] = {7};
  for(const format f : all_formats) {
    const whole_mesh read_back = read(m, f);
    CHECK(read_back.sets == std::map<std::string, std::vector<numbers>>{{"x", {{1}, {1, 2}}},
                              {"physical 7", {{2, 4}, {4, 3}, {1, 2, 3}, {2, 4, 3}}}});
  }
}
