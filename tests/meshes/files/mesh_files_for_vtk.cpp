// mesh_files_for_vtk FOLDER: files of fields over unstructured meshes, with values that read_meshes_by_vtk knows. On threads as
// ranks: 1.vtkhdf of one, 2.vtkhdf of two and so on.

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>

#include "../../distributed/ranks.hpp"

#include <rondo/unstructured.hpp>

using namespace rondo;

namespace {

using mesh = unstructured<kind::cells, kind::vertices, kind::faces>;
using places = field<position>;
using numbers = field<std::int64_t>;
using reals = field<float>;

void fill(mesh::view m, places::accessor<wo> center, numbers::accessor<wo> cell,
  reals::accessor<wo> color, places::accessor<wo> at, numbers::accessor<wo> vertex) {
  for(const auto c : m.owned<kind::cells>()) {
    center(c) = m.center(c);
    cell(c) = m.id(c);
    color(c) = static_cast<float>(m.color());
  }
  for(const auto v : m.owned<kind::vertices>()) {
    at(v) = m.at(v);
    vertex(v) = m.id(v);
  }
}

/// VTK has no place for these, and should not mind.
void fill_faces(mesh::view m, numbers::accessor<wo> color) {
  for(const auto f : m.owned<kind::faces>())
    color(f) = static_cast<std::int64_t>(m.color());
}

/// One cell of each kind, around a cube.
mesh_piece solids(unsigned part, unsigned /*parts*/) {
  mesh_piece p{.dimension = 3};
  if(part != 0)
    return p;
  const std::array<position, 14> at{
    {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1},
      {.5, .5, 2}, {2, 0, 0}, {2, 1, 0}, {-1, 0, 0}, {-1, 1, 0}, {2, .5, 2}}};
  for(std::size_t v = 0; v != at.size(); ++v)
    p.add_vertex(static_cast<std::int64_t>(100 * v + 7), at[v]);
  p.add_cell({7, 107, 207, 307, 407, 507, 607, 707});
  p.add_cell({407, 507, 607, 707, 807});
  p.add_cell({107, 507, 907, 207, 607, 1007}); // its first triangle turns to the opposite one,
  p.add_cell({7, 407, 1107, 307, 707, 1207});  // and here away from it
  p.add_cell({507, 607, 807, 1307});
  return p;
}

/// A triangle, a quadrilateral, and a pentagon.
mesh_piece polygons(unsigned part, unsigned /*parts*/) {
  mesh_piece p{.dimension = 2};
  if(part != 0)
    return p;
  const std::array<position, 8> at{
    {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}, {1, 1, 0}, {2, 1, 0}, {0, 2, 0}, {1, 2, 0}}};
  for(std::size_t v = 0; v != at.size(); ++v)
    p.add_vertex(static_cast<std::int64_t>(100 * v + 7), at[v]);
  p.add_cell({107, 207, 507, 407});
  p.add_cell({407, 507, 707});
  p.add_cell({7, 107, 407, 707, 307});
  return p;
}

mesh_piece line(unsigned part, unsigned /*parts*/) {
  mesh_piece p{.dimension = 1};
  for(std::int64_t v = 0; part == 0 && v != 6; ++v) {
    p.add_vertex(100 * v + 7, {static_cast<double>(v * v), 1, 2});
    if(v != 0)
      p.add_cell({100 * v - 93, 100 * v + 7});
  }
  return p;
}

template<class Pieces>
void write(scheduler& s, const std::string& path, const Pieces& pieces, color_id colors) {
  const mesh m{s, pieces, {.colors = colors}};
  const places center{m, "center"}, at{m.of<kind::vertices>(), "at"};
  const numbers cell{m, "cell"}, vertex{m.of<kind::vertices>(), "vertex"};
  const reals color{m, "color"};
  const numbers of_faces{m.of<kind::faces>(), "of faces"};
  s.execute<fill>(m, center, cell, color, at, vertex);
  s.execute<fill_faces>(m, of_faces);
  s.write(path, m, center, cell, color, at, vertex, of_faces);
  s.wait();
}

} // namespace

int main(int argc, char** argv) {
  if(argc != 2) {
    std::fprintf(stderr, "usage: mesh_files_for_vtk FOLDER\n");
    return 1;
  }
  const std::string folder = std::string(argv[1]) + "/";
  for(unsigned ranks = 1; ranks != 4; ++ranks)
    on_ranks(make_local_transports(ranks), 1, [&](scheduler& s) {
      const std::string end = "." + std::to_string(ranks) + ".vtkhdf";
      write(s, folder + "triangles" + end, box_of_triangles{6, 5}, 4);
      write(s, folder + "tetrahedra" + end, box_of_tetrahedra{3, 4, 2}, 6);
      write(s, folder + "solids" + end, solids, 3);
      write(s, folder + "polygons" + end, polygons, 3);
      write(s, folder + "line" + end, line, 2);
    });
  return 0;
}
