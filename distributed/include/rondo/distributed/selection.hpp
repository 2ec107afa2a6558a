#pragma once

/// \file
/// Which elements of a color: those that it owns, that it sees of another one, that go into a message.
///
/// \code
///   const selection rim = selection::of(box<2>{{0, 0}, {8, 1}});
///   pack(block, rim, sizeof(double), message);              // rim.size() doubles
///   unpack(message, other, ghosts, sizeof(double));         // of a selection of as many elements
/// \endcode
///
/// A selection lists elements in a fixed order, wherever a color has them in memory. How it does so
/// only the functions here know: it is a brick, of structured meshes, or a list of elements, of colors
/// whose elements are numbered.
///
/// \code
///   const selection rim = selection::of_list({4, 5, 6, 11, 2});   // in this order
///   const selection ghosts = selection::of_range(12, 17);         // 12 to 16
///   copy(block, rim, other, ghosts, sizeof(double));              // of as many elements
/// \endcode
///
/// Copies share their list, so a selection is cheap to copy.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <rondo/distributed/block.hpp>
#include <rondo/distributed/box.hpp>

namespace rondo::detail::inline distributed {

struct element_list;
struct folding;

/// Points of a box: rows of equal length.
struct brick {
  std::int64_t at[3] = {}; ///< The first point.
  std::int64_t length = 0;
  std::int64_t rows = 1;
  std::int64_t planes = 1;

  template<std::size_t D>
  static brick of(const box<D>& b) {
    brick made;
    for(std::size_t a = 0; a != D; ++a)
      made.at[a] = b.lo[a];
    made.length = b.length(0);
    made.rows = D > 1 ? b.length(D > 1 ? 1 : 0) : 1;
    made.planes = D > 2 ? b.length(D > 2 ? 2 : 0) : 1;
    return made;
  }
  [[nodiscard]] std::int64_t size() const { return length * rows * planes; }
  /// The first point's place, in elements from the origin.
  [[nodiscard]] std::int64_t first(const color_block& in) const {
    return at[0] + at[1] * in.stride[0] + at[2] * in.stride[1];
  }
};

class selection {
public:
  selection() = default; ///< None.
  template<std::size_t D>
  static selection of(const box<D>& b) {
    selection made;
    made.points_ = brick::of(b);
    return made;
  }
  /// Elements `first` to `last`, without `last`.
  static selection of_range(std::int64_t first, std::int64_t last) {
    return of(box<1>{{first}, {last}});
  }
  /// In this order. Consecutive elements are copied in one piece; if all are consecutive, the result is that of of_range.
  static selection of_list(const std::vector<std::int64_t>& elements);

  /// How many elements.
  [[nodiscard]] std::int64_t size() const { return points_.size(); }
  /// The box around them.
  [[nodiscard]] box<3> bounds() const;
  /// The boxes that they are made of, in their order: one, or those of a list.
  [[nodiscard]] std::vector<box<3>> boxes() const;

  /// The same elements in the same order.
  friend bool operator==(const selection& a, const selection& b);

private:
  friend class pieces;
  friend void pack(
    const color_block& from, const selection& what, std::size_t size, std::byte* into);
  friend void unpack(
    const std::byte* from, const color_block& into, const selection& what, std::size_t size);
  friend void copy(const color_block& from, const selection& what, const color_block& into,
    const selection& where, std::size_t size);
  friend bool is_same_memory(const color_block& from, const selection& what,
    const color_block& into, const selection& where, std::size_t size);

  friend void begin_fold(
    const color_block& in, const selection& what, std::size_t size, const folding& how);
  friend void fold(const std::byte* from, const color_block& into, const selection& what,
    std::size_t size, const folding& how);
  friend void fold(const color_block& from, const selection& what, const color_block& into,
    const selection& where, std::size_t size, const folding& how);

  brick points_;                             ///< Of a list: as long as that, and of no other use.
  std::shared_ptr<const element_list> list_; ///< Null of a brick.
};

/// From a color to a message and back, and from color to color. Elements have `size` bytes. Nothing is
/// copied where both are the same memory.
void pack(const color_block& from, const selection& what, std::size_t size, std::byte* into);
void unpack(
  const std::byte* from, const color_block& into, const selection& what, std::size_t size);
void copy(const color_block& from, const selection& what, const color_block& into,
  const selection& where, std::size_t size);
[[nodiscard]] bool is_same_memory(const color_block& from, const selection& what,
  const color_block& into, const selection& where, std::size_t size);

/// Values that change nothing when they are folded, see folding.hpp; and folds elements of a message, or of another color, into
/// as many others.
void begin_fold(const color_block& in, const selection& what, std::size_t size, const folding& how);
void fold(const std::byte* from, const color_block& into, const selection& what, std::size_t size,
  const folding& how);
void fold(const color_block& from, const selection& what, const color_block& into,
  const selection& where, std::size_t size, const folding& how);

/// As in "[0, 8) x [4, 5)": without the last axes if nothing goes along these. A list is "[4, 7) + [11, 12)", and no longer than
/// a line.
[[nodiscard]] std::string describe(const selection& s);

} // namespace rondo::detail::inline distributed
