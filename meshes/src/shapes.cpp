#include "shapes.hpp"

#include <algorithm>

namespace rondo::detail::inline meshes {

namespace {

// As mesh_piece.hpp numbers corners.
constexpr corner_list tetrahedron_faces[] = {
  {3, {0, 2, 1}}, {3, {0, 1, 3}}, {3, {1, 2, 3}}, {3, {0, 3, 2}}};
constexpr corner_list tetrahedron_edges[] = {
  {2, {0, 1}}, {2, {1, 2}}, {2, {0, 2}}, {2, {0, 3}}, {2, {1, 3}}, {2, {2, 3}}};
constexpr corner_list pyramid_faces[] = {
  {4, {0, 3, 2, 1}}, {3, {0, 1, 4}}, {3, {1, 2, 4}}, {3, {2, 3, 4}}, {3, {3, 0, 4}}};
constexpr corner_list pyramid_edges[] = {{2, {0, 1}}, {2, {1, 2}}, {2, {2, 3}}, {2, {3, 0}},
  {2, {0, 4}}, {2, {1, 4}}, {2, {2, 4}}, {2, {3, 4}}};
constexpr corner_list prism_faces[] = {
  {3, {0, 2, 1}}, {3, {3, 4, 5}}, {4, {0, 1, 4, 3}}, {4, {1, 2, 5, 4}}, {4, {2, 0, 3, 5}}};
constexpr corner_list prism_edges[] = {{2, {0, 1}}, {2, {1, 2}}, {2, {2, 0}}, {2, {3, 4}},
  {2, {4, 5}}, {2, {5, 3}}, {2, {0, 3}}, {2, {1, 4}}, {2, {2, 5}}};
constexpr corner_list hexahedron_faces[] = {{4, {0, 3, 2, 1}}, {4, {4, 5, 6, 7}}, {4, {0, 1, 5, 4}},
  {4, {1, 2, 6, 5}}, {4, {2, 3, 7, 6}}, {4, {3, 0, 4, 7}}};
constexpr corner_list hexahedron_edges[] = {{2, {0, 1}}, {2, {1, 2}}, {2, {2, 3}}, {2, {3, 0}},
  {2, {4, 5}}, {2, {5, 6}}, {2, {6, 7}}, {2, {7, 4}}, {2, {0, 4}}, {2, {1, 5}}, {2, {2, 6}},
  {2, {3, 7}}};

std::span<const corner_list> solid(std::size_t corners, element_kind kind) {
  const bool are_faces = kind == element_kind::faces;
  switch(corners) {
  case 4:
    return are_faces ? std::span<const corner_list>(tetrahedron_faces) : tetrahedron_edges;
  case 5:
    return are_faces ? std::span<const corner_list>(pyramid_faces) : pyramid_edges;
  case 6:
    return are_faces ? std::span<const corner_list>(prism_faces) : prism_edges;
  case 8:
    return are_faces ? std::span<const corner_list>(hexahedron_faces) : hexahedron_edges;
  default:
    return {};
  }
}

} // namespace

bool corner_list::is_in(const corner_list& other) const {
  const auto begin = other.at.begin();
  return std::all_of(at.begin(), at.begin() + size,
    [&](std::uint8_t c) { return std::find(begin, begin + other.size, c) != begin + other.size; });
}

bool is_shape(unsigned dimension, std::size_t corners) {
  switch(dimension) {
  case 1:
    return corners == 2;
  case 2:
    return corners >= 3 && corners <= 255;
  case 3:
    return !solid(corners, element_kind::faces).empty();
  default:
    return false;
  }
}

std::size_t parts_of_shape(unsigned dimension, std::size_t corners, element_kind kind) {
  if(kind == element_kind::vertices)
    return corners;
  if(dimension == 3)
    return solid(corners, kind).size();
  if(dimension == 2)
    return corners;
  return kind == element_kind::faces ? corners : 1; // a line ends at two vertices, and is an edge
}

corner_list part_of_shape(
  unsigned dimension, std::size_t corners, element_kind kind, std::size_t k) {
  const auto corner = static_cast<std::uint8_t>(k);
  if(kind == element_kind::vertices || (dimension == 1 && kind == element_kind::faces))
    return {1, {corner}};
  if(dimension == 3)
    return solid(corners, kind)[k];
  return {2, {corner, static_cast<std::uint8_t>((k + 1) % corners)}};
}

} // namespace rondo::detail::inline meshes
