#pragma once

/// \file
/// What a crew of a flow does in the lanes: it runs what its own lane has, in any order that is possible, waits for what other crews
/// run, and helps where one is busy for long. docs/protocols/flow.md, "Lanes"

#include <bit>
#include <cstdint>

#include <rondo/tracing/lane_queue.hpp>
#include <rondo/tracing/progress.hpp>
#include <rondo/tracing/template.hpp>

#include "../stages.hpp"

namespace rondo::detail::inline tracing {

struct crew;
struct batch;
struct crew_room;
struct flow_crew;

/// Of a lane: from one launch on, a bit for each that is still to be run.
struct lane_claim {
  lane_queue* of = nullptr; ///< Null if the crew's last launches were shared ones.
  std::uint64_t first = 0;
  std::uint64_t pending = 0;
  bool is_own = false; ///< Of the lane that has the crew's number.

  [[nodiscard]] bool is_empty() const { return pending == 0; }
  [[nodiscard]] launch& oldest() const {
    return (*of)[first + static_cast<unsigned>(std::countr_zero(pending))];
  }
};

class lane_work {
public:
  explicit lane_work(flow_crew& of) : crew_(of) {}
  lane_work(const lane_work&) = delete;
  lane_work& operator=(const lane_work&) = delete;

  /// What the crew has claimed last is of a lane: so are those of its launches that are left.
  [[nodiscard]] bool is_claimed() const { return claimed_.of != nullptr; }
  /// Nothing is left of that.
  [[nodiscard]] bool is_empty() const { return claimed_.is_empty(); }

  // ---- claiming ---------------------------------------------------------------------------------

  void forget() { claimed_ = {}; }
  /// Of the lane with the crew's number.
  bool claim_own(const lane_queues& lanes);
  /// One of another lane, whose crew is busy with something long, or is kept from working.
  bool help_others(const lane_queues& lanes);

  // ---- running ----------------------------------------------------------------------------------

  /// The oldest that may start, or null. If the crew is helping, it takes the launch in any case.
  launch* next();
  /// What it has claimed is of the lane with the crew's number.
  [[nodiscard]] bool is_own() const { return claimed_.is_own; }
  /// The oldest, if it is simple and may start, else null. It is to be taken before it is run.
  [[nodiscard]] launch* next_simple() const {
    if(claimed_.is_empty())
      return nullptr;
    launch& l = claimed_.oldest();
    return l.node != nullptr && is_simple_now(l) && l.node->may_start(l.round) ? &l : nullptr;
  }
  void take(const launch& oldest) {
    claimed_.pending &= claimed_.pending - 1;
    count_for(oldest.home);
    prefetch_oldest();
  }
  /// Nothing is missing that the launch waits for which `next` has given last.
  [[nodiscard]] bool is_ready() const { return is_ready_; }
  void forget_ready() { is_ready_ = false; }
  /// Nothing of it may start. What it waits for is mostly being run by the crew of another lane, and about to end. Returns true if
  /// it has.
  bool comes_soon();
  /// The crew goes on when that has ended which its oldest launch waits for. Returns true if it is told then, and is not looked at any
  /// more.
  bool stalls();
  /// The short ones run, or wait on their own; long ones stay in the lane: they keep nobody waiting, and others help if it comes to that.
  /// Returns false if the crew has gone on elsewhere.
  bool leave();

  // ---- what other crews see ---------------------------------------------------------------------

  /// The crew is run by some worker just now; or no longer is.
  void say_running(bool is_running);
  /// It runs something long, on behalf of whomever.
  void go_away();
  void come_back();

private:
  struct stall : turn_wait {
    flow_crew* of;
  };

  bool claim(lane_queue& which, std::uint32_t at_most);
  [[nodiscard]] launch& launch_at(unsigned i) const;
  void count_for(batch* home);
  /// It was mostly written by another core, and takes as long to come from there as a short launch to run.
  void prefetch_oldest() const {
    if(claimed_.is_empty())
      return;
    const auto* const next = reinterpret_cast<const char*>(&claimed_.oldest());
    __builtin_prefetch(next);
    __builtin_prefetch(next + cache_line);
  }
  [[nodiscard]] bool is_any_ready() const;
  [[nodiscard]] bool are_others_running() const;
  bool stalls_until(progress& what, std::uint64_t turn);
  static void go_on(turn_wait& w, crew* here);
  [[nodiscard]] lane_queue* own() const;

  flow_crew& crew_;
  lane_claim claimed_;
  stall stall_;
  std::uint64_t patience_ = 0; ///< So many ticks may what it waits for take to end.
  bool is_ready_ = false;
  bool is_said_running_ = false;
  /// Launches of other lanes that could not start, one after the other, since it has claimed something of its own.
  unsigned helped_in_vain_ = 0;
};

} // namespace rondo::detail::inline tracing
