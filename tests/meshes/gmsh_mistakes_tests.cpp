// What is said of files that are no good meshes of Gmsh.

#include <catch2/catch.hpp>
#include <rondo/meshes/gmsh.hpp>

#include "gmsh_writer.hpp"

using namespace rondo;
using Catch::Contains;

namespace {

/// What reading says of these bytes, without the name of the file.
std::string said_of(const std::string& bytes, unsigned part = 0, unsigned parts = 1) {
  const file_of_test file(bytes);
  try {
    (void)gmsh_file(file.name())(part, parts);
  }
  catch(const std::runtime_error& e) {
    const std::string begin = "rondo::gmsh_file: " + file.name();
    const std::string said = e.what();
    REQUIRE(said.starts_with(begin));
    return said.substr(begin.size());
  }
  return "nothing";
}

/// Of the two triangles as a text, the first `what` replaced.
std::string said_with(format f, const std::string& what, const std::string& by) {
  std::string bytes = bytes_of(two_triangles(), f);
  const std::size_t at = bytes.find(what);
  REQUIRE(at != std::string::npos);
  return said_of(bytes.replace(at, what.size(), by));
}

std::string said_of(const written_mesh& m, format f) { return said_of(bytes_of(m, f)); }

/// The mesh with one change, in all formats.
template<class Change>
void check_all(const Change& change, const std::string& expected) {
  for(const format f : all_formats) {
    CAPTURE(static_cast<int>(f));
    written_mesh m = two_triangles();
    change(m);
    const std::string said = said_of(m, f);
    CHECK_THAT(said, Contains(expected));
    CHECK_THAT(said, Catch::StartsWith(is_binary(f) ? ", byte " : ", line "));
  }
}

} // namespace

TEST_CASE("files that are none of Gmsh, or can't be read, are named") {
  CHECK_THROWS_WITH(gmsh_file("/no/such/wing.msh")(0, 1),
    "rondo::gmsh_file: /no/such/wing.msh: No such file or directory");
  CHECK_THROWS_WITH(gmsh_file("/")(0, 1), "rondo::gmsh_file: /: is no file with data");
  CHECK(said_of("") == ": is empty");
  CHECK(said_of("\n\nsolid wing\n") ==
        ", line 3: this is no Gmsh file: $MeshFormat should be here, and there is 'solid'");
  CHECK(said_of(" \n") ==
        ", line 2: this is no Gmsh file: $MeshFormat should be here, and there is ''");
  CHECK(said_of("$Nodes\n0\n$EndNodes\n") == ": the file has no $MeshFormat");
  CHECK_THROWS_AS(gmsh_file("wing.msh")(2, 2), std::invalid_argument);
}

TEST_CASE("formats of Gmsh other than 4.1 and 2.2 are told with the way to save the mesh anew") {
  const std::string anew =
    ", and Rondo reads 4.1 and 2.2; save it anew: gmsh OLD.msh -save -format msh41 -o NEW.msh";
  CHECK(said_with(format::text_4, "4.1", "4") == ", line 2: the file has format 4" + anew);
  CHECK(said_with(format::binary_2, "2.2", "2.1") == ", line 2: the file has format 2.1" + anew);
  CHECK(said_of("$NOD\n1\n$ENDNOD\n") == ", line 1: the file has format 1" + anew);
}

TEST_CASE("binary files of Gmsh from other machines are told") {
  for(const format f : {format::binary_2, format::binary_4}) {
    CHECK(said_with(f, std::string("\1\0\0\0", 4), std::string("\0\0\0\1", 4)) ==
          ", byte 20: the file was written by a machine with another order of bytes; save it there "
          "as text");
    CHECK(said_with(f, std::string("\1\0\0\0", 4), "abcd") ==
          ", byte 20: a binary 1 should be here: the file is damaged");
    CHECK(said_with(f, "1 8\n", "1 4\n") ==
          ", line 2: numbers have 4 bytes, and Rondo reads those with 8");
  }
  CHECK(said_with(format::text_4, "0 8\n", "2 8\n") ==
        ", line 2: a file is text (0) or binary (1), and here it says 2");
}

TEST_CASE("elements that Rondo doesn't know are told with their numbers") {
  for(const format f : all_formats) {
    written_mesh m = two_triangles();
    m.elements[5] = {66, 9, 1, {1, 2, 3, 4, 1, 2}};
    CHECK_THAT(
      said_of(m, f), Contains("element 66 is a triangle with 6 nodes, of second order; save a mesh "
                              "of first order (gmsh -order 1, or Mesh.ElementOrder = 1)"));
    m.elements[5].type = 8;
    CHECK_THAT(said_of(m, f), Contains("element 66 is a line with 3 nodes"));
    m.elements[5].type = 77;
    CHECK_THAT(said_of(m, f), Contains("element 66 is of type 77, which Rondo doesn't know"));
  }
}

TEST_CASE("nodes that $Nodes doesn't have are told with the element") {
  check_all([](written_mesh& m) { m.elements[5].nodes[1] = 8; },
    "element 6 has node 8, which is not in $Nodes");
  check_all([](written_mesh& m) { m.elements[2].nodes[1] = 77; },
    "element 3 has node 77, which is not in $Nodes");
  written_mesh m = two_triangles();
  m.elements[5].nodes[1] = 8;
  CHECK_THAT(said_of(m, format::text_2), Catch::StartsWith(", line 25: "));
  CHECK(said_of(bytes_of(m, format::text_4), 0, 2) == "nothing"); // it is in the other part
  CHECK_THAT(said_of(bytes_of(m, format::text_4), 1, 2), Contains("element 6 has node 8"));
}

TEST_CASE("numbers of Gmsh that are there twice, too small or too large are told") {
  check_all(
    [](written_mesh& m) { m.nodes[4].number = 2; }, "there is a node with the number 2 already");
  check_all([](written_mesh& m) { m.elements[5].number = 3; },
    "there is an element with the number 3 already");
  check_all([](written_mesh& m) { m.elements[5].number = 5; },
    "there is an element with the number 5 already");
  check_all(
    [](written_mesh& m) { m.nodes[3].number = 0; }, "0 is no number of a node: they begin with 1");
  check_all([](written_mesh& m) { m.elements[4].number = 0; },
    "0 is no number of an element: they begin with 1");
  check_all([](written_mesh& m) { m.elements[4].nodes[0] = 0; }, "0 is no number of a node");

  for(const format f : {format::text_2, format::binary_2}) {
    written_mesh m = two_triangles();
    m.nodes[3].number = -9;
    CHECK_THAT(said_of(m, f), Contains("-9 is no number of a node"));
  }
  for(const format f : {format::text_4, format::binary_4, format::text_2}) {
    written_mesh m = two_triangles();
    m.nodes[3].number = (std::int64_t{1} << 53) + 1;
    CHECK_THAT(said_of(m, f), Contains("too large a number"));
  }
  CHECK_THAT(
    said_with(format::text_4, "\n9 \n", "\n-9 \n"), Contains("'-9' should not be negative"));
  CHECK_THAT(
    said_with(format::text_4, "\n9 \n", "\n99999999999999999999999 \n"), Contains("too large"));
  CHECK_THAT(
    said_with(format::binary_4, std::string("\11\0\0\0\0\0\0\0", 8), std::string(8, '\xff')),
    Contains("18446744073709551615 is too large a number"));
}

TEST_CASE("words of Gmsh's texts that are no numbers are told with their line") {
  CHECK(said_with(format::text_2, "\n4 1 1", "\n4 1 x1") ==
        ", line 12: a coordinate should be here, and there is 'x1'");
  CHECK_THAT(said_with(format::text_2, "\n4 1 1", "\n4 nan 1"), Contains("there is 'nan'"));
  CHECK_THAT(said_with(format::text_4, "\n9 \n", "\n9.5 \n"),
    Contains(": an integer should be here, and there is '9.5'"));
  CHECK(said_with(format::text_2, "\"the floor\"", "the floor")
          .starts_with(", line 7: a group should be here, such as 2 7 \"inlet\""));
  CHECK(said_with(format::text_2, "$Nodes", "Nodes") ==
        ", line 10: a section should begin here, such as $Nodes, and there is 'Nodes'");
}

TEST_CASE("counts of Gmsh that aren't right are told") {
  CHECK(said_with(format::text_2, "$Nodes\n5", "$Nodes\n6") ==
        ", line 17: a number should be here, and there is '$EndNodes': a count is wrong");
  CHECK(said_with(format::text_2, "$Nodes\n5", "$Nodes\n4") ==
        ", line 16: $EndNodes should be here, and there is '3': a count is wrong, or the file is "
        "damaged");
  CHECK_THAT(said_with(format::text_2, "$Elements\n6", "$Elements\n5"),
    Contains("$EndElements should be here"));
  CHECK_THAT(
    said_with(format::text_2, "$Elements\n6", "$Elements\n7"), Contains("a count is wrong"));
  CHECK_THAT(
    said_with(format::text_4, "$Nodes\n3 5", "$Nodes\n3 6"), Contains("don't have the 6 nodes"));
  CHECK_THAT(
    said_with(format::text_4, "$Nodes\n3 5", "$Nodes\n3 4"), Contains("don't have the 4 nodes"));
  CHECK_THAT(
    said_with(format::text_4, "$Nodes\n3 5", "$Nodes\n2 5"), Contains("don't have the 5 nodes"));
  CHECK_THAT(said_with(format::text_4, "$Elements\n4 6", "$Elements\n4 7"),
    Contains("don't have the 7 elements"));
  CHECK_THAT(said_with(format::text_4, "$Elements\n4 6", "$Elements\n9007199254740992 6"),
    Contains("a count is wrong"));

  for(const std::string count : {"6", "4", "0", "99999999999", "4000000000000000000", "-1", "x"}) {
    CAPTURE(count);
    for(const std::string section : {"$Nodes\n5", "$Elements\n6"}) {
      const std::string other = section.substr(0, section.size() - 1) +
                                (count == section.substr(section.size() - 1) ? "9" : count);
      CHECK(said_with(format::binary_2, section, other) != "nothing");
      CHECK(said_with(format::text_2, section, other) != "nothing");
    }
  }
}

TEST_CASE("damaged counts of binary Gmsh files cost no memory") {
  const std::string bytes = bytes_of(two_triangles(), format::binary_4);
  for(const std::string section : {"$Entities\n", "$Nodes\n", "$Elements\n"})
    for(std::size_t at = 0; at != 60; ++at) {
      std::string damaged = bytes;
      damaged.replace(
        bytes.find(section) + section.size() + at, 6, std::string("\xff\xff\xff\xff\xff\0", 6));
      CAPTURE(section, at);
      const std::string said = said_of(damaged);
      // The smallest and largest numbers, and the boxes of entities, mean nothing.
      if(at < 8)
        CHECK(said != "nothing");
    }
}

TEST_CASE("files of Gmsh that have been cut off are told") {
  for(const format f : all_formats) {
    CAPTURE(static_cast<int>(f));
    const std::string bytes = bytes_of(two_triangles(), f);
    for(const std::string section :
      {"$MeshFormat", "$PhysicalNames", "$Entities", "$Nodes", "$Elements"}) {
      const std::size_t begin = bytes.find(section);
      if(begin == std::string::npos)
        continue;
      const std::size_t end = bytes.find("$End", begin);
      CAPTURE(section);
      CHECK_THAT(said_of(bytes.substr(0, (begin + section.size() + end) / 2)), Contains("cut off"));
    }
    CHECK_THAT(said_of(bytes.substr(0, bytes.find("$Elements"))),
      Contains("the file has no $Elements, or has been cut off"));
    CHECK_THAT(said_of(bytes + "$Periodic\n0\n"),
      Contains("the file ends without $EndPeriodic: it has been cut off"));
    CHECK_THAT(said_of(bytes + bytes.substr(bytes.find("$Elements"))),
      Contains("there is a second section '$Elements'"));
  }
}

TEST_CASE("a file of Gmsh without cells is told, and so are nodes with parameters in format 2") {
  for(const format f : all_formats) {
    written_mesh m = two_triangles();
    m.elements.resize(1);
    CHECK(said_of(m, f) == ": the file has no lines, faces or volumes that could be cells");
    m.elements.clear();
    CHECK(said_of(m, f) == ": the file has no lines, faces or volumes that could be cells");
  }
  CHECK(
    said_with(format::text_2, "$Nodes", "$ParametricNodes") ==
    ", line 10: the nodes have parameters; save the mesh without them (Mesh.SaveParametric = 0)");
}
