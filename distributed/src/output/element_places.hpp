#pragma once

/// \file
/// Where in a file the cells and vertices of an unstructured mesh are. A file has them color by color; a mesh with the same colors reads its
/// own in one piece, and one with others finds them by their ids.

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
    const auto& its = what == stored_for::vertices ? vertices_ : cells_;
    return is_of_mesh(what) && !its.empty() ? std::span(its[color])
                                            : std::span<const std::int64_t>();
  }

private:
  std::vector<std::vector<std::int64_t>> cells_;
  std::vector<std::vector<std::int64_t>> vertices_;
};

/// Values of `size` bytes that are at these places of a field, which begins at `offset`; those close to each other are read together.
void read_from(const system_file& f, std::uint64_t offset, std::span<const std::int64_t> places,
  std::size_t size, std::byte* into);

} // namespace rondo::detail::inline distributed
