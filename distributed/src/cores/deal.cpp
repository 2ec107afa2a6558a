#include "deal.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <utility>

namespace rondo::detail::inline distributed {

namespace {

constexpr auto none = std::numeric_limits<std::size_t>::max();

/// Cores that the same ranks may use: which of them a rank has makes no difference.
struct kind {
  std::vector<std::size_t> ranks; ///< Ascending.
  std::vector<unsigned> cores;    ///< In the order of the first one of these ranks.
  std::vector<unsigned> given;    ///< How many, to each of them.
};

std::vector<kind> sort_by_ranks(std::span<const rank_cores> ranks) {
  std::map<unsigned, std::vector<std::size_t>> ranks_of; // by core
  for(std::size_t r = 0; r != ranks.size(); ++r)
    for(const unsigned core : ranks[r].cores)
      ranks_of[core].push_back(r);
  std::vector<kind> kinds;
  std::map<std::vector<std::size_t>, std::size_t> number;
  for(std::size_t r = 0; r != ranks.size(); ++r)
    for(const unsigned core : ranks[r].cores) {
      const auto& who = ranks_of[core];
      if(who.front() != r)
        continue;
      const auto [at, is_new] = number.try_emplace(who, kinds.size());
      if(is_new)
        kinds.push_back({who, {}, std::vector<unsigned>(who.size())});
      kinds[at->second].cores.push_back(core);
    }
  return kinds;
}

/// How many cores each rank has a use for: as many as it wants, and its part of the quota. Ranks that share one
/// get one CPU in turn; each gets one, if need be beyond the quota.
std::vector<unsigned> most_of(std::span<const rank_cores> ranks) {
  std::vector<unsigned> most;
  std::map<std::uint64_t, std::vector<std::size_t>> groups;
  for(std::size_t r = 0; r != ranks.size(); ++r) {
    auto n = static_cast<unsigned>(ranks[r].cores.size());
    for(const unsigned limit : {ranks[r].workers, ranks[r].most})
      if(limit != 0)
        n = std::min(n, limit);
    most.push_back(n);
    if(ranks[r].limited_by != 0)
      groups[ranks[r].limited_by].push_back(r);
  }
  for(const auto& [group, members] : groups) {
    std::vector<unsigned> parts(members.size());
    unsigned left = ranks[members.front()].limit;
    for(bool is_given = true; left != 0 && is_given;) {
      is_given = false;
      for(std::size_t i = 0; i != members.size() && left != 0; ++i)
        if(parts[i] != most[members[i]]) {
          ++parts[i];
          --left;
          is_given = true;
        }
    }
    for(std::size_t i = 0; i != members.size(); ++i)
      most[members[i]] = std::max(1U, parts[i]);
  }
  return most;
}

/// Gives cores away one by one, each to the rank with the fewest. The rank may be one that may not use this core itself: then
/// a rank that may gives it one of its own, or gets there by several such steps.
class dealer {
public:
  dealer(std::vector<kind>& kinds, std::vector<unsigned> most)
      : kinds_(kinds), most_(std::move(most)), has_(most_.size()), kinds_of_(most_.size()) {
    for(std::size_t k = 0; k != kinds_.size(); ++k)
      for(std::size_t i = 0; i != kinds_[k].ranks.size(); ++i)
        kinds_of_[kinds_[k].ranks[i]].push_back({k, i});
  }

  void deal() {
    for(std::size_t k = 0; k != kinds_.size(); ++k)
      for(std::size_t i = 0; i != kinds_[k].cores.size() && give(k); ++i) {
      }
  }

  /// This rank, those that have what it may use, those that have what these may use instead, and so on, in so many steps.
  [[nodiscard]] std::vector<std::size_t> around(std::size_t rank, std::size_t steps) const {
    std::vector<std::size_t> all{rank};
    std::vector<bool> is_seen(kinds_.size());
    std::vector<bool> is_in(most_.size());
    is_in[rank] = true;
    std::size_t of_next_step = 1; // they begin here
    for(std::size_t i = 0; i != all.size(); ++i) {
      if(i == of_next_step) {
        of_next_step = all.size();
        --steps;
      }
      if(steps == 0)
        break;
      for(const entry& e : kinds_of_[all[i]]) {
        if(is_seen[e.kind])
          continue;
        is_seen[e.kind] = true;
        const kind& of = kinds_[e.kind];
        for(std::size_t place = 0; place != of.ranks.size(); ++place)
          if(of.given[place] != 0 && !is_in[of.ranks[place]]) {
            is_in[of.ranks[place]] = true;
            all.push_back(of.ranks[place]);
          }
      }
    }
    return all;
  }

  [[nodiscard]] unsigned has(std::size_t rank) const { return has_[rank]; }

private:
  /// Where a rank's count of a kind is.
  struct entry {
    std::size_t kind;
    std::size_t place;
  };

  /// Returns false if nobody has a use for one of this kind.
  bool give(std::size_t k) {
    const unsigned fewest = *std::ranges::min_element(has_);
    std::size_t best = none;
    begin_search();
    reach(k, none);
    search([&](std::size_t r) {
      if(has_[r] < most_[r] && (best == none || has_[r] < has_[best]))
        best = r;
      return best != none && has_[best] == fewest;
    });
    if(best == none)
      return false;
    ++has_[best];
    for(std::size_t r = best; r != none;) {
      const std::size_t via = via_[r];
      ++count(via, r);
      const std::size_t giver = giver_[via];
      if(giver != none)
        --count(via, giver);
      r = giver;
    }
    return true;
  }

  unsigned& count(std::size_t k, std::size_t rank) {
    kind& of = kinds_[k];
    const auto at = std::ranges::lower_bound(of.ranks, rank);
    return of.given[static_cast<std::size_t>(at - of.ranks.begin())];
  }

  void begin_search() {
    reached_.clear();
    via_.assign(most_.size(), none);
    giver_.assign(kinds_.size(), none);
    is_reached_.assign(kinds_.size(), false);
  }

  /// A core of this kind could be had from that rank; from nobody if there is one left.
  void reach(std::size_t k, std::size_t giver) {
    if(is_reached_[k])
      return;
    is_reached_[k] = true;
    giver_[k] = giver;
    for(const std::size_t r : kinds_[k].ranks)
      if(r != giver && via_[r] == none) {
        via_[r] = k;
        reached_.push_back(r);
      }
  }

  /// Goes from those reached to those who could get what they would give, the nearest first, until `is_enough(rank)`.
  template<class F>
  void search(F&& is_enough) {
    for(std::size_t i = 0; i != reached_.size(); ++i) {
      const std::size_t r = reached_[i];
      if(is_enough(r))
        return;
      for(const auto& [k, place] : kinds_of_[r])
        if(kinds_[k].given[place] != 0)
          reach(k, r);
    }
  }

  std::vector<kind>& kinds_;
  const std::vector<unsigned> most_; ///< Of each rank.
  std::vector<unsigned> has_;        ///< The same.
  std::vector<std::vector<entry>> kinds_of_;

  // Of a search:
  std::vector<std::size_t> reached_; ///< Ranks, the nearest first.
  std::vector<std::size_t> via_;     ///< Of each rank: the kind by which it was reached.
  std::vector<std::size_t> giver_;   ///< Of each kind: the rank that would give one.
  std::vector<bool> is_reached_;     ///< Kinds.
};

} // namespace

std::vector<dealt_cores> deal_cores(std::span<const rank_cores> ranks) {
  std::vector<kind> kinds = sort_by_ranks(ranks);
  dealer d(kinds, most_of(ranks));
  if(!ranks.empty())
    d.deal();

  std::vector<dealt_cores> dealt(ranks.size());
  std::map<unsigned, unsigned> users; // of a core
  for(const kind& k : kinds) {
    auto next = k.cores.begin();
    for(std::size_t i = 0; i != k.ranks.size(); ++i)
      for(unsigned n = 0; n != k.given[i]; ++n) {
        ++users[*next];
        dealt[k.ranks[i]].cores.push_back(*next++);
      }
  }

  // Ranks that are left with nothing go where the fewest are.
  for(std::size_t r = 0; r != ranks.size(); ++r)
    if(d.has(r) == 0) {
      const auto& may = ranks[r].cores;
      const unsigned core =
        *std::ranges::min_element(may, {}, [&](unsigned c) { return users[c]; });
      ++users[core];
      dealt[r].cores.push_back(core);
    }

  // The ranks that they may meet there have one core each, and would go elsewhere if others did. More workers than
  // cores are only where their rank may be.
  for(std::size_t r = 0; r != ranks.size(); ++r) {
    const std::size_t steps = d.has(r) == 0 ? ranks.size() : (ranks[r].workers > d.has(r) ? 1 : 0);
    if(steps != 0)
      for(const std::size_t other : d.around(r, steps))
        dealt[other].are_shared = true;
  }

  std::map<std::uint64_t, unsigned> used; // of a quota
  for(std::size_t r = 0; r != ranks.size(); ++r)
    used[ranks[r].limited_by] += static_cast<unsigned>(dealt[r].cores.size());
  for(std::size_t r = 0; r != ranks.size(); ++r)
    if(ranks[r].limited_by != 0 && used[ranks[r].limited_by] > ranks[r].limit)
      dealt[r].are_shared = true;
  return dealt;
}

bool leave_for_others(std::span<rank_cores> ranks, unsigned started, unsigned cores) {
  if(started <= ranks.size())
    return false;
  const unsigned part = std::max(1U, cores / started);
  bool are_too_many = cores < started;
  for(rank_cores& r : ranks) {
    r.most = part;
    if(r.limited_by == 0)
      continue;
    are_too_many = are_too_many || r.limit < started;
    r.limit = static_cast<unsigned>(
      std::max<std::uint64_t>(1, std::uint64_t{r.limit} * ranks.size() / started));
  }
  return are_too_many;
}

} // namespace rondo::detail::inline distributed
