#pragma once

/// \file
/// Elements of a box in the order of its rows, from 0.

#include <cstddef>

#include <rondo/distributed/box.hpp>

namespace rondo::detail::inline distributed {

inline std::size_t place_in(const box<3>& b, const point<3>& p) {
  return static_cast<std::size_t>(
    (p[0] - b.lo[0]) + b.length(0) * ((p[1] - b.lo[1]) + b.length(1) * (p[2] - b.lo[2])));
}

} // namespace rondo::detail::inline distributed
