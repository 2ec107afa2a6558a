#pragma once

/// \file
/// One kind of elements of what is cut into colors: how many a color owns and sees, how they lie in
/// memory, and who sees what of whom.
///
/// An index space can be asked about any color of any rank, at the same small cost, and is a pure
/// function of what it was made from. So each rank works out for itself what others will send to it:
/// exchange_plan.hpp. Fields have a value for each element; they only look at what their rank has,
/// `local_elements`.
///
/// A new kind of mesh is a new index space, or several of them over one partition. Programs write theirs as made_of.hpp says.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <rondo/distributed/block.hpp>
#include <rondo/distributed/exchange_plan.hpp>
#include <rondo/distributed/partition.hpp>
#include <rondo/distributed/selection.hpp>

namespace rondo::detail::inline distributed {

class color_carrier;

/// Another color that a color sees elements of, or the color itself, beyond the end of a periodic axis. It may
/// be there more than once. It sees what is seen of it, or one of the two sees nothing of the other.
struct neighbour {
  color_id color;
  /// Which one of the color's neighbours this is, and which one of that one's neighbours the color is. Any numbers will do, if
  /// no two neighbours of a color have the same one; if each is there once only, its color, and the own color.
  std::uint64_t number;
  std::uint64_t number_there;
  selection ghosts; ///< The elements that it owns and this color sees, where this color has them.
  selection source; ///< The same where the neighbour has it.
  selection rim;    ///< What is owned here and seen there.
};

class index_space {
public:
  /// How the elements of a color lie in memory of its own, ghosts included.
  [[nodiscard]] virtual block_layout layout(color_id color) const = 0;
  [[nodiscard]] virtual selection owned(color_id color) const = 0;
  [[nodiscard]] virtual std::vector<neighbour> neighbours(color_id color) const = 0;
  /// How the elements of all these colors lie in one piece of memory, where each sees in place what others own.
  /// Returns nothing if they can't.
  [[nodiscard]] virtual std::optional<block_layout> together(const color_set& /*colors*/) const {
    return std::nullopt;
  }
  /// Some color has ghosts, on whatever rank.
  [[nodiscard]] virtual bool has_ghosts() const = 0;
  /// The name of an element, "cell" say, if a checked build is to tell it from others: named_element.hpp. The text stays where it is.
  [[nodiscard]] virtual const char* element_name() const { return nullptr; }

  /// Colors may go to other ranks: balance.hpp. So may those of a space that answers for any color of any rank; it says so, and
  /// that is all.
  [[nodiscard]] virtual bool can_move() const { return false; }
  /// They go now, on all ranks. A space that knows no more than the colors of its rank hands over what it knows of those that leave.
  virtual void move(const color_carrier& /*carrier*/) {}

protected:
  index_space() = default;
  index_space(const index_space&) = default;
  index_space& operator=(const index_space&) = default;
  ~index_space() = default;
};

/// So many values of each color, which nobody else sees.
class values_of_colors final : public index_space {
public:
  explicit values_of_colors(std::int64_t each) : each_(each) {}

  [[nodiscard]] block_layout layout(color_id /*any*/) const override {
    return {.elements = each_, .origin = 0, .stride = {each_, each_}};
  }
  [[nodiscard]] selection owned(color_id /*any*/) const override {
    return selection::of(box<1>{{0}, {each_}});
  }
  [[nodiscard]] std::vector<neighbour> neighbours(color_id /*any*/) const override { return {}; }
  [[nodiscard]] bool has_ghosts() const override { return false; }

private:
  std::int64_t each_;
};

/// What a rank has of an index space. Colors are counted from its first one.
struct local_elements {
  std::vector<block_layout> layouts;
  std::vector<selection> owned;
  std::optional<block_layout> together;
  exchange_plan plan;
  bool has_ghosts = false; ///< Some color, on whatever rank.
};

[[nodiscard]] local_elements elements_of(const partition& cut, const index_space& space);

} // namespace rondo::detail::inline distributed
