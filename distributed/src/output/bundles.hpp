#pragma once

/// \file
/// Colors that are written together: the disk wants long pieces, and colors are small.

#include <cstddef>
#include <cstdint>
#include <vector>

#include <rondo/distributed/stored.hpp>

namespace rondo::detail::inline distributed {

/// Colors of this rank whose points fill a box.
struct bundle {
  box<3> points;
  std::vector<std::size_t> colors;          ///< Their places on the rank, in ascending order.
  stored_mesh::boxes_beside_cells beside{}; ///< Of an unstructured mesh.

  [[nodiscard]] const box<3>& box_for(stored_for w) const {
    return is_beside_cells(w) ? beside[w] : points;
  }
};

/// All colors, each in one bundle, in the order of a file. Neighbours come together, first along the axis that is the fastest in
/// a file, so that rows get as long as they may be; along the last one as long as there are no more points than `most`. Colors
/// without a point are a bundle without one.
std::vector<bundle> bundles_of(const stored_mesh& m, std::int64_t most);

} // namespace rondo::detail::inline distributed
