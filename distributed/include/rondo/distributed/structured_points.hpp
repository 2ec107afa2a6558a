#pragma once

/// \file
/// The points of a structured mesh as an index space. Points beyond its ends are owned, too, by the colors that have them.

#include <cstddef>
#include <optional>
#include <vector>

#include <rondo/distributed/coloring.hpp>
#include <rondo/distributed/index_space.hpp>

namespace rondo::detail::inline distributed {

/// Instantiated for 1 to 3 dimensions.
template<std::size_t D>
class structured_points final : public index_space {
public:
  /// `mesh` has to stay.
  explicit structured_points(const structured_coloring<D>& mesh) : mesh_(mesh) {}

  [[nodiscard]] block_layout layout(color_id color) const override;
  [[nodiscard]] selection owned(color_id color) const override;
  [[nodiscard]] std::vector<neighbour> neighbours(color_id color) const override;
  /// If what they own makes up a box they may lie side by side, with all ghosts that others of them
  /// own where these are. What remains are ghosts at the rim of that box; those at corners would belong to more
  /// than one color, so a mesh with diagonals can't, unless it has ghosts along one axis only; nor can a coarse one where colors have fewer points than the halo is deep.
  [[nodiscard]] std::optional<block_layout> together(const color_set& colors) const override;
  [[nodiscard]] bool has_ghosts() const override;

private:
  const structured_coloring<D>& mesh_;
};

} // namespace rondo::detail::inline distributed
