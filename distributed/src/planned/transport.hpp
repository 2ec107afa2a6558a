#pragma once

/// \file
/// One rank of many that there are not: what it sends is gone, and what it receives is there at once, with whatever was in the memory.

#include <memory>

#include <rondo/distributed/transport.hpp>

namespace rondo::detail::inline distributed {

/// `workers`: those that each rank is taken to have.
std::unique_ptr<transport> make_planned_transport(unsigned rank, unsigned ranks, unsigned workers);

} // namespace rondo::detail::inline distributed
