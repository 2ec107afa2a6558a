#pragma once

/// \file
/// Rows of a ragged field on their way to a file, and from one: stored_arrays.hpp says how they are there.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <rondo/distributed/row_store.hpp>
#include <rondo/distributed/selection.hpp>
#include <rondo/distributed/stored.hpp>

#include "format.hpp"

namespace rondo::detail::inline distributed {

/// A copy of the rows of a color, without gaps. Its memory is kept, and used for the next file.
class staged_rows {
public:
  /// Where rows are: of these elements.
  struct source {
    const row_store& rows;
    const selection& elements;
    const block_layout& layout;
  };
  void take(const source& from, std::size_t value_size);
  /// What an array of a cloud has of them.
  void take(const source& from, const stored_field& as);
  [[nodiscard]] std::uint64_t size() const { return size_; } ///< Of values.
  [[nodiscard]] std::span<const std::byte> values() const { return values_; }
  [[nodiscard]] std::span<const std::uint32_t> lengths() const { return lengths_; }
  /// Where rows begin, in the order of the elements, if the first one begins there.
  [[nodiscard]] std::vector<std::int64_t> begins(std::uint64_t first_value) const;

  /// The number of its first value among those of the rank's colors. Noted when all of these are copied.
  std::uint64_t first = 0;

private:
  std::vector<std::uint32_t> lengths_;
  std::vector<std::byte> values_;
  std::uint64_t size_ = 0;
};

/// The numbers of so many values: `first` and those behind it.
[[nodiscard]] std::vector<std::int64_t> numbers_from(std::uint64_t first, std::uint64_t count);

/// What a file says of rows.
struct rows_in_file {
  std::vector<std::uint32_t> lengths;
  std::vector<std::int64_t> begins;
};

/// Rows of elements get what the file has for them; `values`: the array. Throws std::runtime_error if they are not there.
void read_rows(const system_file& f, const file_contents::values& values, const rows_in_file& where,
  row_store& into, const selection& elements, const block_layout& layout);

} // namespace rondo::detail::inline distributed
