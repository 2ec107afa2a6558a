#include <rondo/distributed/reduction_steps.hpp>

#include <bit>

namespace rondo {

std::vector<reduction_step> reduction_steps(unsigned rank, unsigned ranks) {
  const unsigned members = std::bit_floor(ranks);
  const unsigned pairs = ranks - members; // ranks 2i and 2i + 1 for i below
  std::vector<reduction_step> steps;
  if(rank < 2 * pairs && rank % 2 == 1) {
    steps.push_back({rank - 1, true, false});
    steps.push_back({rank - 1, false, true});
    return steps;
  }

  // Members in the order of their ranks, and so of their colors.
  const auto rank_of = [&](
                         unsigned member) { return member < pairs ? 2 * member : member + pairs; };
  const unsigned member = rank < 2 * pairs ? rank / 2 : rank - pairs;
  if(member < pairs)
    steps.push_back({rank + 1, false, true});
  for(unsigned distance = 1; distance < members; distance *= 2)
    steps.push_back({rank_of(member ^ distance), true, true});
  if(member < pairs)
    steps.push_back({rank + 1, true, false});
  return steps;
}

} // namespace rondo
