// Damaged files of Gmsh are read, or refused by a std::runtime_error: nothing else happens.

#include <random>

#include <catch2/catch.hpp>
#include <rondo/meshes/gmsh.hpp>

#include "gmsh_writer.hpp"

using namespace rondo;

namespace {

/// Whether the file is a mesh. All else than that and a std::runtime_error fails the test.
bool reads(const file_of_test& file, unsigned parts) {
  try {
    for(unsigned part = 0; part != parts; ++part) {
      const mesh_piece piece = gmsh_file(file.name())(part, parts);
      REQUIRE(piece.vertices.size() == piece.positions.size());
      REQUIRE(piece.begins.back() == static_cast<std::int64_t>(piece.corners.size()));
    }
    return true;
  }
  catch(const std::runtime_error&) {
    return false;
  }
}

std::vector<written_mesh> meshes() { return {two_triangles(), triangles_and_quads(3), volumes()}; }

} // namespace

TEST_CASE("the beginning of a file of Gmsh is no mesh") {
  for(const written_mesh& m : meshes())
    for(const format f : all_formats) {
      CAPTURE(static_cast<int>(f));
      const std::string bytes = bytes_of(m, f);
      const file_of_test file(bytes);
      for(std::size_t length = 0; length <= bytes.size(); ++length) {
        CAPTURE(length);
        file.write(bytes.substr(0, length));
        // Only the last line end may be missing.
        REQUIRE(reads(file, 1) == (length + 1 >= bytes.size()));
      }
    }
}

TEST_CASE("bytes of a file of Gmsh may be any") {
  std::mt19937 draw(17);
  unsigned read_well = 0;
  unsigned refused = 0;
  for(const written_mesh& m : meshes())
    for(const format f : all_formats) {
      const std::string bytes = bytes_of(m, f);
      const file_of_test file(bytes);
      for(int i = 0; i != 1000; ++i) {
        std::string damaged = bytes;
        for(unsigned n = 1 + draw() % 3; n > 0; --n) {
          const std::size_t at = draw() % damaged.size();
          switch(draw() % 4) {
          case 0:
            damaged[at] = static_cast<char>(draw());
            break;
          case 1:
            damaged[at] = static_cast<char>(damaged[at] ^ (1 << draw() % 8));
            break;
          case 2:
            damaged[at] = "0123456789- \n$"[draw() % 14];
            break;
          default:
            damaged.erase(at, 1 + draw() % 9);
          }
        }
        CAPTURE(static_cast<int>(f), i);
        file.write(damaged);
        ++(reads(file, 1 + draw() % 3) ? read_well : refused);
      }
    }
  CHECK(read_well > 500);
  CHECK(refused > 500);
}
