#pragma once

/// \file
/// What comes before a launch for the ghosts of a field: coherence.hpp says what is needed, halo.hpp does it.

#include <cstddef>
#include <span>
#include <vector>

#include <rondo/tracing/access.hpp>

namespace rondo::detail::inline distributed {

class halo;

struct ghost_actions {
  halo* of;
  bool fills;  ///< Ghosts that are copies.
  bool waits;  ///< For the neighbours that are read in place.
  bool clears; ///< Colors of those who read them in place.
  bool
    names_neighbours; ///< The launch has these among its accesses, and nothing waits for them before.

  [[nodiscard]] bool are_any() const { return fills || waits || clears || names_neighbours; }
};

/// The neighbours that a launch names: of all its fields together.
class named_neighbours {
public:
  /// For one color. Good until the next call.
  [[nodiscard]] std::span<const region_access> of(
    std::span<const ghost_actions> fields, std::size_t color);

private:
  std::vector<region_access> all_;
};

} // namespace rondo::detail::inline distributed
