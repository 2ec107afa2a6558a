#include <rondo/distributed/broadcast_steps.hpp>

#include <bit>
#include <cstdint>

namespace rondo {

std::vector<reduction_step> broadcast_steps(unsigned rank, unsigned ranks) {
  std::vector<reduction_step> steps;
  if(rank != 0)
    steps.push_back({rank & (rank - 1), false, true});
  // So many ranks from this one on hear by way of it, as far as there are so many.
  const std::uint64_t behind =
    rank == 0 ? std::bit_ceil(std::uint64_t{ranks}) : std::uint64_t{rank & ~(rank - 1)};
  for(std::uint64_t distance = behind / 2; distance != 0; distance /= 2)
    if(rank + distance < ranks)
      steps.push_back({static_cast<unsigned>(rank + distance), true, false});
  return steps;
}

} // namespace rondo
