#include "mesh_in_file.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include <rondo/unstructured.hpp>

#include "../shapes.hpp"

namespace rondo::detail::inline meshes {

std::uint8_t type_in_vtk(unsigned dimension, std::size_t corners) {
  enum : std::uint8_t {
    line = 3,
    triangle = 5,
    polygon = 7,
    quadrilateral = 9,
    tetrahedron = 10,
    hexahedron = 12,
    prism = 13,
    pyramid = 14
  };
  if(dimension == 1)
    return line;
  if(dimension == 2)
    return corners == 3 ? triangle : corners == 4 ? quadrilateral : polygon;
  return corners == 4 ? tetrahedron : corners == 5 ? pyramid : corners == 6 ? prism : hexahedron;
}

namespace {

/// Its values, as bytes.
template<class T>
class values_in {
public:
  explicit values_in(std::byte* at) : at_(at) {}
  void add(const T& value) {
    std::memcpy(at_, &value, sizeof value);
    at_ += sizeof value;
  }

private:
  std::byte* at_;
};

std::vector<std::int64_t> elements_of(const selection& s) {
  std::vector<std::int64_t> all;
  for(const box<3>& b : s.boxes())
    for(std::int64_t e = b.lo[0]; e != b.hi[0]; ++e)
      all.push_back(e);
  return all;
}

class color_in_file {
public:
  color_in_file(const color_mesh& p, unsigned dimension)
      : p_(p), corners_(p.table(element_kind::cells, element_kind::vertices)),
        dimension_(dimension) {}

  void put_positions(values_in<position> to) const {
    for(std::int64_t v = 0; v != p_.owned_in_file.vertices; ++v)
      to.add(at(v));
  }
  void put_ids(element_kind kind, std::byte* to) const {
    const color_elements& e = p_.of(kind);
    if(e.owned != 0) // else there may be no memory
      std::memcpy(to, e.ids.data(), static_cast<std::size_t>(e.owned) * sizeof e.ids[0]);
  }
  /// A face or an edge has the vertices that it has in any of its cells; one of these is the color's own.
  void put_ids_of_vertices(element_kind kind, std::size_t each, std::byte* to) const {
    const element_table& parts = p_.table(element_kind::cells, kind);
    const std::vector<std::int64_t>& ids = p_.of(element_kind::vertices).ids;
    for(std::int64_t c = 0; c != p_.owned_in_file.cells; ++c) {
      const auto [corners, size] = corners_.row(c);
      const auto [its, count] = parts.row(c);
      for(std::size_t k = 0; k != count; ++k) {
        if(its[k] >= p_.of(kind).owned)
          continue;
        std::array<std::int64_t, 4> all;
        all.fill(std::numeric_limits<std::int64_t>::max()); // goes last
        const corner_list part = part_of_shape(dimension_, size, kind, k);
        for(std::size_t i = 0; i != part.size; ++i)
          all[i] = ids[static_cast<std::size_t>(corners[part.at[i]])];
        std::ranges::sort(all);
        for(std::size_t i = part.size; i < all.size(); ++i)
          all[i] = -1;
        const std::size_t bytes = each * sizeof all[0];
        std::memcpy(to + static_cast<std::size_t>(its[k]) * bytes, all.data(), bytes);
      }
    }
  }
  void put_ends(values_in<std::int64_t> to) const {
    std::int64_t end = p_.before_in_file.corners;
    for(std::int64_t c = 0; c != p_.owned_in_file.cells; ++c) {
      end += static_cast<std::int64_t>(corners_.row(c).second);
      to.add(end);
    }
  }
  void put_types(values_in<std::uint8_t> to) const {
    for(std::int64_t c = 0; c != p_.owned_in_file.cells; ++c)
      to.add(type_in_vtk(dimension_, corners_.row(c).second));
  }
  void put_corners(values_in<std::int64_t> to) const {
    const std::vector<std::int64_t> number = numbers_of_vertices();
    for(std::int64_t c = 0; c != p_.owned_in_file.cells; ++c) {
      const auto [its, size] = corners_.row(c);
      const bool turns = is_prism_upside_down(c);
      for(std::size_t k = 0; k != size; ++k)
        to.add(number[static_cast<std::size_t>(its[turns ? turned[k] : k])]);
    }
  }

private:
  /// The other way around the same prism.
  static constexpr std::array<std::size_t, 6> turned{0, 2, 1, 3, 5, 4};

  [[nodiscard]] const position& at(std::int64_t v) const {
    return p_.positions[static_cast<std::size_t>(v)];
  }
  /// Where a file has each vertex that the color sees: its owner has it there.
  [[nodiscard]] std::vector<std::int64_t> numbers_of_vertices() const {
    const color_elements& vertices = p_.of(element_kind::vertices);
    std::vector<std::int64_t> number(static_cast<std::size_t>(vertices.all), -1);
    for(std::int64_t v = 0; v != vertices.owned; ++v)
      number[static_cast<std::size_t>(v)] = p_.before_in_file.vertices + v;
    for(const neighbour& n : vertices.neighbours) {
      const std::vector<std::int64_t> here = elements_of(n.ghosts);
      const std::vector<std::int64_t> there = elements_of(n.source);
      for(std::size_t i = 0; i != here.size(); ++i)
        number[static_cast<std::size_t>(here[i])] = p_.vertices_before.at(n.color) + there[i];
    }
    return number;
  }
  /// The first triangle of VTK's prisms is seen from outside, against the clock; a mesh has it either way.
  [[nodiscard]] bool is_prism_upside_down(std::int64_t c) const {
    const auto [its, size] = corners_.row(c);
    if(dimension_ != 3 || size != 6)
      return false;
    const position o = at(its[0]);
    std::array<position, 3> side{at(its[1]), at(its[2]), at(its[3])};
    for(position& x : side)
      for(std::size_t a = 0; a != 3; ++a)
        x[a] -= o[a];
    const auto& [u, v, w] = side;
    return (u[1] * v[2] - u[2] * v[1]) * w[0] + (u[2] * v[0] - u[0] * v[2]) * w[1] +
             (u[0] * v[1] - u[1] * v[0]) * w[2] >
           0;
  }

  const color_mesh& p_;
  const element_table& corners_;
  unsigned dimension_;
};

} // namespace

void mesh_in_file::put(mesh_array what, color_id color, std::byte* into) const {
  const color_in_file its(*mesh_->part(color), mesh_->dimension);
  switch(what) {
  case mesh_array::positions:
    return its.put_positions(values_in<position>(into));
  case mesh_array::corners:
    return its.put_corners(values_in<std::int64_t>(into));
  case mesh_array::ends:
    return its.put_ends(values_in<std::int64_t>(into));
  case mesh_array::types:
    return its.put_types(values_in<std::uint8_t>(into));
  case mesh_array::cell_ids:
    return its.put_ids(element_kind::cells, into);
  case mesh_array::vertex_ids:
    return its.put_ids(element_kind::vertices, into);
  case mesh_array::face_ids:
    return its.put_ids_of_vertices(element_kind::faces, vertices_of_face(), into);
  case mesh_array::edge_ids:
    return its.put_ids_of_vertices(element_kind::edges, 2, into);
  }
}

stored_mesh stored_mesh_of(topology_state& cells,
  const of_kinds_beside_cells<topology_state*>& others, std::shared_ptr<const mesh_of_rank> m) {
  return stored_mesh::of(cells, others, std::make_shared<const mesh_in_file>(std::move(m)));
}

} // namespace rondo::detail::inline meshes
