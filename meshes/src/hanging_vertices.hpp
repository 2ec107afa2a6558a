#pragma once

/// \file
/// A vertex in the middle of a neighbour's side: the two cells that end there have this vertex, and the cell on the other side has not. So they
/// have no face in common, both sides look like the end of the mesh, and what should flow between them is lost.

#include <rondo/distributed/team.hpp>

#include "cell_parts.hpp"
#include "known_cells.hpp"

namespace rondo::detail::inline meshes {

/// Of cells in two dimensions; `faces` are theirs. All ranks of the team call it. Throws std::invalid_argument, the same on all of them,
/// which names the cell and the vertex.
///
/// The message names sides at the end of the mesh that begin and end as other ones do, on the same line, which have more vertices between, and whose
/// cells are across that line. Both ends of a side have to be vertices of the others, too, so the two sides of a crack are none: each
/// has vertices of its own. Cells on the same side of the line are none either: positions of a mesh that goes around may be anywhere.
void refuse_hanging_vertices(team& all, const known_cells& cells, const cell_parts& faces);

} // namespace rondo::detail::inline meshes
