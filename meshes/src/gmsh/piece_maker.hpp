#pragma once

/// \file
/// A mesh_piece from the elements and nodes of a Gmsh file, as they are read.

#include <cstdint>
#include <map>
#include <vector>

#include <rondo/meshes/mesh_piece.hpp>

#include "gmsh/number_runs.hpp"
#include "gmsh/outline.hpp"

namespace rondo::detail::gmsh {

class piece_maker {
public:
  piece_maker(unsigned dimension, const groups& physical) : physical_(&physical) {
    piece_.dimension = dimension;
  }

  /// A cell, or an element of lower dimension. It becomes a member of its groups.
  void add(const element& e);

  /// Nodes of cells, and of other elements that belong to a group: with repetitions.
  [[nodiscard]] const std::vector<std::int64_t>& nodes_of_cells() const { return piece_.corners; }
  [[nodiscard]] const std::vector<std::int64_t>& nodes_of_members() const {
    return nodes_of_members_;
  }

  /// The number of two elements, if there are any with the same one.
  [[nodiscard]] std::optional<std::int64_t> twice() const { return numbers_.twice(); }

  /// With the vertices that its cells have.
  [[nodiscard]] mesh_piece done(
    std::vector<std::int64_t> vertices, std::vector<position> positions) &&;

private:
  void add_to(tag group, std::span<const std::int64_t> corners);

  mesh_piece piece_;
  const groups* physical_;
  number_runs numbers_;
  std::vector<std::int64_t> nodes_of_members_;
  std::map<tag, std::size_t>
    set_of_; ///< Which one of the piece: several groups may have the same name.
};

} // namespace rondo::detail::gmsh
