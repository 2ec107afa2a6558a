#pragma once

/// \file
/// What a file of Matrix Market says of its matrix, before the entries.

#include <cstdint>

#include "../gmsh/input.hpp"

namespace rondo::detail::matrix_market {

using gmsh::input;

enum class symmetry { general, symmetric, skew };
enum class values { real, integer, none };

struct header {
  symmetry half = symmetry::general; ///< Of others the file has one half.
  values what = values::real;
  std::int64_t rows = 0; ///< And columns.
  std::int64_t entries = 0;
  const char* end = nullptr; ///< Entries come here.
};

/// Throws std::runtime_error, with the line, if it is none of a matrix that can be read.
[[nodiscard]] header read_header(const input& file);

} // namespace rondo::detail::matrix_market
