#pragma once

/// \file
/// A crew of a flow. It claims launches that all crews share, a row of them, or some of a lane.
/// docs/protocols/flow.md, "Crews" and "Lanes"

#include <cstdint>

#include <rondo/tracing/lane_queue.hpp>

#include "crew.hpp"
#include "moment.hpp"

namespace rondo::detail::inline tracing {

/// Of the shared launches: those of the crew's batch from one to another.
struct shared_claim {
  std::uint32_t next = 0;
  std::uint32_t end = 0;

  [[nodiscard]] bool is_empty() const { return next == end; }
};

/// Of a lane: from one launch on, a bit for each that is still to be run.
struct lane_claim {
  lane_queue* of = nullptr; ///< Null if the last launches were shared ones: flow_crew::is_in_lane.
  std::uint64_t first = 0;
  std::uint64_t pending = 0;
  bool is_own = false; ///< Of the lane that has the crew's number.

  [[nodiscard]] bool is_empty() const { return pending == 0; }
  [[nodiscard]] launch& oldest() const;
};

struct flow_crew final : crew {
  void begin(flow& f, unsigned which, bool is_alone);
  static void run_job(job* j, worker& w);

  [[nodiscard]] bool works_on(const closed_batch&) const override { return false; }
  void wait_a_moment(const later_state& what) override;
  [[nodiscard]] bool keeps_long() const override { return false; }

  /// What it has claimed last is of a lane: so are those of its launches that are left.
  [[nodiscard]] bool is_in_lane() const { return in_lane.of != nullptr; }

  shared_claim shared;
  lane_claim in_lane;

private:
  [[nodiscard]] bool is_next_ready() const override;
  bool leave_claimed() override;
  [[nodiscard]] bool takes_long(const launch&) const override { return false; }
  void leave_long(launch* first) override { give_out_all(first); }
  void go_away() override;
  void come_back() override;
  void rests() override;
  void note_length(std::uint64_t each) override;

  // For run_crew.
  void begin_to_run();
  [[nodiscard]] bool has_claimed() const { return false; } // all of it has been run, or left
  launch* next_launch();
  [[nodiscard]] bool can_run_simply(launch& l) const;
  template<class Look>
  bool run_row(const launch*& at, const Look& look_after);
  template<class IsLong>
  outcome run_others(const IsLong& is_long);
  [[nodiscard]] bool has_what_is_awaited() const;
  [[nodiscard]] bool expects_more() const;
  bool claim();
  bool retire();

  // Shared launches.
  [[nodiscard]] bool is_row_next() const;
  bool claim_shared(crew_room& room);
  launch* take_claimed();
  bool leaves_short_ones(crew_room& room);

  // Of shared launches, where it is alone: alone.cpp.
  launch* before_next();
  template<class HasCome>
  bool comes_in_a_moment(const HasCome& has_come);
  [[nodiscard]] bool has_others_ready() const;

  // Lanes: in_lane.cpp.
  launch* next_in_its_lane();
  bool comes_soon();
  [[nodiscard]] bool is_any_ready() const;
  [[nodiscard]] bool are_others_running() const;
  bool stalls();
  bool stalls_until(progress& what, std::uint64_t turn);
  static void go_on(turn_wait& w, crew* here);
  void say_running(crew_room& room, bool is_running);
  bool claim_in_lane(lane_queue& which, std::uint32_t at_most);
  bool claim_own(const lane_queues& lanes);
  bool help_others(const lane_queues& lanes);
  [[nodiscard]] lane_queue* own_lane() const;

  struct stall : turn_wait {
    flow_crew* of;
  };
  stall stall_; ///< It goes on when something has ended that the next launch of its lane waits for.
  std::uint64_t patience_ = 0; ///< In its lane: so many ticks may what it waits for take to end.
  bool is_ready_ = false;      ///< Nothing is missing that the launch waits for which is next.
  bool is_said_running_ = false;
  /// Launches of other lanes that could not start, one after the other, since it has claimed something of its own.
  unsigned helped_in_vain_ = 0;
  moment moment_; ///< Alone: for messages.

  template<class Crew>
  friend void run_crew(Crew& self);
};

} // namespace rondo::detail::inline tracing
