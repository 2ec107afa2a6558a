#pragma once

/// \file
/// One element of each color, which sees those of the colors that it sees in a mesh: what a color has as a whole, and what it sends to its
/// neighbours.
///
/// \code
///   const neighbour_colors space(m);                    // m: any topology
///   topo::made_of<neighbour_colors> around{m, space};   // the same partition: launches may take both
/// \endcode
///
/// The own element has the number 0; those of neighbours follow, in the order of their colors.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <rondo/distributed/box.hpp>
#include <rondo/distributed/color_set.hpp>
#include <rondo/distributed/index_space.hpp>
#include <rondo/distributed/made_of.hpp>
#include <rondo/distributed/topology.hpp>

namespace rondo::detail::inline distributed {

/// The owner of each element that a color of a mesh sees.
struct element_owners {
  color_id color = 0;
  box<3> first; ///< Of its own boxes: the only one over structured meshes.
  std::vector<box<3>> own;
  struct of_neighbour {
    box<3> ghosts;
    std::int64_t
      number; ///< Of the neighbour, as above; 0: of the color itself, beyond the end of a periodic axis.
  };
  std::vector<of_neighbour> others;

  [[nodiscard]] bool owns(const point<3>& p) const {
    for(const box<3>& b : own)
      if(b.contains(p))
        return true;
    return false;
  }
  /// Of an element that it doesn't own. Throws std::logic_error if it doesn't see it.
  [[nodiscard]] std::int64_t owner(const point<3>& p, const char* what) const {
    for(const of_neighbour& o : others)
      if(o.ghosts.contains(p))
        return o.number;
    refuse(p, what);
  }

private:
  [[noreturn]] void refuse(const point<3>& p, const char* what) const;
};

class neighbour_colors final : public index_space {
public:
  explicit neighbour_colors(const topology& mesh);

  struct of_color {
    std::vector<color_id> seen;
    std::vector<color_id> seen_by;
    element_owners owners;
  };
  struct part {
    const of_color* color;
  };
  class view {
  public:
    using of_topology = topo::made_of<neighbour_colors>;
    explicit view(const part& p) : color_(p.color) {}
    [[nodiscard]] color_id color() const { return color_->owners.color; }
    /// Neighbours have the numbers from 1 to this one.
    [[nodiscard]] std::size_t neighbours() const { return color_->seen.size(); }

  private:
    const of_color* color_;
  };

  [[nodiscard]] std::uint64_t colors() const { return colors_; }
  [[nodiscard]] part part_of(color_id color) const { return {&(*all_)[mine_.local(color)]}; }
  [[nodiscard]] const of_color& of(std::size_t local) const { return (*all_)[local]; }

  [[nodiscard]] block_layout layout(color_id color) const override;
  [[nodiscard]] selection owned(color_id color) const override;
  [[nodiscard]] std::vector<neighbour> neighbours(color_id color) const override;
  [[nodiscard]] bool has_ghosts() const override { return has_ghosts_; }
  [[nodiscard]] bool can_move() const override { return true; }
  void move(const color_carrier& carrier) override;

private:
  std::uint64_t colors_;
  color_set mine_;
  bool has_ghosts_;
  std::shared_ptr<const std::vector<of_color>> all_; ///< Of this rank. Views look at them.
};

/// Of a ragged field over these.
void note_owners(field_state& f, const neighbour_colors& space);

} // namespace rondo::detail::inline distributed
