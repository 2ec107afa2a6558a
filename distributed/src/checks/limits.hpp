#pragma once

/// \file
/// Which elements the colors of this rank have: what accessors of checked builds go by.

#include <cstddef>
#include <vector>

#include <rondo/distributed/block_limits.hpp>
#include <rondo/distributed/topology.hpp>

namespace rondo::detail::inline distributed {

/// For each color of this rank. The name has to stay.
[[nodiscard]] std::vector<block_limits> limits_of(
  const topology_state& t, const char* field, std::size_t value_size);

} // namespace rondo::detail::inline distributed
