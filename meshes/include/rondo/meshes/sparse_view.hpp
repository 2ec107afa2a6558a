#pragma once

/// \file
/// What a task sees of a sparse matrix: the rows of a color.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <rondo/core/checks.hpp>
#include <rondo/meshes/kinds.hpp>
#include <rondo/meshes/rows_space.hpp>

namespace rondo {

class sparse;

namespace kind {
/// Of a sparse matrix. A column is known by the row that has its number.
struct rows {
  static constexpr const char* name = "row";
};
} // namespace kind

namespace detail::inline meshes {
/// The color does not own this row: throws std::logic_error.
[[noreturn]] void refuse_row(std::int64_t row, std::int64_t owned);
/// The matrix has no values, or no longer: throws std::logic_error.
[[noreturn]] void refuse_values();
} // namespace detail::inline meshes

class sparse_view {
public:
  using of_topology = sparse;
  using row = element<kind::rows>;

  explicit sparse_view(const detail::rows_space::part& p)
      : color_(p.of), rows_(&p.of->of(element_kind::cells)),
        columns_(&p.of->table(element_kind::cells, element_kind::cells)), more_(p.more) {}

  [[nodiscard]] color_id color() const { return color_->color; }
  [[nodiscard]] color_id colors() const { return color_->colors; }

  /// The rows of the color, in the order of their numbers in the whole matrix.
  [[nodiscard]] element_range<kind::rows> owned() const { return {0, rows_->owned}; }
  /// Rows of other colors that own rows have as columns.
  [[nodiscard]] element_range<kind::rows> ghosts() const { return {rows_->owned, rows_->all}; }
  /// `owned`, then `ghosts`.
  [[nodiscard]] element_range<kind::rows> all() const { return {0, rows_->all}; }

  /// Of an own row, in the order in which they were given.
  [[nodiscard]] element_list<kind::rows> columns_of(row r) const {
    check(r);
    return {columns_->kept_begin_of(r), columns_->kept_begin_of(r + 1)};
  }
  /// Of an own row, in the order of its columns.
  [[nodiscard]] std::span<const double> values_of(row r) const {
    check(r);
    const std::int32_t* const first = columns_->kept_begin_of(r);
    const std::int32_t* const last = columns_->kept_begin_of(r + 1);
    if constexpr(detail::is_checked)
      if(more_->values.empty() && first != last)
        detail::refuse_values();
    return {
      more_->values.data() + (first - columns_->entries()), static_cast<std::size_t>(last - first)};
  }
  /// Columns of all own rows.
  [[nodiscard]] std::int64_t entries() const {
    return columns_->kept_begin_of(rows_->owned) - columns_->entries();
  }

  /// The number of the row in the whole matrix; also of ghosts.
  [[nodiscard]] std::int64_t id(row r) const { return rows_->ids[static_cast<std::size_t>(r)]; }
  /// The row with that number in the whole matrix, or nothing if the color does not see it. Takes some steps for each doubling of the rows.
  [[nodiscard]] std::optional<row> find(std::int64_t id) const {
    if(const auto at = rows_->find(id))
      return row(*at);
    return std::nullopt;
  }

private:
  void check(row r) const {
    if constexpr(detail::is_checked)
      if(r < 0 || r >= rows_->owned)
        detail::refuse_row(r, rows_->owned);
  }

  const detail::color_mesh* color_;
  const detail::color_elements* rows_;
  const detail::element_table* columns_;
  const detail::rows_of_color* more_;
};

} // namespace rondo
