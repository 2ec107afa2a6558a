#pragma once

/// \file
/// How the clocks of ranks stand to each other.
///
/// Ranks of one node have the same clock. Others ask: a rank sends a message to one that knows already, which answers with its time; that
/// was read somewhere between the rank's own two looks at its clock, so the middle of the two is wrong by half of what lies between
/// them at the most. Of several tries the quickest one counts. Rank 0 knows to begin with; then one is asked by rank 1, two by ranks 2 and 3,
/// and so on: log2(ranks) steps, over which the errors add up.

#include <rondo/distributed/transport.hpp>
#include <rondo/observe/timeline/clock_offset.hpp>

namespace rondo::detail::inline distributed {

/// All ranks call it, with nothing under way. `trusts_node`: clocks of one node are not asked.
clock_offset compare_clocks(transport& t, bool trusts_node = true);

} // namespace rondo::detail::inline distributed
