#pragma once

/// \file
/// Numbered colors, and which rank has which of them: what all that is cut in the same way has in common.
///
/// \code
///   const partition cut({16, 4}, 1);                       // 16 colors on 4 ranks, as rank 1 sees it
///   cut.mine();                                            // colors 4 to 7
///   cut.rank_of(9);                                        // 2
///   partial<double> sum = cut.nothing_yet<double>();       // of the reduction over all colors
///   for(const reduction_step& s : cut.steps()) ...
/// \endcode
///
/// There may be several index spaces to one partition: the points of a mesh, and one value for each of
/// its colors. A launch may use all of them, since a color of each is on the same rank. The tree of a reduction
/// depends on the number of colors only: reduction_tree.hpp.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <rondo/distributed/color_costs.hpp>
#include <rondo/distributed/color_moves.hpp>
#include <rondo/distributed/distribution.hpp>
#include <rondo/distributed/reduction_steps.hpp>
#include <rondo/distributed/reduction_tree.hpp>

namespace rondo::detail::inline distributed {

class partition {
public:
  /// Partitions with the same number are the same: the scheduler counts them.
  partition(const distribution& who, unsigned rank, std::uint64_t number = 0)
      : who_(who), mine_(who.of(rank)), ranks_(who.ranks()), rank_(rank), number_(number),
        costs_(std::make_shared<color_costs>()) {}
  /// One color that each rank has for itself.
  static partition replicated(unsigned ranks, unsigned rank) {
    partition p({1, 1}, 0, 0);
    p.ranks_ = ranks;
    p.rank_ = rank;
    p.is_replicated_ = true;
    return p;
  }

  /// The same colors, on other ranks.
  [[nodiscard]] partition dealt_as(const distribution& who) const {
    partition other = *this;
    other.who_ = who;
    other.mine_ = who.of(rank_);
    return other;
  }

  [[nodiscard]] std::uint64_t colors() const { return who_.colors(); }
  [[nodiscard]] unsigned ranks() const { return ranks_; }
  [[nodiscard]] unsigned rank() const { return rank_; }
  /// The colors of this rank.
  [[nodiscard]] const color_set& mine() const { return mine_; }
  [[nodiscard]] std::size_t local_colors() const { return mine_.size(); }
  [[nodiscard]] unsigned rank_of(color_id color) const { return who_.rank_of(color); }
  [[nodiscard]] const distribution& who() const { return who_; }
  [[nodiscard]] bool is_replicated() const { return is_replicated_; }
  /// The costs of the colors of this rank: of all topologies that are cut so.
  [[nodiscard]] color_costs& costs() const { return *costs_; }
  /// Each color is where that one's is.
  [[nodiscard]] bool is_same_as(const partition& other) const { return number_ == other.number_; }

  /// What this rank has of a reduction before its first color.
  template<class T>
  [[nodiscard]] partial<T> nothing_yet() const {
    return partial<T>(colors(), who_.share_of_rank(rank_).first);
  }
  /// How values of colors get to the ranks that see to them; on some rank it may be any ...
  [[nodiscard]] bool may_move() const { return who_.leaves_shares() && ranks_ != 1; }
  [[nodiscard]] color_moves moves() const { return moves_of(who_, rank_); }
  /// ... and how partial results travel then.
  [[nodiscard]] std::vector<reduction_step> steps() const { return reduction_steps(rank_, ranks_); }

private:
  distribution who_;
  color_set mine_;
  unsigned ranks_;
  unsigned rank_;
  bool is_replicated_ = false;
  std::uint64_t number_;
  std::shared_ptr<color_costs> costs_;
};

} // namespace rondo::detail::inline distributed
