#include <rondo/meshes/mesh_space.hpp>

#include "moving.hpp"

namespace rondo::detail::inline meshes {

topo::block_layout mesh_space::layout(color_id color) const {
  return topo::block_layout::in_a_row(mesh_->part(color)->of(kind_).all);
}

/// The first one of the spaces takes the mesh along.
void mesh_space::move(const color_carrier& carrier) {
  if(mesh_->moves == moves_++) {
    move_parts(*mesh_, carrier);
    mesh_->moves = moves_;
  }
}

topo::selection mesh_space::owned(color_id color) const {
  if(const color_mesh* const p = mesh_->part(color))
    return topo::selection::of_range(0, p->of(kind_).owned);
  for(const color_mesh& p : mesh_->parts)
    if(const auto at = p.of(kind_).owned_by.find(color);
       at != p.of(kind_).owned_by.end() && at->second != 0) // said to those that see some of it
      return topo::selection::of_range(0, at->second);
  return topo::selection::of_range(0, 0);
}

std::vector<topo::neighbour> mesh_space::neighbours(color_id color) const {
  if(const color_mesh* const p = mesh_->part(color))
    return p->of(kind_).neighbours;
  std::vector<topo::neighbour> seen; // from the other side
  for(const color_mesh& p : mesh_->parts)
    for(const topo::neighbour& n : p.of(kind_).neighbours)
      if(n.color == color)
        seen.push_back({p.color, n.number_there, n.number, {}, n.rim, n.source});
  return seen;
}

} // namespace rondo::detail::inline meshes
