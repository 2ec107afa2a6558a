#pragma once

/// \file
/// Which color a face, an edge or a vertex belongs to: of those that have a cell with it the first one.

#include <vector>

#include <rondo/distributed/team.hpp>

#include "cell_parts.hpp"
#include "known_cells.hpp"

namespace rondo::detail::inline meshes {

/// Of all parts that this rank knows. `find` knows those that other ranks may ask for then.
/// Colors on other ranks may have cells with them that are not known here: their ranks say so.
/// `is_shown`: which of this rank's own cells others see. `knows_all_around`: of the cells that touch its own none is unknown here.
[[nodiscard]] std::vector<color_id> owners_of(team& all, const known_cells& cells,
  cell_parts& parts, const std::vector<bool>& is_shown, bool knows_all_around);

} // namespace rondo::detail::inline meshes
