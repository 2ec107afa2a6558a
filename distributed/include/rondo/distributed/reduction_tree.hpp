#pragma once

/// \file
/// Reductions over colors whose result has the same bits however the colors are spread over ranks.
///
/// \code
///   partial<double> mine(colors, own.first);        // of a rank: nothing yet
///   for(color_id c = own.first; c != own.last; ++c)
///     mine.append(value_of(c), fold::sum);
///   for(const reduction_step& s : reduction_steps(rank, ranks)) {
///     ... mine.store(message) for s.peer, other.load(message) of its own, as s says ...
///     mine.join(other, fold::sum);
///   }
///   mine.result();                                   // on all ranks
/// \endcode
///
/// *The tree.* Node i of level l stands for the colors from i * 2^l to (i + 1) * 2^l, as far as
/// there are some. Its value is that of its left child, folded with that of its right child if it
/// has one; on level 0, the color's. The root's value is the result. It depends on the number of
/// colors and their values, and on nothing else; the operation need not be associative, as adding
/// floating-point numbers is not.
///
/// *Partials.* What is known of the tree when only the colors of a range are: the values of the
/// largest nodes within the range. There are at most two of a level, so a rank sends some
/// 2 log2(colors) values, not one for each of its colors. Values may be large, so they don't lie on a
/// stack, and folding copies none of them there: memory is taken once, when a partial is made.

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include <rondo/distributed/color_set.hpp>

namespace rondo {

namespace detail::inline distributed {

/// So many levels has the tree over `colors` below its root.
[[nodiscard]] constexpr unsigned levels_below_root(std::uint64_t colors) {
  unsigned levels = 0;
  while((std::uint64_t{1} << levels) < colors)
    ++levels;
  return levels;
}

/// The most nodes that the largest ones within a range of colors can be.
[[nodiscard]] constexpr std::size_t most_nodes(std::uint64_t colors) {
  const unsigned levels = levels_below_root(colors);
  return levels > 1 ? 2 * (levels - 1) : 1;
}

/// The level of the largest node that begins at `first` and ends within the range to `last`. A node
/// that the end of all colors cuts off is complete there.
[[nodiscard]] constexpr unsigned largest_node(color_id first, color_id last, std::uint64_t colors) {
  const unsigned root = levels_below_root(colors);
  unsigned level = 0;
  while(level != root) {
    const std::uint64_t length = std::uint64_t{2} << level;
    const color_id end = first + length < colors ? first + length : colors;
    if(first % length != 0 || end > last)
      break;
    ++level;
  }
  return level;
}

} // namespace detail::inline distributed

template<class T>
class partial {
  static_assert(std::is_trivially_copyable_v<T>, "it is sent as bytes");

public:
  static constexpr std::uint64_t most_colors = std::uint64_t{1} << 40U;

  /// Of the tree over so many colors, nothing yet; the first value appended will be that of color
  /// `first`.
  explicit partial(std::uint64_t colors, color_id first = 0)
      : colors_(colors), first_(first), last_(first) {
    if(colors > most_colors)
      throw std::invalid_argument(
        "rondo::partial: " + std::to_string(colors) + " colors; there can be 2^40");
    // One more: a node is put down before it is folded into the one to its left.
    places_ = detail::most_nodes(colors) + 1;
    values_ = std::make_unique_for_overwrite<T[]>(places_);
  }

  /// Nothing again, in the same memory.
  void restart(color_id first) {
    first_ = last_ = first;
    count_ = 0;
  }

  [[nodiscard]] std::uint64_t colors() const { return colors_; }
  /// The range of colors that are in it.
  [[nodiscard]] color_id first() const { return first_; }
  [[nodiscard]] color_id last() const { return last_; }
  /// The values of the largest nodes within the range, in their order.
  [[nodiscard]] std::span<const T> values() const { return {values_.get(), count_}; }

  /// Whether all colors are in it, and what they make.
  [[nodiscard]] bool is_whole() const { return first_ == 0 && last_ == colors_ && colors_ != 0; }
  [[nodiscard]] const T& result() const {
    assert(is_whole() && count_ == 1);
    return values_[0];
  }

  /// Adds the value of color `last()`. `op(into, part)` folds.
  template<class Op>
  void append(const T& value, const Op& op) {
    assert(last_ < colors_);
    add_node(0, value, op);
    ++last_;
  }

  /// Adds what follows.
  template<class Op>
  void append(const partial& next, const Op& op) {
    assert(next.first_ == last_ && next.colors_ == colors_);
    color_id at = next.first_;
    for(std::size_t i = 0; i != next.count_; ++i) {
      const unsigned level = detail::largest_node(at, next.last_, colors_);
      add_node(level, next.values_[i], op);
      const color_id end = at + (std::uint64_t{1} << level);
      last_ = at = end < colors_ ? end : colors_;
    }
  }

  /// Adds what comes before or after, or takes what is whole already: what has come in a step of a
  /// reduction. std::logic_error if it is neither, which means that ranks disagree. Of `other` only
  /// the memory is left.
  template<class Op>
  void join(partial& other, const Op& op) {
    if(other.colors_ != colors_ || other.count_ >= other.places_)
      throw std::logic_error("rondo::partial: of " + std::to_string(other.colors_) +
                             " colors, not of " + std::to_string(colors_));
    if(other.is_whole())
      std::swap(*this, other);
    else if(other.first_ == last_)
      append(other, op);
    else if(other.last_ == first_) {
      std::swap(*this, other);
      append(other, op);
    }
    else
      throw std::logic_error(
        "rondo::partial: colors " + range(other) + " don't border on " + range(*this));
  }

  /// How many bytes of it are to be sent: the same on all ranks.
  [[nodiscard]] static constexpr std::size_t bytes(std::uint64_t colors) {
    return sizeof(header) + detail::most_nodes(colors) * sizeof(T);
  }
  /// Writes so many bytes, or fewer; or reads what another one has written.
  void store(std::byte* message) const {
    const header h{colors_, first_, last_, count_};
    std::memcpy(message, &h, sizeof(h));
    std::memcpy(message + sizeof(h), values_.get(), count_ * sizeof(T));
  }
  void load(const std::byte* message) {
    header h;
    std::memcpy(&h, message, sizeof(h));
    colors_ = h.colors;
    first_ = h.first;
    last_ = h.last;
    count_ = h.count;
    if(count_ < places_) // else `join` refuses it
      std::memcpy(values_.get(), message + sizeof(h), count_ * sizeof(T));
  }

private:
  struct header {
    std::uint64_t colors, first, last, count;
  };

  static std::string range(const partial& p) {
    return std::to_string(p.first_) + " to " + std::to_string(p.last_);
  }

  /// Adds the node of that level that begins at `last_`.
  template<class Op>
  void add_node(unsigned level, const T& value, const Op& op) {
    color_id at = last_;
    values_[count_] = value;
    for(const unsigned root = detail::levels_below_root(colors_); level != root; ++level) {
      const std::uint64_t length = std::uint64_t{1} << level;
      if((at & length) == 0) {
        // A left child; it makes up its parent if there is no right one.
        if(colors_ - at > length)
          break;
      }
      else {
        // A right child. If the left one is in the range, it is the last node there: it couldn't
        // be part of a larger one before this one came.
        if(at - first_ < length)
          break;
        at -= length;
        op(values_[count_ - 1], std::as_const(values_[count_]));
        --count_;
      }
    }
    ++count_;
  }

  std::uint64_t colors_;
  color_id first_;
  color_id last_;
  std::size_t count_ = 0;
  std::size_t places_ = 0;
  std::unique_ptr<T[]> values_;
};

} // namespace rondo
