#pragma once

/// \file
/// A part of an unstructured mesh, as a rank hands it in: some of the cells, with the vertices that these have.
///
/// \code
///   mesh_piece two_triangles(unsigned part, unsigned parts) {
///     mesh_piece p{.dimension = 2};
///     if(part != 0)
///       return p;                                         // the other parts have none
///     p.add_vertex(10, {0, 0});
///     p.add_vertex(11, {1, 0});
///     p.add_vertex(12, {0, 1});
///     p.add_vertex(13, {1, 1});
///     p.add_cell({10, 11, 12});
///     p.add_cell({11, 13, 12});
///     p.name("floor", {10, 11});
///     return p;
///   }
/// \endcode
///
/// *Vertices* have any numbers from 0 on, the same in all parts. A part has the position of each vertex of its cells; it may have
/// others, too. Several parts may have the same vertex, at the same position.
///
/// *Cells* are numbered in the order in which they are added, the parts one after the other. So a mesh is the same whatever the number of parts, if
/// part 0 has the first cells, part 1 the next ones, and so on; and so is then all that is made of it. No cell
/// is there twice, and no two have the same corners. The corners of a cell say what it is:
///
/// | dimension | corners | |
/// |---|---|---|
/// | 1 | 2 | a line |
/// | 2 | 3, 4, ... | a polygon; corners one after the other around it |
/// | 3 | 4 | a tetrahedron |
/// | 3 | 5 | a pyramid: the corners of its base around it, and the tip |
/// | 3 | 6 | a prism: a triangle, and the opposite one in the same order |
/// | 3 | 8 | a hexahedron: a quadrilateral around it, and the opposite one in the same order |
///
/// Positions have up to three coordinates, and may have more of them than the dimension: the triangles of a surface.

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rondo {

/// Where something is; coordinates that are not said are 0.
using position = std::array<double, 3>;

struct mesh_piece {
  unsigned dimension = 2; ///< Of cells: 1, 2 or 3.

  std::vector<std::int64_t> vertices{}; ///< The number of each vertex of this part,
  std::vector<position> positions{};    ///< and where it is.

  /// The numbers of vertices of all cells, one cell after the other.
  std::vector<std::int64_t> corners{};
  /// Where there the corners of each cell begin, and of the last one where they end.
  std::vector<std::int64_t> begins{0};

  /// Cells, faces, edges or vertices that belong together: a boundary, a material.
  struct named {
    std::string name{};
    std::vector<std::int64_t> corners{}; ///< Of all its members.
    std::vector<std::int64_t> begins{0}; ///< As above.
  };
  std::vector<named> sets{};

  [[nodiscard]] std::size_t cells() const { return begins.size() - 1; }
  [[nodiscard]] std::span<const std::int64_t> corners_of(std::size_t cell) const {
    return std::span(corners).subspan(static_cast<std::size_t>(begins[cell]),
      static_cast<std::size_t>(begins[cell + 1] - begins[cell]));
  }

  void add_vertex(std::int64_t number, const position& at) {
    vertices.push_back(number);
    positions.push_back(at);
  }
  void add_cell(std::span<const std::int64_t> its_corners) {
    corners.insert(corners.end(), its_corners.begin(), its_corners.end());
    begins.push_back(static_cast<std::int64_t>(corners.size()));
  }
  void add_cell(std::initializer_list<std::int64_t> its_corners) {
    add_cell(std::span(its_corners.begin(), its_corners.size()));
  }
  /// The element with these corners belongs to that set: a vertex, an edge, a face or a cell, of this part or another one.
  void name(std::string_view set, std::span<const std::int64_t> its_corners);
  void name(std::string_view set, std::initializer_list<std::int64_t> its_corners) {
    name(set, std::span(its_corners.begin(), its_corners.size()));
  }
};

} // namespace rondo
