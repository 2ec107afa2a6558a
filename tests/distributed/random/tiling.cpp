#include "tiling.hpp"

#include <algorithm>

#include <rondo/meshes/boxes.hpp>
#include <tracing/random_programs.hpp>

namespace random_programs {

rondo::mesh_piece piece_of(const tiling& t, unsigned part, unsigned parts) {
  const auto [x, y, z] = t.extents;
  const rondo::mesh_piece whole = t.dimension == 2 ? rondo::box_of_triangles{x, y}(part, parts)
                                                   : rondo::box_of_tetrahedra{x, y, z}(part, parts);
  const auto number = [&](std::int64_t vertex) {
    return static_cast<std::int64_t>(mix(t.holes, static_cast<std::uint64_t>(vertex)) >> 2U);
  };
  rondo::mesh_piece p{.dimension = t.dimension};
  for(std::size_t v = 0; v != whole.vertices.size(); ++v)
    p.add_vertex(number(whole.vertices[v]), whole.positions[v]);
  for(std::size_t c = 0; c != whole.cells(); ++c) {
    std::vector<std::int64_t> corners;
    std::uint64_t h = t.holes;
    for(const std::int64_t v : whole.corners_of(c)) {
      corners.push_back(number(v));
      h = mix(h, static_cast<std::uint64_t>(v));
    }
    const bool is_first = std::ranges::count(whole.corners_of(c), 0) != 0; // so that some are left
    if(t.holes == 0 || is_first || h % 5 != 0)
      p.add_cell(corners);
  }
  return p;
}

rondo::color_id color_of(const tiling& t, std::uint64_t cell, std::uint64_t cells) {
  const rondo::color_id last = t.colors - 1;
  if(cell <= last)
    return last - cell; // the other way round than cells are numbered
  return t.cut % 2 == 0 ? last - cell * t.colors / cells : mix(t.cut, cell) % t.colors;
}

} // namespace random_programs
