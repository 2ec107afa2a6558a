#pragma once

/// \file
/// Into how many colors a structured mesh is best cut, and how many along each axis.
///
/// \code
///   structured_shape<2> shape{.extents = {2048, 2048}, .halo = 1};
///   shape.colors = choose_color_grid(shape, 64);                  // 8 x 8
///   shape.colors = default_color_grid(shape, ranks, workers);
/// \endcode
///
/// `shape.colors` is not looked at. Results are the same on all ranks: what floating-point arithmetic there is
/// in them is exact to the last bit everywhere. They are found within a fixed number of steps, up to
/// logarithms.

#include <cstddef>
#include <cstdint>

#include <rondo/distributed/coloring.hpp>

namespace rondo {

/// A color grid of at least that many colors, and at most an eighth more if it can be had: the one
/// in which the points that the busiest rank holds, ghosts included, are the fewest. Colors are
/// then about as long as they are wide. None is thinner than the halo is deep.
///
/// With the number of ranks, a rank that gets a color more than others counts: for as many colors
/// as ranks the grid has just so many, even if that makes strips of the colors.
///
/// std::invalid_argument if there is no such grid.
template<std::size_t D>
point<D> choose_color_grid(
  const structured_shape<D>& shape, std::uint64_t wanted, unsigned ranks = 1);

/// How many colors there should be for such ranks if nobody says otherwise:
///  - one for each worker if its points are worth a task. Tiny meshes get one per rank,
///  - several per worker if each takes many times as long as a message: while the halo of one
///    travels, others are worked on.
///
/// std::invalid_argument if the mesh has not enough points for the ranks.
template<std::size_t D>
std::uint64_t default_colors(
  const structured_shape<D>& shape, unsigned ranks, unsigned workers_per_rank);

/// A grid of so many, or some more. Each rank gets a block that is about as long as it is wide, and
/// cuts it along the last axis, so that rows in memory stay long: where the colors of a rank read
/// each other in place it doesn't matter how much they have in common. For numbers of ranks that make no
/// such blocks, some grids are compared by what the busiest rank gets (bisection.hpp).
template<std::size_t D>
point<D> default_color_grid(
  const structured_shape<D>& shape, unsigned ranks, unsigned workers_per_rank);

/// For a mesh that is much larger than the caches: thin layers along the last axis, of which some fit
/// into an L2 cache, so that a color is still there when the next sweep comes to it (waves.hpp). Their
/// neighbours are read in place, so thin ones cost no copies. All are 0 if there is none for this mesh.
template<std::size_t D>
point<D> layered_color_grid(const structured_shape<D>& shape, unsigned ranks,
  unsigned workers_per_rank, std::size_t bytes_per_point);

} // namespace rondo
