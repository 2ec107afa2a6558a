#pragma once

/// \file
/// How many links cells are apart, of cells that lie on ranks as they have come. Cells that no links lead to from each other are in other
/// *islands*; what is done with one island is done with all of them at once.

#include <cstddef>
#include <cstdint>
#include <vector>

#include <rondo/distributed/team.hpp>

#include "colors_around.hpp"

namespace rondo::detail::inline meshes {

/// All functions are called by all ranks of the team.
class link_distances {
public:
  /// Something of each own cell.
  using numbers = std::vector<std::int64_t>;
  /// One own cell of some islands.
  using landmarks = std::vector<std::int32_t>;

  /// `cells` may say other colors afterwards.
  link_distances(team& all, colors_around& cells);

  /// The first cell of each island.
  [[nodiscard]] landmarks first_of_islands() const;
  /// In each island the cell with the highest score, of several the one with the least number.
  [[nodiscard]] landmarks highest(const numbers& scores) const;
  /// Of each cell the distance from the landmark of its island, which some rank has.
  [[nodiscard]] numbers from(const landmarks& islands) const;
  /// Islands side by side, in the order of their first cells, each as wide as the widest of its cells: where the middle of a cell's island is.
  [[nodiscard]] numbers middles_of_islands(const numbers& half_widths) const;

private:
  /// What an island has.
  struct of_island {
    std::int64_t number; ///< Of its first cell.
    std::int64_t score;
    std::int64_t cell; ///< Its number.
  };

  /// Values spread over links, and grow by `step` on each; a cell has the least one that gets to it. `values` are those of all cells known here,
  /// `changed` the own ones from which values spread.
  void spread(
    std::vector<std::int64_t>& values, std::vector<std::int32_t> changed, std::int64_t step) const;
  void spread_here(std::vector<std::int64_t>& values, std::vector<std::int32_t> changed,
    std::int64_t step, std::vector<std::int32_t>& told) const;
  /// For each island of this rank its best cell here.
  [[nodiscard]] std::vector<of_island> best_here(const numbers& scores) const;
  [[nodiscard]] bool is_own(std::int32_t cell) const {
    return static_cast<std::size_t>(cell) < cells_.own();
  }

  team& all_;
  colors_around& cells_;
  std::vector<bool> is_beside_others_; ///< Own cells with links to other ranks' ones.
  std::vector<std::int32_t> linked_;   ///< Own cells that are linked with each of the others' ones,
  std::vector<std::size_t> begins_;    ///< and where those begin.
  std::vector<std::int64_t> islands_;  ///< The numbers of those that this rank has cells of.
  std::vector<std::int32_t> island_;   ///< Of each own cell its place there.
};

} // namespace rondo::detail::inline meshes
