#pragma once

/// \file
/// The cores that each of several ranks on a node uses: docs/protocols/cores.md.

#include <cstdint>
#include <span>
#include <vector>

namespace rondo::detail::inline distributed {

/// What a rank may use.
struct rank_cores {
  /// Each one once, by a number that is the same for all ranks; at least one. In an order in which those that are near to
  /// each other are next to each other.
  std::vector<unsigned> cores;
  /// So many workers it will have, and no use for more cores; 0: one for each core it gets.
  unsigned workers = 0;
  /// More cores it does not get; 0: there is no such limit.
  unsigned most = 0;
  /// Ranks with the same number here share a quota of `limit` CPUs. 0: there is none.
  std::uint64_t limited_by = 0;
  unsigned limit = 0;
};

/// What a rank gets.
struct dealt_cores {
  std::vector<unsigned> cores; ///< At least one, of those that it may use.
  /// Some of them have several workers, of this rank or of others, or all ranks together have more than the quota.
  bool are_shared = false;
};

/// Deals the cores of a node. A core that only one rank may use is that one's; the others are dealt so that the rank with
/// the fewest gets as many as possible, then the one with the second fewest, and so on. Each core has one rank, unless
/// there are ranks for which none is left: these get one that others have. The answer depends on nothing but `ranks`,
/// so that all ranks come to the same one.
std::vector<dealt_cores> deal_cores(std::span<const rank_cores> ranks);

/// `started` ranks are on this node, which has that many cores, and `ranks` are some of them. The others can't be
/// asked, so they are taken to share the cores, and quotas, evenly with these. Returns true if there are fewer cores than ranks.
bool leave_for_others(std::span<rank_cores> ranks, unsigned started, unsigned cores);

} // namespace rondo::detail::inline distributed
