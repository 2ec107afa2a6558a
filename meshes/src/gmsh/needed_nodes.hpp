#pragma once

/// \file
/// The nodes of a part: which it needs, and which of them the file has.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <rondo/meshes/mesh_piece.hpp>

#include "gmsh/input.hpp"
#include "gmsh/number_set.hpp"

namespace rondo::detail::gmsh {

/// The vertices of cells, with positions; and the vertices of other elements, which are only looked for.
class needed_nodes {
public:
  needed_nodes(std::span<const std::int64_t> of_cells, std::span<const std::int64_t> of_members);

  /// A node of the file. True if its position is to be handed in next.
  bool wants(const input& file, std::int64_t number, const char* at);
  void take(const position& at) { positions_[next_] = at; }

  [[nodiscard]] bool has_all() const { return missing_ == 0; }
  /// Whether a needed one was in the file.
  [[nodiscard]] bool has(std::int64_t number) const;

  [[nodiscard]] std::vector<std::int64_t> numbers() const { return of_cells_.sorted(); }
  [[nodiscard]] std::vector<position> positions() && { return std::move(positions_); }

private:
  /// Fails if it has been seen already.
  void see(std::vector<bool>& seen, std::size_t index, const input& file, std::int64_t number,
    const char* at);

  number_set of_cells_, of_members_;
  std::vector<bool> seen_of_cells_, seen_of_members_;
  std::vector<position> positions_;
  std::size_t missing_;
  std::size_t next_ = 0;
};

} // namespace rondo::detail::gmsh
