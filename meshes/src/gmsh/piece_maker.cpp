#include "gmsh/piece_maker.hpp"

#include <algorithm>

namespace rondo::detail::gmsh {

void piece_maker::add(const element& e) {
  numbers_.add(e.number);
  const bool is_cell = e.kind->dimension == piece_.dimension;
  if(is_cell && !e.repeats)
    piece_.add_cell(e.corners);
  if(!is_cell && !e.groups.empty())
    nodes_of_members_.insert(nodes_of_members_.end(), e.corners.begin(), e.corners.end());
  for(const std::int64_t group : e.groups)
    add_to({e.kind->dimension, group}, e.corners);
}

void piece_maker::add_to(tag group, std::span<const std::int64_t> corners) {
  auto known = set_of_.find(group);
  if(known == set_of_.end()) {
    const std::string name = physical_->name(group);
    auto set = std::ranges::find(piece_.sets, name, &mesh_piece::named::name);
    if(set == piece_.sets.end())
      set = piece_.sets.insert(set, {.name = name, .corners = {}});
    known = set_of_.emplace(group, static_cast<std::size_t>(set - piece_.sets.begin())).first;
  }
  mesh_piece::named& set = piece_.sets[known->second];
  set.corners.insert(set.corners.end(), corners.begin(), corners.end());
  set.begins.push_back(static_cast<std::int64_t>(set.corners.size()));
}

mesh_piece piece_maker::done(
  std::vector<std::int64_t> vertices, std::vector<position> positions) && {
  piece_.vertices = std::move(vertices);
  piece_.positions = std::move(positions);
  // In an order that doesn't depend on which elements the part has.
  std::ranges::sort(piece_.sets, {}, &mesh_piece::named::name);
  return std::move(piece_);
}

} // namespace rondo::detail::gmsh
