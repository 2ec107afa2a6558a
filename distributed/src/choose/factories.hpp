#pragma once

/// \file
/// Transports that may not be built in.

#include <memory>

#include <rondo/distributed/transport.hpp>

namespace rondo::detail {

std::unique_ptr<transport> make_mpi_transport();
std::unique_ptr<transport> make_ucx_transport();

} // namespace rondo::detail
