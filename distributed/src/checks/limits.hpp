#pragma once

/// \file
/// Which elements the colors of this rank have: what accessors of checked builds go by.

#include <cstddef>
#include <cstdint>
#include <vector>

#include <rondo/distributed/block_limits.hpp>
#include <rondo/distributed/topology.hpp>

namespace rondo::detail::inline distributed {

struct limited_field {
  const char* name; ///< Has to stay.
  std::size_t value_size;
  std::int64_t thinner_halo; ///< Or -1: as deep as that of the mesh.
};

/// For each color of this rank.
[[nodiscard]] std::vector<block_limits> limits_of(
  const topology_state& t, const local_elements& elements, const limited_field& field);

} // namespace rondo::detail::inline distributed
