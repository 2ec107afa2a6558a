#pragma once

/// \file
/// Sets of elements that pieces have given names: which elements of a rank are members of which.

#include <string>
#include <vector>

#include <rondo/distributed/team.hpp>
#include <rondo/meshes/mesh_piece.hpp>

#include "cell_parts.hpp"

namespace rondo::detail::inline meshes {

/// The names of all ranks, sorted.
[[nodiscard]] std::vector<std::string> names_of_sets(
  team& all, const std::vector<mesh_piece::named>& here);

/// For each name: the parts of this rank that are members, or belong to one that has more corners.
[[nodiscard]] std::vector<std::vector<std::int32_t>> members_of_sets(team& all,
  const std::vector<std::string>& names, const std::vector<mesh_piece::named>& here,
  unsigned dimension, const cell_parts& parts);

} // namespace rondo::detail::inline meshes
