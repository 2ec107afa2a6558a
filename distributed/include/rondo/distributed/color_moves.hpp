#pragma once

/// \file
/// How values of colors come together before a reduction.
///
/// The tree of a reduction (reduction_tree.hpp) is over the numbers of colors, and a rank folds a range
/// of them, its share. A rank that has a box of colors may have others than these; then it hands on their values
/// first, each to the rank that sees to it. There are messages to few ranks: boxes and shares are made by cutting the
/// same mesh in nearly the same way.
///
/// \code
///   const color_moves m = moves_of(who, rank);
///   for(const auto& out : m.outgoing)      // m.kept stay here
///     for(const std::size_t local : out.colors) ...
/// \endcode

#include <cstddef>
#include <cstdint>
#include <vector>

#include <rondo/distributed/distribution.hpp>

namespace rondo::detail::inline distributed {

struct color_moves {
  struct message {
    unsigned peer;
    /// If sent: which of the rank's colors. If received: which of its share. Both in the order of their numbers.
    std::vector<std::size_t> colors;
  };
  struct own {
    std::size_t color; ///< Which one of the rank's colors is ...
    std::size_t place; ///< ... which one of its share.
  };

  color_range share;
  std::vector<own> kept;
  std::vector<message> outgoing; ///< In the order of their peers, as are
  std::vector<message> incoming;
  /// The rank has its share, and nothing else.
  [[nodiscard]] bool empty() const { return outgoing.empty() && incoming.empty(); }
};

[[nodiscard]] color_moves moves_of(const distribution& who, unsigned rank);

} // namespace rondo::detail::inline distributed
