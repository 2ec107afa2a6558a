#pragma once

/// \file
/// Which cells are at which places when all cells of a part are in order: of several parts at once, over all ranks.
///
/// Some bits of all places are looked at, from the highest ones on: ranks count their cells by these, and add up. So they see which
/// bits the place has that is looked for, and only cells with the same ones are left. As soon as few are left, all ranks are told
/// of these.

#include <cstdint>
#include <span>
#include <vector>

#include <rondo/distributed/team.hpp>

#include "cut_cell.hpp"

namespace rondo::detail::inline meshes {

struct nth_of_part {
  std::span<const cut_cell> cells; ///< The cells of this rank.
  std::uint64_t in_all = 0;        ///< On all ranks.
  std::uint64_t n = 0;             ///< From 0 on, below `in_all`.
};

/// Called by all ranks of the team, with the same parts. Numbers of cells have so many bits.
[[nodiscard]] std::vector<cut_place> nth_places(
  team& all, std::span<const nth_of_part> parts, unsigned number_bits);

} // namespace rondo::detail::inline meshes
