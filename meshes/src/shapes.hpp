#pragma once

/// \file
/// Which corners of a cell the faces and edges of it have.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <rondo/meshes/kinds.hpp>

namespace rondo::detail::inline meshes {

/// Some corners of a cell, by their position in the list of its corners.
struct corner_list {
  std::uint8_t size = 0;
  std::array<std::uint8_t, 4> at{};

  [[nodiscard]] bool is_in(const corner_list& other) const;
};

/// Whether a cell of this dimension may have so many corners.
[[nodiscard]] bool is_shape(unsigned dimension, std::size_t corners);

/// So many faces, edges or vertices has a cell.
[[nodiscard]] std::size_t parts_of_shape(
  unsigned dimension, std::size_t corners, element_kind kind);
/// The k-th one.
[[nodiscard]] corner_list part_of_shape(
  unsigned dimension, std::size_t corners, element_kind kind, std::size_t k);

} // namespace rondo::detail::inline meshes
