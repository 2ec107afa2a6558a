#pragma once

/// \file
/// The messages by which all ranks get what rank 0 has, in about log2(ranks) steps.
///
/// A rank hears from the one whose number is its own without the last bit that is set, and tells
/// those that hear from it, first the one with most others behind it:
///
/// ```
///   0 -> 4, 2, 1      2 -> 3      4 -> 6, 5      6 -> 7
/// ```

#include <vector>

#include <rondo/distributed/reduction_steps.hpp>

namespace rondo {

[[nodiscard]] std::vector<reduction_step> broadcast_steps(unsigned rank, unsigned ranks);

} // namespace rondo
