#pragma once

/// \file
/// That ranks have vertices at the same positions.

#include <rondo/distributed/team.hpp>

#include "known_cells.hpp"

namespace rondo::detail::inline meshes {

/// Throws std::invalid_argument if two ranks know a vertex at different positions. Where cells come to all ranks that have cells with one
/// of their vertices, that is noticed as they come.
void check_positions(team& all, const known_cells& known);

} // namespace rondo::detail::inline meshes
