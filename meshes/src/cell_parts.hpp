#pragma once

/// \file
/// The faces, edges or vertices of the cells that a rank knows, numbered on this rank; and which cells have one.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "entity_key.hpp"
#include "known_cells.hpp"
#include "part_numbers.hpp"

namespace rondo::detail::inline meshes {

/// Cells themselves may be the parts, too: each is its own one.
class cell_parts {
public:
  cell_parts(const known_cells& cells, element_kind kind) : cells_(&cells), kind_(kind) {
    add_new();
  }

  /// Numbers the parts of cells that became known meanwhile.
  void add_new();

  [[nodiscard]] element_kind kind() const { return kind_; }
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] std::span<const std::int32_t> of(std::size_t cell) const {
    if(kind_ == element_kind::vertices)
      return cells_->corners(cell);
    return std::span(entries_).subspan(begins_[cell], begins_[cell + 1] - begins_[cell]);
  }
  [[nodiscard]] entity_key key(std::int32_t part) const;

  /// From now on `find` knows these. It knows all vertices anyway.
  void remember(const std::vector<bool>& which);
  /// Throws std::logic_error if there is none.
  [[nodiscard]] std::int32_t find(const entity_key& k) const;

private:
  const known_cells* cells_;
  element_kind kind_;
  std::vector<std::size_t> begins_{0};
  std::vector<std::int32_t> entries_;
  part_numbers numbers_; ///< Of faces and edges.
  key_numbers remembered_;
  std::vector<std::int32_t> remembered_parts_;
};

/// Which of the first so many cells have a part.
class cells_with {
public:
  cells_with(const cell_parts& parts, std::size_t cells);

  [[nodiscard]] std::span<const std::int32_t> part(std::int32_t p) const {
    const auto at = static_cast<std::size_t>(p);
    return std::span(cells_).subspan(begins_[at], begins_[at + 1] - begins_[at]);
  }

private:
  std::vector<std::size_t> begins_;
  std::vector<std::int32_t> cells_;
};

} // namespace rondo::detail::inline meshes
