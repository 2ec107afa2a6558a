#pragma once

#include <optional>

#include "../shm/transport.hpp"
#include "world.hpp"

namespace rondo::detail::inline distributed {

/// The ranks of this node, or nothing if there is only this one. All ranks call it. Throws
/// std::runtime_error, on all ranks of the node, if they can't share memory.
std::optional<node> find_node(mpi_world& world);

} // namespace rondo::detail::inline distributed
