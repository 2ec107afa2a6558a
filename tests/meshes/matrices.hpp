#pragma once

/// \file
/// Sparse matrices for tests, whole and in parts.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <vector>

#include "meshes/pieces.hpp"

#include <rondo/sparse.hpp>

namespace matrices {

using meshes::draw;
using rondo::color_id;
using rondo::sparse_piece;

/// Rows whose numbers are below `rows`, with entries anywhere: no pattern, some rows empty, some without their diagonal, columns in any order.
inline sparse_piece random_matrix(std::uint64_t seed, std::int64_t rows) {
  sparse_piece made;
  for(std::int64_t r = 0; r != rows; ++r) {
    const auto row = static_cast<std::uint64_t>(r);
    const auto count = static_cast<std::uint64_t>(draw(seed, 3 * row, 0, 6));
    std::vector<std::int64_t> columns;
    std::vector<double> values;
    for(std::uint64_t k = 0; k != count; ++k) {
      const auto far = draw(seed, 97 * row + k, 0, 3) == 0;
      const std::int64_t c = far ? draw(seed, 89 * row + k, 0, rows - 1)
                                 : std::min(rows - 1, r + draw(seed, 83 * row + k, 0, 4));
      if(std::ranges::find(columns, c) != columns.end())
        continue;
      columns.push_back(c);
      values.push_back(1. / static_cast<double>(draw(seed, 79 * row + k, 1, 1000)));
    }
    made.add_row(columns, values);
  }
  return made;
}

/// Of a grid of points: each with those beside it.
inline sparse_piece grid_matrix(std::int64_t width, std::int64_t height, std::int64_t depth = 1) {
  sparse_piece made;
  for(std::int64_t k = 0; k != depth; ++k)
    for(std::int64_t j = 0; j != height; ++j)
      for(std::int64_t i = 0; i != width; ++i) {
        std::vector<std::int64_t> columns;
        const auto add = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
          if(x >= 0 && x < width && y >= 0 && y < height && z >= 0 && z < depth)
            columns.push_back((z * height + y) * width + x);
        };
        add(i, j, k - 1);
        add(i, j - 1, k);
        add(i - 1, j, k);
        add(i, j, k);
        add(i + 1, j, k);
        add(i, j + 1, k);
        add(i, j, k + 1);
        made.add_row(columns);
      }
  return made;
}

/// The rows begin to end.
inline sparse_piece rows_of(const sparse_piece& whole, std::size_t begin, std::size_t end) {
  sparse_piece made;
  for(std::size_t r = begin; r != end; ++r) {
    const auto columns = whole.columns_of(r);
    if(whole.values.empty())
      made.add_row(columns);
    else
      made.add_row(columns,
        std::span(whole.values).subspan(static_cast<std::size_t>(whole.begins[r]), columns.size()));
  }
  return made;
}

/// In parts of any lengths; some may have no rows.
inline std::function<sparse_piece(unsigned, unsigned)> in_parts(
  const sparse_piece& whole, std::uint64_t seed) {
  return [&whole, seed](unsigned part, unsigned parts) {
    const auto begins = pieces::random_begins(seed, parts, whole.rows());
    return rows_of(whole, begins[part], begins[part + 1]);
  };
}

/// The whole product at once.
inline std::vector<double> product(const sparse_piece& a, const std::vector<double>& x) {
  std::vector<double> y;
  for(std::size_t r = 0; r != a.rows(); ++r) {
    double sum = 0;
    for(auto k = static_cast<std::size_t>(a.begins[r]); std::cmp_less(k, a.begins[r + 1]); ++k)
      sum += a.values[k] * x[static_cast<std::size_t>(a.columns[k])];
    y.push_back(sum);
  }
  return y;
}

/// Of a value and where it is: sums of these say whether vectors have the same bits.
inline std::uint64_t mark_of(std::int64_t id, double value) {
  return meshes::mix(static_cast<std::uint64_t>(id), std::bit_cast<std::uint64_t>(value));
}
inline std::uint64_t mark_of(const std::vector<double>& x) {
  std::uint64_t all = 0;
  for(std::size_t r = 0; r != x.size(); ++r)
    all += mark_of(static_cast<std::int64_t>(r), x[r]);
  return all;
}

/// Each color has a row at least.
inline rondo::cut_function random_cut(std::uint64_t seed) {
  return [seed](rondo::detail::team&, const rondo::uncut_cells& rows, color_id colors) {
    std::vector<color_id> all;
    for(std::size_t n = 0; n != rows.centers.size(); ++n) {
      const auto r = static_cast<std::uint64_t>(rows.first) + n;
      all.push_back(r < colors ? r : meshes::mix(seed, r) % colors);
    }
    return all;
  };
}

} // namespace matrices
