#pragma once

/// \file
/// The cells of a rank, and those of others that share faces with them: their colors, which change, and what else ranks tell each other
/// of cells. Only of cells that other ranks have beside theirs anything is told.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <rondo/distributed/color_set.hpp>
#include <rondo/distributed/team.hpp>
#include <rondo/meshes/cut.hpp>

#include "ranks_of_cells.hpp"

namespace rondo::detail::inline meshes {

/// Something about a cell, by its place on the rank that knows it.
struct told_of_cell {
  std::int32_t cell = 0;
  color_id color = 0;

  friend constexpr auto operator<=>(const told_of_cell&, const told_of_cell&) = default;
};

/// Places on a rank: first its own cells, in the order of their numbers, then the others'.
class colors_around {
public:
  /// Called by all ranks of the team, with the colors of its own cells.
  colors_around(team& all, const uncut_cells& cells, std::vector<color_id> cut);

  [[nodiscard]] std::size_t own() const { return begins_.size() - 1; }
  [[nodiscard]] std::size_t size() const { return colors_.size(); }
  [[nodiscard]] std::int64_t number(std::int32_t cell) const {
    const auto c = static_cast<std::size_t>(cell);
    return c < own() ? first_ + cell : others_[c - own()];
  }
  [[nodiscard]] unsigned rank_of(std::int64_t number) const { return ranks_.rank_of(number); }
  [[nodiscard]] color_id color(std::int32_t cell) const {
    return colors_[static_cast<std::size_t>(cell)];
  }
  /// The cells that share a face with an own cell.
  [[nodiscard]] std::span<const std::int32_t> linked(std::int32_t cell) const {
    const auto c = static_cast<std::size_t>(cell);
    return std::span(linked_).subspan(begins_[c], begins_[c + 1] - begins_[c]);
  }

  /// Of own cells, in their order; what other ranks know of these is told there. Returns what is told here of others' cells.
  /// Called by all ranks of the team.
  [[nodiscard]] std::vector<told_of_cell> tell(team& all, std::span<const told_of_cell> of_own);
  /// Own cells get these colors; so the other ranks are told.
  void set_colors(team& all, std::span<const told_of_cell> of_own);

  [[nodiscard]] std::vector<color_id> own_colors() && {
    colors_.resize(own());
    return std::move(colors_);
  }

private:
  struct listener {
    std::int32_t cell; ///< An own one.
    unsigned rank;
    std::int32_t there; ///< Its place on that rank.
  };

  void listen(team& all);

  ranks_of_cells ranks_;
  std::int64_t first_;
  std::vector<color_id> colors_;
  std::vector<std::int32_t> linked_;
  std::vector<std::size_t> begins_{0};
  std::vector<std::int64_t> others_; ///< Their numbers, ascending.
  std::vector<listener> listeners_;  ///< In the order of the cells.
};

} // namespace rondo::detail::inline meshes
