#pragma once

/// \file
/// What files have of a mesh whose cells lie anywhere, beside the values: where its vertices are, and which of them a cell has. In a
/// file the colors are one behind the other, in the order of their numbers, and in each of them what it owns, in its order. So a color's
/// cells are one piece of a file, as are its vertices, faces and edges. A face or an edge has no number in the whole mesh: the ids of its
/// vertices say which one it is.

#include <array>
#include <cstddef>
#include <cstdint>

#include <rondo/distributed/color_set.hpp>

namespace rondo::detail::inline distributed {

/// The arrays of a mesh in a file.
enum class mesh_array : std::uint8_t {
  positions,  ///< Of vertices: three float64 each.
  corners,    ///< Of cells, one cell behind the other: int64, which vertices of the file.
  ends,       ///< Of cells: int64, where in the file's corners its own end.
  types,      ///< Of cells: uint8, as VTK numbers them.
  cell_ids,   ///< int64, in the whole mesh, whatever its colors.
  vertex_ids, ///< The same.
  face_ids, ///< Of faces: the ids of their vertices, in ascending order, and -1 where a face has fewer. If there are fields of faces.
  edge_ids, ///< The same of edges, two each.
};
inline constexpr std::size_t mesh_arrays = 8;

struct mesh_counts {
  std::int64_t cells = 0;
  std::int64_t vertices = 0;
  std::int64_t corners = 0;
  std::int64_t faces = 0; ///< Of a mesh that has these.
  std::int64_t edges = 0;

  friend constexpr bool operator==(const mesh_counts&, const mesh_counts&) = default;
};

/// Asked by the disk's thread, and by tasks, about the colors of this rank.
class file_mesh {
public:
  file_mesh() = default;
  virtual ~file_mesh() = default;
  file_mesh(const file_mesh&) = delete;
  file_mesh& operator=(const file_mesh&) = delete;

  [[nodiscard]] virtual mesh_counts in_all() const = 0;
  /// What a color owns, and what those before it own.
  [[nodiscard]] virtual mesh_counts of(color_id color) const = 0;
  [[nodiscard]] virtual mesh_counts before(color_id color) const = 0;
  /// The most that one of its cells' faces may have: 1, 2 or 4.
  [[nodiscard]] virtual unsigned vertices_of_face() const = 0;
  /// A color's part of an array.
  virtual void put(mesh_array what, color_id color, std::byte* into) const = 0;
};

} // namespace rondo::detail::inline distributed
