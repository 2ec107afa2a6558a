#pragma once

#include <cstdint>

#include <rondo/distributed/transport.hpp>

namespace rondo::detail::inline distributed {

/// The least value that any rank has. Returns when all ranks have called it; before there is a scheduler, or after it.
std::uint64_t agree_on_least(transport& t, std::uint64_t own);

} // namespace rondo::detail::inline distributed
