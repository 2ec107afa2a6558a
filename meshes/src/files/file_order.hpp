#pragma once

/// \file
/// Where a file has what the colors of a mesh own: behind that of the colors before them.

#include <rondo/distributed/team.hpp>
#include <rondo/meshes/color_mesh.hpp>

namespace rondo::detail::inline meshes {

/// All ranks of the team call it.
void note_file_order(team& all, mesh_of_rank& m);

} // namespace rondo::detail::inline meshes
