#pragma once

/// \file
/// Where the elements of a color are in memory.

#include <cstddef>
#include <cstdint>

#include <rondo/core/checks.hpp>
#include <rondo/distributed/box.hpp>

namespace rondo::detail::inline distributed {

struct block_limits;

/// The values that a field has for one color: what it owns and, around that, its ghosts.
struct color_block {
  std::byte* origin = nullptr; ///< Where the point 0, 0, 0 of the mesh would be.
  std::int64_t stride[2] = {}; ///< Elements from a row to the next, from a plane to the next.
#ifdef RONDO_CHECKS
  const block_limits* limits = nullptr;
#endif
};

/// How the elements of a color lie, whatever a field keeps for them.
struct block_layout {
  std::int64_t elements = 0; ///< In all.
  std::int64_t origin = 0;   ///< Where point 0, 0, 0 would be, from the first element.
  std::int64_t stride[2] = {};

  template<std::size_t D>
  static block_layout around(const box<D>& b) {
    block_layout l;
    l.elements = b.size();
    l.stride[0] = b.length(0);
    l.stride[1] = D > 1 ? l.stride[0] * b.length(D > 1 ? 1 : 0) : l.stride[0];
    l.origin = -l.place(b.lo);
    return l;
  }
  /// Elements with one coordinate, from 0 on.
  static block_layout in_a_row(std::int64_t elements) { return around(box<1>{{0}, {elements}}); }
  template<std::size_t D>
  [[nodiscard]] std::int64_t place(const point<D>& p) const {
    std::int64_t at = p[0];
    for(std::size_t a = 1; a != D; ++a)
      at += p[a] * stride[a - 1];
    return at;
  }
};

} // namespace rondo::detail::inline distributed
