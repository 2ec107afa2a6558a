#include "mesh_arrays.hpp"

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace rondo::detail::inline distributed {

stored_type type_of(mesh_array what, unsigned vertices_of_face) {
  switch(what) {
  case mesh_array::positions:
    return {scalar_type::float64, 3};
  case mesh_array::types:
    return {scalar_type::uint8, 1};
  case mesh_array::face_ids:
    return {scalar_type::int64, vertices_of_face};
  case mesh_array::edge_ids:
    return {scalar_type::int64, 2};
  case mesh_array::corners:
  case mesh_array::ends:
  case mesh_array::cell_ids:
  case mesh_array::vertex_ids:
    break;
  }
  return {scalar_type::int64, 1};
}

std::int64_t count_of(mesh_array what, const mesh_counts& of) {
  switch(what) {
  case mesh_array::positions:
  case mesh_array::vertex_ids:
    return of.vertices;
  case mesh_array::corners:
    return of.corners;
  case mesh_array::face_ids:
    return of.faces;
  case mesh_array::edge_ids:
    return of.edges;
  case mesh_array::ends:
  case mesh_array::types:
  case mesh_array::cell_ids:
    break;
  }
  return of.cells;
}

bool has_array(mesh_array what, const mesh_contents& c) {
  return (what != mesh_array::face_ids && what != mesh_array::edge_ids) ||
         count_of(what, c.counts) != 0;
}

mesh_array ids_of(stored_for what) {
  return what == stored_for::vertices ? mesh_array::vertex_ids
         : what == stored_for::faces  ? mesh_array::face_ids
         : what == stored_for::edges  ? mesh_array::edge_ids
                                      : mesh_array::cell_ids;
}

void write_mesh(
  const system_file& to, const mesh_contents& in, const stored_mesh& m, const bundle& b) {
  std::vector<std::byte> piece;
  for(std::size_t a = 0; a != mesh_arrays; ++a) {
    const auto what = static_cast<mesh_array>(a);
    if(!has_array(what, in))
      continue;
    const std::size_t size = size_of(type_of(what, in.vertices_of_face));
    const auto bytes = [&](const mesh_counts& n) {
      return static_cast<std::size_t>(count_of(what, n)) * size;
    };
    std::size_t end = 0;
    for(const std::size_t c : b.colors)
      end += bytes(m.shape->of(m.colors[c].number));
    piece.resize(end);
    std::size_t at = 0;
    for(const std::size_t c : b.colors) {
      m.shape->put(what, m.colors[c].number, piece.data() + at);
      at += bytes(m.shape->of(m.colors[c].number));
    }
    to.write(piece, in.offsets[a] + bytes(m.shape->before(m.colors[b.colors.front()].number)));
  }
}

namespace {
box<3> in_a_row(std::int64_t before, std::int64_t count) {
  return {{before, 0, 0}, {before + count, 1, 1}};
}
stored_mesh::boxes_beside_cells beside_cells(const mesh_counts& before, const mesh_counts& count) {
  stored_mesh::boxes_beside_cells all;
  all[stored_for::vertices] = in_a_row(before.vertices, count.vertices);
  all[stored_for::faces] = in_a_row(before.faces, count.faces);
  all[stored_for::edges] = in_a_row(before.edges, count.edges);
  return all;
}
} // namespace

stored_mesh stored_mesh::of(topology_state& cells,
  const of_kinds_beside_cells<topology_state*>& others, std::shared_ptr<const file_mesh> shape) {
  const mesh_counts all = shape->in_all();
  stored_mesh made{.state = &cells,
    .dimensions = 1,
    .whole = in_a_row(0, all.cells),
    .colors = {},
    .shape = std::move(shape),
    .others = others,
    .all_beside = beside_cells({}, all)};
  for(const color_id c : cells.mine()) {
    const mesh_counts own = made.shape->of(c);
    const mesh_counts before = made.shape->before(c);
    made.colors.push_back({in_a_row(before.cells, own.cells), selection::of_range(0, own.cells), c,
      beside_cells(before, own)});
  }
  return made;
}

} // namespace rondo::detail::inline distributed
