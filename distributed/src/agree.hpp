#pragma once

#include <cstdint>

#include <rondo/distributed/transport.hpp>

namespace rondo::detail::inline distributed {

/// The least value that any rank has. Returns when all ranks have called it; before anything else
/// uses the transport.
std::uint64_t agree_on_least(transport& t, std::uint64_t own);

} // namespace rondo::detail::inline distributed
