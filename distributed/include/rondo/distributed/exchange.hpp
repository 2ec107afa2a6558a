#pragma once

/// \file
/// What a rank has to copy, send and receive to fill the ghosts of its colors.
///
/// \code
///   const exchange_plan<2> plan = plan_exchange(mesh, ranks, rank);
///   for(const auto& m : plan.outgoing)
///     for(const auto& part : m.parts)
///       pack(field(part.color), part.points, buffer(m.peer) + part.offset);
///   std::cout << plan;
/// \endcode
///
/// A pure function of the mesh, the number of ranks and the rank: nobody has to be asked. There is
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

namespace rondo {

template<std::size_t D>
struct exchange_plan {
  /// From one color of this rank to another, or to itself. The boxes have the same extents.
  struct copy {
    color_id source;
    box<D> from; ///< owned by `source`, in its coordinates
    color_id destination;
    box<D> to; ///< ghosts of `destination`, as it sees them
  };

  /// Of a message: the points of a box, row by row.
  struct part {
    color_id color; ///< of this rank: the source of what is sent, the destination of what comes
    box<D> points;  ///< owned by it if sent, its ghosts if received
    std::uint64_t offset; ///< in elements, from the begin of the message
    color_id peer_color;  ///< at the other end
  };

  struct message {
    unsigned peer;
    std::uint64_t size; ///< in elements
    std::vector<part> parts;
  };

  unsigned rank = 0;
  unsigned ranks = 1;
  color_range colors;            ///< of this rank
  std::vector<copy> copies;      ///< in the order of their destinations
  std::vector<message> outgoing; ///< in the order of their peers, as are
  std::vector<message> incoming;
  std::uint64_t looked_at = 0; ///< neighbours, to make the plan: a measure of its costs

  /// Those that fill ghosts of that color.
  [[nodiscard]] std::span<const copy> copies_into(color_id destination) const;
};

/// std::invalid_argument if there are fewer colors than ranks, or no such rank. Instantiated for
/// 1 to 3 dimensions.
template<std::size_t D>
exchange_plan<D> plan_exchange(const structured_coloring<D>& mesh, unsigned ranks, unsigned rank);

/// Some lines for people.
template<std::size_t D>
std::string describe(const exchange_plan<D>& plan);

template<std::size_t D>
std::ostream& operator<<(std::ostream& out, const exchange_plan<D>& plan);

} // namespace rondo
