#pragma once

/// \file
/// What several ranks have a part in, one of them keeps: which one the key says.

#include "entity_key.hpp"

namespace rondo::detail::inline meshes {

[[nodiscard]] inline unsigned rank_that_keeps(const entity_key& k, unsigned ranks) {
  return static_cast<unsigned>((hash_of(k) >> 32U) % ranks);
}

} // namespace rondo::detail::inline meshes
