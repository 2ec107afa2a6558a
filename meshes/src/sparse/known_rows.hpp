#pragma once

/// \file
/// The rows of a rank while their matrix is made: those of its colors, and which rows these have as columns.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <rondo/distributed/color_set.hpp>
#include <rondo/distributed/team.hpp>

#include "../deal.hpp"
#include "../entity_key.hpp"
#include "uncut_rows.hpp"

namespace rondo::detail::inline meshes {

/// Rows by their numbers on this rank. First those that the rank has, in the order of their colors, and of one color in the order of their ids.
struct known_rows {
  key_numbers ids; ///< Of all.
  std::vector<color_id> colors{};
  std::vector<std::size_t> begins{0}; ///< Of those that the rank has.
  std::vector<std::int32_t> columns{};
  std::vector<double> values{};

  [[nodiscard]] std::size_t own() const { return begins.size() - 1; }
  [[nodiscard]] std::size_t size() const { return ids.size(); }
  [[nodiscard]] std::int64_t id(std::int32_t row) const {
    return static_cast<std::int64_t>(ids.keys()[static_cast<std::size_t>(row)].low);
  }
  [[nodiscard]] std::span<const std::int32_t> columns_of(std::size_t row) const {
    return std::span(columns).subspan(begins[row], begins[row + 1] - begins[row]);
  }
};

/// Brings rows to the ranks of their colors: `colors` has those of the rows that are here. Called by all ranks of the team.
[[nodiscard]] known_rows deal_rows(team& all, uncut_rows rows, const ranks_of_cells& ranks,
  const std::vector<color_id>& colors, const rank_of_color& rank_of);

} // namespace rondo::detail::inline meshes
