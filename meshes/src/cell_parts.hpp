#pragma once

/// \file
/// The faces, edges or vertices of the cells that a rank knows, numbered on this rank; and which cells have one.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "entity_key.hpp"
#include "known_cells.hpp"

namespace rondo::detail::inline meshes {

class cell_parts {
public:
  cell_parts(const known_cells& cells, element_kind kind) : kind_(kind) { add_new(cells); }

  /// Those of cells that became known meanwhile.
  void add_new(const known_cells& cells);

  [[nodiscard]] element_kind kind() const { return kind_; }
  [[nodiscard]] std::size_t size() const { return numbers_.size(); }
  [[nodiscard]] std::size_t cells() const { return begins_.size() - 1; }
  [[nodiscard]] std::span<const std::int32_t> of(std::size_t cell) const {
    return std::span(entries_).subspan(begins_[cell], begins_[cell + 1] - begins_[cell]);
  }
  [[nodiscard]] const entity_key& key(std::int32_t part) const {
    return numbers_.keys()[static_cast<std::size_t>(part)];
  }
  /// Or `key_numbers::none`.
  [[nodiscard]] std::int32_t find(const entity_key& k) const { return numbers_.find(k); }

private:
  element_kind kind_;
  key_numbers numbers_;
  std::vector<std::size_t> begins_{0};
  std::vector<std::int32_t> entries_;
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
