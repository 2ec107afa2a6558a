#pragma once

/// \file
/// What colors know of a mesh goes with them to other ranks.

#include <rondo/distributed/color_carrier.hpp>
#include <rondo/meshes/color_mesh.hpp>

namespace rondo::detail::inline meshes {

void put(parcel& p, const color_mesh& m);
[[nodiscard]] color_mesh take_color_mesh(parcel_reader& p);

/// The rank has other colors now.
void move_parts(mesh_of_rank& m, const color_carrier& carrier);

} // namespace rondo::detail::inline meshes
