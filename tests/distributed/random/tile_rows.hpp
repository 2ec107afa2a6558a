#pragma once

/// \file
/// Ragged fields of random programs over unstructured meshes. Where Rondo cuts the mesh, `alone` doesn't know in which order values are
/// appended to a row; then nothing depends on that.

#include <cstdint>

#include "tasks.hpp"

namespace random_programs {

struct row_reader {
  bool knows_order;

  std::uint64_t operator()(row_of_hashes row) const {
    if(knows_order)
      return hash_of(row);
    std::uint64_t h = row.size();
    for(const std::uint64_t x : row)
      h += mix(x, 10);
    return h;
  }
};

} // namespace random_programs
