#pragma once

/// \file
/// Templates: what a trace knows of a sequence of launches. Made once by an analysis (compile.cpp),
/// read only while it is replayed, but for the counts of `progress`.

#include <cstdint>
#include <memory>
#include <source_location>
#include <string>
#include <vector>

#include <rondo/tracing/launch.hpp>
#include <rondo/tracing/progress.hpp>
#include <rondo/tracing/region.hpp>
#include <rondo/tracing/standing_launches.hpp>
#include <rondo/tracing/token.hpp>
#include <rondo/tracing/tried_shapes.hpp>

namespace rondo {

class flow;

namespace detail::inline tracing {

/// Something must have ended in the same pass, or in the one before.
class edge {
public:
  edge(progress& from, bool in_pass_before)
      : word_(reinterpret_cast<std::uintptr_t>(&from) | std::uintptr_t{in_pass_before}) {}
  [[nodiscard]] bool is_in_pass() const { return (word_ & one) == 0; }
  [[nodiscard]] progress& from() const { return *reinterpret_cast<progress*>(word_ & ~one); }
  /// So many must have ended for a launch of this pass.
  [[nodiscard]] std::uint64_t turn(std::uint64_t round) const { return round + 1 - (word_ & one); }
  [[nodiscard]] bool reached(std::uint64_t round) const { return from().reached(turn(round)); }

private:
  static constexpr std::uintptr_t one = 1;
  std::uintptr_t word_;
};

/// Of several: the first one that a launch of this pass has to wait for, or `last`.
inline const edge* first_missing(const edge* first, const edge* last, std::uint64_t round) {
  // Mostly there are one or two: std::find_if would first see how many fours there are.
  while(first != last && first->reached(round))
    ++first;
  return first;
}

inline bool are_reached(const edge* first, const edge* last, std::uint64_t round) {
  return first_missing(first, last, round) == last;
}

/// A launch of the template, or a join (joins.hpp), which no program has launched. Ends in each pass, in the
/// order of the passes.
struct template_node {
  static constexpr std::uint32_t no_lane = ~std::uint32_t{0};

  const launch_kind* kind = nullptr; ///< Null of a join, and behind the last node.
  region_base* const* regions = nullptr;
  const edge* edges = nullptr;
  std::uint32_t edge_count = 0;
  std::uint32_t own_edge_count = 0;  ///< The first of them: for launches of its own lane.
  std::uint32_t fold_edge_count = 0; ///< Before its reductions are folded.
  launch_event* done = nullptr;      ///< Null if it uses no region, so nothing waits for it.
  launch_event* folded = nullptr;    ///< Null if nothing is reduced.
  const edge* fold_edges = nullptr;
  const std::uint32_t* slots = nullptr; ///< Of its regions.
  std::uint64_t hash = 0;
  std::source_location where{};
  const char* name = "";
  std::uint32_t index = 0;
  std::uint32_t lane = no_lane;
  bool does_nothing = false;
  bool is_left_out = false; ///< For that reason: nothing is launched for it.
  bool ends_pass = false;   ///< No launch of the program comes from here on.

  /// It has edges and an event, and nothing else.
  [[nodiscard]] bool is_join() const { return kind == nullptr && done != nullptr; }
  [[nodiscard]] token as_token() const { return {kind, regions, where, name, does_nothing}; }
  [[nodiscard]] bool may_start(std::uint64_t round) const {
    return are_reached(edges, edges + edge_count, round);
  }
  [[nodiscard]] bool is(const token& t) const {
    return kind == t.kind && does_nothing == t.does_nothing && has_regions(t.regions);
  }

private:
  [[nodiscard]] bool has_regions(region_base* const* others) const {
    for(std::size_t i = 0; i != kind->accesses; ++i)
      if(regions[i] != others[i])
        return false;
    return true;
  }
};

/// A pass as it was launched.
class recording {
public:
  void add(const token& t) {
    launches_.push_back({t.kind, regions_.size(), t.where, t.name, t.does_nothing});
    regions_.insert(regions_.end(), t.regions, t.regions + t.kind->accesses);
  }
  /// What there is, so many times in all.
  void repeat(std::size_t times) {
    const std::size_t launches = launches_.size();
    const std::size_t regions = regions_.size();
    launches_.reserve(times * launches);
    regions_.reserve(times * regions);
    for(std::size_t i = 0; i != (times - 1) * launches; ++i) {
      launches_.push_back(launches_[i]);
      launches_.back().first += regions;
    }
    for(std::size_t i = 0; i != (times - 1) * regions; ++i)
      regions_.push_back(regions_[i]);
  }
  [[nodiscard]] std::size_t size() const { return launches_.size(); }
  [[nodiscard]] token operator[](std::size_t i) const {
    const entry& e = launches_[i];
    return {e.kind, regions_.data() + e.first, e.where, e.name, e.does_nothing};
  }
  [[nodiscard]] bool names(const region_base& r) const {
    for(const region_base* const named : regions_)
      if(named == &r)
        return true;
    return false;
  }
  void clear() {
    launches_.clear();
    regions_.clear();
  }

private:
  struct entry {
    const launch_kind* kind;
    std::size_t first;
    std::source_location where;
    const char* name;
    bool does_nothing;
  };
  std::vector<entry> launches_;
  std::vector<region_base*> regions_;
};

class trace_template {
public:
  /// `is_closed`: the launches of all passes are one object, with one copy for each reduction. Launches
  /// that do nothing and are left out have no node then. `tried`: what was found out about such recordings before.
  static std::unique_ptr<trace_template> compile(
    const recording& r, bool is_closed = false, tried_shapes* tried = nullptr);
  ~trace_template();
  trace_template(const trace_template&) = delete;
  trace_template& operator=(const trace_template&) = delete;

  // ---- what was recorded: read only ----------------------------------------------------------

  /// Nodes: launches and joins.
  [[nodiscard]] std::uint32_t size() const { return size_; }
  [[nodiscard]] std::uint32_t joins() const { return joins_; }
  /// Of the program, those left out among them.
  [[nodiscard]] std::uint32_t launches() const { return size_ - joins_; }
  [[nodiscard]] std::uint32_t launches_between(std::uint32_t first, std::uint32_t end) const;
  /// From there on, or `size()`.
  [[nodiscard]] std::uint32_t next_launch(std::uint32_t i) const {
    while(nodes_[i].is_join())
      ++i;
    return i;
  }
  /// The launches before `at` are those that the other one begins with: there, what comes behind them.
  [[nodiscard]] std::uint32_t place_in(const trace_template& other, std::uint32_t at) const;
  static constexpr std::uint32_t no_place = ~std::uint32_t{0};
  /// The events of its nodes, which have numbers.
  [[nodiscard]] std::uint32_t events() const { return event_count_; }
  [[nodiscard]] std::uint32_t number_of(const progress& event) const {
    return static_cast<std::uint32_t>(static_cast<const launch_event*>(&event) - events_.get());
  }
  /// `size()` is what lies behind the last one.
  [[nodiscard]] const template_node& operator[](std::size_t i) const { return nodes_[i]; }
  [[nodiscard]] std::uint64_t edges_kept() const { return edges_.size(); }
  [[nodiscard]] std::uint64_t edges_removed() const { return removed_; }
  /// Launches that do nothing are left out: what comes after them comes after what they come after.
  [[nodiscard]] bool leaves_out() const { return leaves_out_; }
  [[nodiscard]] bool names(const region_base& r) const;
  /// Says for each launch which of so many workers is to run it, if that can be shared evenly.
  void deal_out(unsigned workers);
  /// Launches look first for what is missing of their own lane: it costs another core a cache line to be
  /// asked for what has not ended yet.
  void look_in_own_lane_first(const std::vector<std::uint32_t>& lane_of);
  [[nodiscard]] bool has_lanes() const { return lanes_ > 1; }
  [[nodiscard]] std::uint32_t lanes() const { return lanes_; }

  // ---- the launching side --------------------------------------------------------------------

  /// A region that is used.
  struct slot {
    region_base* of;
    std::uint64_t turn = 0; ///< Launches of passes not after `careful_until` wait for it.
    std::uint32_t first;    ///< Its accesses, in the order of the launches.
    std::uint32_t count;
    bool is_owned = false;    ///< Nobody else has used it since a launch of ours has.
    bool is_left_out = false; ///< So was one that uses it, which no event stands for,
    std::vector<edge> last{}; ///< but these, at the end of a pass.
  };
  struct access {
    std::uint32_t node;
    access_mode mode;
  };
  /// A launch waits, besides its edges, for the turns of its regions.
  [[nodiscard]] bool is_careful() const { return lost != 0 || round <= careful_until; }
  /// Where launches are left out, all regions come and go when others are launched in between, which takes as long as to launch most of a
  /// pass. So that is not done time and again: better is to launch the rest of the pass without the template.
  [[nodiscard]] bool costs_too_much() const {
    constexpr std::uint64_t hardly_anything = 1000;
    return leaves_out_ && spent > size_ + hardly_anything;
  }
  /// Launches that must have ended before somebody else uses a region that we own.
  struct awaited {
    progress* what;
    std::uint64_t turn;
  };
  void last_uses(std::uint32_t slot, std::vector<awaited>& into) const;
  /// In the middle of a pass in which launches are left out it is not known which of all launches these are.
  [[nodiscard]] bool are_last_uses_known() const {
    return !leaves_out_ || all_done != nullptr || begun == 0 || next == size_;
  }
  /// Then whatever uses that region waits for all of them.
  [[nodiscard]] bool waits_for_all(std::uint32_t which) const {
    return slots[which].is_left_out && !are_last_uses_known();
  }
  /// Of all launches, in this pass or the one before.
  void last_events(std::vector<awaited>& into) const;
  void own(std::uint32_t slot);
  /// When all its launches have ended.
  void release_regions();

  /// The passes are counted from 0 again. All of them have ended, and nobody looks at it.
  void begin_again();

  std::vector<slot> slots;
  std::uint64_t round = 0; ///< The pass being launched, or launched last.
  std::uint64_t begun = 0; ///< Passes begun.
  std::uint32_t next = 0;  ///< What would come next in that pass.
  std::uint32_t lost = 0;  ///< Slots that are not owned.
  std::uint64_t spent =
    0; ///< In this pass, on regions that came or went: about so many launches' time.
  std::uint64_t careful_until = 0; ///< A pass.
  std::uint64_t last_launch = 0;   ///< Launches up to this one may look at the template.
  progress* all_done = nullptr;    ///< Of a closed loop: 1 when all has been run.
  std::unique_ptr<standing_launches> standing; ///< Null until it is used where several workers are.

private:
  friend class compiler;
  trace_template() = default;

  std::uint32_t size_ = 0;
  std::uint32_t joins_ = 0;
  bool leaves_out_ = false;
  std::uint32_t lanes_ = 1;
  std::vector<template_node> nodes_;
  std::vector<region_base*> regions_;
  std::vector<std::uint32_t> node_slots_;
  std::vector<access> accesses_;
  std::vector<edge> edges_;
  std::unique_ptr<launch_event[]> events_;
  std::uint32_t event_count_ = 0;
  std::uint64_t removed_ = 0;
};

} // namespace detail::inline tracing
} // namespace rondo
