#pragma once

/// \file
/// The messages by which all ranks get the result of a reduction, in about log2(ranks) steps.
///
/// In each step the ranks of a group have the same partial of a range of colors, and meet a group
/// that has the partial of the range beside it; afterwards all ranks of both have the one of both. If the number of
/// ranks is no power of two, some of the first ranks have their neighbour join for them, and are
/// told the result at the end:
///
/// ```
///   ranks   0   1   2   3   4   5
///           0 <-1   2 <-3   4   5      1 and 3 hand over
///           0 <---> 2       4 <> 5
///           0 <-----------> 4
///                   2 <--------> 5
///           0 ->1   2 ->3   4   5      1 and 3 are told
/// ```

#include <vector>

namespace rondo {

/// The rank sends the partial that it had before the step. The one that comes is joined with it, see
/// partial::join.
struct reduction_step {
  unsigned peer;
  bool send;
  bool receive;

  friend constexpr bool operator==(const reduction_step&, const reduction_step&) = default;
};

[[nodiscard]] std::vector<reduction_step> reduction_steps(unsigned rank, unsigned ranks);

} // namespace rondo
