#pragma once

/// \file
/// A part of a sparse matrix, as a rank hands it in: some of the rows, with the columns in which each of them has an entry.
///
/// \code
///   sparse_piece chain(unsigned part, unsigned parts) {       // of 1000 rows
///     sparse_piece p;
///     for(std::int64_t r = 1000 * part / parts; r != 1000 * (part + 1) / parts; ++r)
///       if(r == 0)
///         p.add_row({0, 1}, {2., -1.});
///       else if(r == 999)
///         p.add_row({998, 999}, {-1., 2.});
///       else
///         p.add_row({r - 1, r, r + 1}, {-1., 2., -1.});
///     return p;
///   }
/// \endcode
///
/// *Rows* are numbered in the order in which they are added, the parts one after the other, from 0 on. So a matrix is the same whatever the number
/// of parts, if part 0 has the first rows, part 1 the next ones, and so on. There are as many columns as rows.
///
/// *Columns* of a row have any order, which is kept; each is there at most once. A row may have none, and it may lack its diagonal. A row may
/// have a column whose row does not have it.
///
/// *Values* are one for each entry, or there are none at all.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace rondo {

struct sparse_piece {
  std::vector<std::int64_t> columns{}; ///< Of all rows, one after the other.
  std::vector<std::int64_t> begins{
    0}; ///< Where there those of each row begin, and of the last one where they end.
  std::vector<double> values{}; ///< One for each column, or none.

  [[nodiscard]] std::size_t rows() const { return begins.size() - 1; }
  [[nodiscard]] std::span<const std::int64_t> columns_of(std::size_t row) const {
    return std::span(columns).subspan(static_cast<std::size_t>(begins[row]),
      static_cast<std::size_t>(begins[row + 1] - begins[row]));
  }

  void add_row(std::span<const std::int64_t> its_columns) {
    columns.insert(columns.end(), its_columns.begin(), its_columns.end());
    begins.push_back(static_cast<std::int64_t>(columns.size()));
  }
  void add_row(std::span<const std::int64_t> its_columns, std::span<const double> its_values) {
    values.insert(values.end(), its_values.begin(), its_values.end());
    add_row(its_columns);
  }
  void add_row(std::initializer_list<std::int64_t> its_columns) {
    add_row(std::span(its_columns.begin(), its_columns.size()));
  }
  void add_row(
    std::initializer_list<std::int64_t> its_columns, std::initializer_list<double> its_values) {
    add_row(std::span(its_columns.begin(), its_columns.size()),
      std::span(its_values.begin(), its_values.size()));
  }
};

} // namespace rondo
