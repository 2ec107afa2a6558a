#pragma once

/// \file
/// Meshes from files that Gmsh has written.
///
/// \code
///   #include <rondo/unstructured.hpp>
///
///   using namespace rondo;
///   using mesh = unstructured<kind::cells, kind::vertices>;
///
///   int main(int argc, char** argv) {
///     return rondo::run(argc, argv, [](scheduler& s) {
///       mesh m{s, gmsh_file("wing.msh"), {.colors = 64}};
///       // ...
///     });
///   }
/// \endcode
///
/// The file has format 2.2 or 4.1, as text or binary: `gmsh wing.geo -3 -format msh41 -bin -o wing.msh`. Each part opens the file
/// itself, so it has to be where all ranks see it, and keeps its share of the cells with the vertices of these, no more. A text is scanned
/// to its end by each part, 100 MB in about half a second; of a binary file a part reads its own cells, and the numbers of vertices.
///
/// *Cells* are the elements of the highest dimension that the file has: lines, triangles and quadrilaterals, or tetrahedra, pyramids, prisms
/// and hexahedra, all of first order. They have the order that they have in the file, whatever the number of parts.
///
/// *Vertices* have the numbers that the file gives to nodes. Nodes that no cell has are left out.
///
/// *Sets* are the physical groups of the file: its cells, and its elements of lower dimension. A set has the name of the group, or
/// "physical 7" where group 7 has none; groups with one name are one set. Gmsh saves only elements that are in a group if there is a group.
///
/// A mistake in a file is thrown as a std::runtime_error, "rondo::gmsh_file: wing.msh, line 17: ...", of binary files with the byte. A part sees
/// only the mistakes in the bytes that it reads: maybe one rank throws, and the others don't.

#include <string>
#include <utility>

#include <rondo/meshes/mesh_piece.hpp>

namespace rondo {

class gmsh_file {
public:
  /// Looks at nothing yet: mistakes in the name are told by the call.
  explicit gmsh_file(std::string path) : path_(std::move(path)) {}

  /// The cells of part `part` of `parts`, `part` below `parts`.
  [[nodiscard]] mesh_piece operator()(unsigned part, unsigned parts) const;

private:
  std::string path_;
};

} // namespace rondo
