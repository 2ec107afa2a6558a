#pragma once

/// \file
/// Where the points of a color are in memory, and how boxes of them are copied.

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <rondo/distributed/box.hpp>

namespace rondo::detail::inline distributed {

/// The values that a field has for one color: what it owns and, around that, its ghosts.
struct color_block {
  std::byte* origin = nullptr; ///< Where the point 0, 0, 0 of the mesh would be.
  std::int64_t stride[2] = {}; ///< Elements from a row to the next, from a plane to the next.
};

/// Points of a box: rows of equal length, wherever a color has them.
struct brick {
  std::int64_t at[3] = {}; ///< The first point.
  std::int64_t length = 0;
  std::int64_t rows = 1;
  std::int64_t planes = 1;

  template<std::size_t D>
  static brick of(const box<D>& b) {
    brick made;
    for(std::size_t a = 0; a != D; ++a)
      made.at[a] = b.lo[a];
    made.length = b.length(0);
    made.rows = D > 1 ? b.length(D > 1 ? 1 : 0) : 1;
    made.planes = D > 2 ? b.length(D > 2 ? 2 : 0) : 1;
    return made;
  }
  [[nodiscard]] std::int64_t size() const { return length * rows * planes; }
  /// The first point's place, in elements from the origin.
  [[nodiscard]] std::int64_t first(const color_block& in) const {
    return at[0] + at[1] * in.stride[0] + at[2] * in.stride[1];
  }
};

/// How the points of a color lie, whatever a field keeps for them.
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
  template<std::size_t D>
  [[nodiscard]] std::int64_t place(const point<D>& p) const {
    std::int64_t at = p[0];
    for(std::size_t a = 1; a != D; ++a)
      at += p[a] * stride[a - 1];
    return at;
  }
};

/// From a color to a message and back, and from color to color. Elements have `size` bytes. Nothing is
/// copied where both are the same memory.
void pack(const color_block& from, const brick& what, std::size_t size, std::byte* into);
void unpack(const std::byte* from, const color_block& into, const brick& what, std::size_t size);
void copy(const color_block& from, const brick& what, const color_block& into, const brick& where,
  std::size_t size);
bool is_same(const color_block& from, const brick& what, const color_block& into,
  const brick& where, std::size_t size);

} // namespace rondo::detail::inline distributed
