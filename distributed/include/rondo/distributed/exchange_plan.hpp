#pragma once

/// \file
/// What a rank has to copy, send and receive to fill the ghosts of its colors.
///
/// \code
///   const exchange_plan plan = plan_exchange(cut, space);   // partition.hpp, index_space.hpp
///   for(const auto& m : plan.outgoing)
///     for(const auto& part : m.parts)
///       pack(block(part.color), part.elements, size, buffer(m.peer) + part.offset * size);
///   std::cout << plan_exchange(mesh.coloring(), ranks, rank);   // of a mesh, for any rank
/// \endcode
///
/// A pure function of the partition and the index space: nobody has to be asked. There is
/// one message for each other rank that has to do with this one; colors of the same rank copy from
/// each other. Both ends list the parts of a message in the same order, that of the receiving
/// colors and, for each of them, of its neighbours; so they agree on the offsets.
///
/// Making it takes some log(colors) steps for each neighbour of each color of the rank, however
/// many ranks there are.

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include <rondo/distributed/coloring.hpp>
#include <rondo/distributed/distribution.hpp>
#include <rondo/distributed/selection.hpp>

namespace rondo {

namespace detail::inline distributed {
class index_space;
class partition;
} // namespace detail::inline distributed

/// Colors of the rank are counted from its first one, but for `peer_color`.
struct exchange_plan {
  /// From one color of this rank to another, or to itself: as many elements.
  struct copy {
    std::size_t source;
    detail::selection from; ///< owned by `source`, where that has them
    std::size_t destination;
    detail::selection to; ///< ghosts of `destination`, where that has them
  };

  /// Of a message: some elements of a color, one after the other.
  struct part {
    std::size_t color; ///< of this rank: the source of what is sent, the destination of what comes
    detail::selection elements; ///< owned by it if sent, its ghosts if received
    std::int64_t offset;        ///< in elements, from the begin of the message
    color_id peer_color;        ///< at the other end, counted over all ranks
  };

  struct message {
    unsigned peer;
    std::int64_t size; ///< in elements
    std::vector<part> parts;
  };

  unsigned rank = 0;
  unsigned ranks = 1;
  color_set colors;              ///< of this rank
  std::vector<copy> copies;      ///< in the order of their destinations
  std::vector<message> outgoing; ///< in the order of their peers, as are
  std::vector<message> incoming;
  std::uint64_t looked_at = 0; ///< neighbours, to make the plan: a measure of its costs

  /// A color of this rank, counted over all ranks.
  [[nodiscard]] color_id number_of(std::size_t color) const { return colors[color]; }
  /// The copies that fill ghosts of that color.
  [[nodiscard]] std::span<const copy> copies_into(std::size_t destination) const;
};

[[nodiscard]] exchange_plan plan_exchange(
  const detail::partition& cut, const detail::index_space& space);

/// Of the points of a mesh. std::invalid_argument if there are fewer colors than ranks, or no such
/// rank. Instantiated for 1 to 3 dimensions.
template<std::size_t D>
exchange_plan plan_exchange(const structured_coloring<D>& mesh, unsigned ranks, unsigned rank);

/// Some lines for people.
std::string describe(const exchange_plan& plan);
std::ostream& operator<<(std::ostream& out, const exchange_plan& plan);

} // namespace rondo
