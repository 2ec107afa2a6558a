#pragma once

/// \file
/// Where in a file the elements of an unstructured mesh are. A file has them color by color; a mesh with the same colors reads its
/// own in one piece, and one with others finds them by their ids, and faces and edges by those of their vertices.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <rondo/distributed/stored.hpp>

#include "format.hpp"

namespace rondo::detail::inline distributed {

/// Of the colors of this rank.
class element_places {
public:
  element_places() = default;
  /// Looks for those that the fields in `contents` have values for. Throws std::runtime_error if an id is not there.
  element_places(const system_file& f, const file_contents& contents, const stored_mesh& m);

  /// Of each element that a color owns, in its order. If nothing is given, they are where this mesh would have them.
  [[nodiscard]] std::span<const std::int64_t> of(stored_for what, std::size_t color) const {
    if(!is_of_mesh(what))
      return {};
    const of_colors& its = is_beside_cells(what) ? beside_[what] : cells_;
    return its.empty() ? std::span<const std::int64_t>() : std::span(its[color]);
  }

private:
  using of_colors = std::vector<std::vector<std::int64_t>>;

  of_colors cells_;
  of_kinds_beside_cells<of_colors> beside_;
};

/// Values of `size` bytes that are at these places of a field, which begins at `offset`; those close to each other are read together.
void read_from(const system_file& f, std::uint64_t offset, std::span<const std::int64_t> places,
  std::size_t size, std::byte* into);

} // namespace rondo::detail::inline distributed
