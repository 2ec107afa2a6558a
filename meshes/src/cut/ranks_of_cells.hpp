#pragma once

/// \file
/// Which rank has a cell, before cells are cut.

#include <cstdint>
#include <utility>
#include <vector>

#include <rondo/distributed/team.hpp>
#include <rondo/meshes/cut.hpp>

namespace rondo::detail::inline meshes {

class ranks_of_cells {
public:
  /// Called by all ranks of the team.
  ranks_of_cells(team& all, const uncut_cells& cells);

  [[nodiscard]] unsigned rank_of(std::int64_t cell) const;

private:
  std::vector<std::pair<std::int64_t, unsigned>>
    ranks_; ///< Those that have cells, after their first ones.
};

} // namespace rondo::detail::inline meshes
