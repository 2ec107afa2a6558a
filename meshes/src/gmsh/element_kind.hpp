#pragma once

/// \file
/// What Gmsh's types of elements are.

#include <cstdint>

#include "gmsh/input.hpp"

namespace rondo::detail::gmsh {

struct element_kind {
  int type; ///< Gmsh's number for it.
  const char* name;
  unsigned dimension;
  unsigned corners;
};

/// Fails for elements that are unknown, or of higher order. `at`: the place of what says so; `element`: which one it is.
const element_kind& kind_of(
  const input& file, const char* at, std::int64_t type, std::int64_t element);

} // namespace rondo::detail::gmsh
