#include "file_order.hpp"

#include <vector>

namespace rondo::detail::inline meshes {

namespace {

mesh_counts owned_by(const color_mesh& p) {
  const element_table& corners = p.table(element_kind::cells, element_kind::vertices);
  mesh_counts own{p.of(element_kind::cells).owned, p.of(element_kind::vertices).owned, 0,
    p.of(element_kind::faces).owned, p.of(element_kind::edges).owned};
  if(corners.length() >= 0)
    own.corners = own.cells * corners.length();
  else
    own.corners = corners.row(own.cells - 1).first +
                  static_cast<std::ptrdiff_t>(corners.row(own.cells - 1).second) -
                  corners.row(0).first;
  return own;
}

} // namespace

void note_file_order(team& all, mesh_of_rank& m) {
  std::vector<mesh_counts> own;
  for(const color_mesh& p : m.parts)
    own.push_back(owned_by(p));
  const auto of_ranks = all.swap_mail(
    std::vector<std::vector<mesh_counts>>(all.ranks(), own)); // in the order of colors
  std::vector<mesh_counts> before{{}};
  before.reserve(m.colors + 1);
  for(const std::vector<mesh_counts>& of_rank : of_ranks)
    for(const mesh_counts& n : of_rank) {
      const mesh_counts& last = before.back();
      before.push_back({last.cells + n.cells, last.vertices + n.vertices, last.corners + n.corners,
        last.faces + n.faces, last.edges + n.edges});
    }
  m.in_file = before.back();
  for(std::size_t a = 0; a != m.parts.size(); ++a) {
    color_mesh& p = m.parts[a];
    p.owned_in_file = own[a];
    p.before_in_file = before[p.color];
    for(const neighbour& n : p.of(element_kind::vertices).neighbours)
      p.vertices_before[n.color] = before[n.color].vertices;
  }
}

} // namespace rondo::detail::inline meshes
