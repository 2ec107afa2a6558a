#pragma once

/// \file
/// The arrays of a file that fields are in. A field is one, with a value for each element, and a ragged field `h` is three:
///
/// | array | |
/// |---|---|
/// | `h.lengths` | uint32, of each element: how many values its row has |
/// | `h.begins` | int64, of each element: the number of the first one in `h.values` |
/// | `h.values` | the values: row behind row of a color, color behind color of a rank, rank behind rank |
///
/// Ranks don't have colors in the order of their numbers, so the same values lie in another order if other ranks have written them. The
/// lengths and begins are where values of a field would be: elements find their rows wherever these are, so a mesh with
/// other colors does so, too. Particles are a row for each color. The color is all that is known of their places, so only a color with the
/// same cells may read them: `p.cells`, uint64 of each color, is a hash of the cells that it owned.
///
/// A cloud has arrays of what its values are made into, each as `h.values` is, and no others.

#include <vector>

#include "format.hpp"

namespace rondo::detail::inline distributed {

/// In the order of the fields. How many values rows have is not known yet.
[[nodiscard]] std::vector<file_contents::values> arrays_of(const std::vector<stored_field>& fields);

/// Of the cells that a color of this rank owns.
[[nodiscard]] std::uint64_t hash_of_cells(const stored_mesh& m, std::size_t color);

} // namespace rondo::detail::inline distributed
