#pragma once

/// \file
/// Where the values of colors are while they go to the disk.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include <rondo/distributed/stored.hpp>
#include <rondo/tracing/flow.hpp>
#include <rondo/tracing/region.hpp>

#include "bundles.hpp"
#include "counts_before.hpp"
#include "format.hpp"
#include "page_memory.hpp"
#include "staged_rows.hpp"

namespace rondo::detail::inline distributed {

/// The copies of all colors of this rank, bundle behind bundle. In each of them the values of one field are behind those of another,
/// in the order of a file, and large ones are in their page of memory where they are in that of the file: as
/// `system_file::write` wants them. For that the values of a field have to begin a page of the file.
///
/// Rows are copied apart, color by color: how many values they have is known when they are copied.
class staged_values {
public:
  struct kept;
  staged_values(kept& memory, const stored_mesh& m, const std::vector<stored_field>& fields);

  [[nodiscard]] const std::vector<bundle>& bundles() const { return bundles_; }
  /// Copies the fields, from where local color `c` has them. Values that all ranks have go with color 0.
  void take(const stored_mesh& m, std::size_t c, const std::vector<stored_field>& fields) const;
  /// How many values the rows of all colors have, when these are copied; and where each color's begin among them.
  [[nodiscard]] row_counts count_rows(std::size_t colors) const;
  /// Writes those of a bundle to where they are in the file. Rows are behind those of other ranks.
  void write(const system_file& to, const file_contents& contents, const stored_mesh& m,
    std::size_t b, const row_counts& before) const;

private:
  struct place_of_color {
    std::size_t bundle;
    std::size_t in_bundle;

    friend bool operator==(const place_of_color&, const place_of_color&) = default;
  };
  /// Where the bundles of a file are in memory. Only files with the same one share memory: the copy of a color waits until the bundle with
  /// that color is written, and so may touch nothing else of the file before.
  struct layout {
    std::vector<std::size_t> begins; ///< Of each bundle.
    std::size_t end = 0;
    std::vector<place_of_color> colors;

    friend bool operator==(const layout&, const layout&) = default;
  };
  /// Of all colors, of each field with rows.
  using rows_of_colors = std::vector<std::vector<staged_rows>>;

  void put_rows(const file_contents::values& array, std::size_t row_field, const stored_mesh& m,
    const bundle& b, std::uint64_t before, std::byte* to) const;

  const std::vector<file_contents::values> arrays_;
  std::size_t fields_with_rows_ = 0;
  std::vector<bundle> bundles_;
  layout layout_;
  std::shared_ptr<page_memory> memory_;
  std::shared_ptr<rows_of_colors> rows_;
};

/// What is kept from file to file.
struct staged_values::kept {
  /// A program has a few kinds of files.
  static constexpr std::size_t most = 4;
  struct of_layout {
    layout where;
    std::shared_ptr<page_memory> memory;
  };
  std::vector<of_layout> memories; ///< The last ones that were new.
  std::shared_ptr<rows_of_colors> rows;
};

/// What is copied of a color, for the flow that orders who uses it.
struct staged_color {};

/// For the colors of a topology on this rank. Kept, and used again.
class staging {
public:
  staging(flow& f, std::size_t colors) {
    for(std::size_t c = 0; c != colors; ++c) {
      objects_.emplace_back();
      regions_.emplace_back(f, objects_.back(), "copy for a file");
    }
  }
  [[nodiscard]] region<staged_color>& of(std::size_t c) { return regions_[c]; }
  /// Where a launch has its copies. Launches of before keep what they were given.
  std::shared_ptr<const staged_values> values(
    const stored_mesh& m, const std::vector<stored_field>& fields) {
    return std::make_shared<const staged_values>(kept_, m, fields);
  }

private:
  std::deque<staged_color> objects_;
  std::deque<region<staged_color>> regions_;
  staged_values::kept kept_;
};

} // namespace rondo::detail::inline distributed
