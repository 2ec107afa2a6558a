#pragma once

/// \file
/// A crew of a flow. It claims launches that all crews share, a row of them, or some of a lane.
/// docs/protocols/flow.md, "Crews" and "Lanes"

#include <cstdint>

#include "crew.hpp"
#include "lane_work.hpp"
#include "moment.hpp"

namespace rondo::detail::inline tracing {

/// Of the shared launches: those of the crew's batch from one to another.
struct shared_claim {
  std::uint32_t next = 0;
  std::uint32_t end = 0;

  [[nodiscard]] bool is_empty() const { return next == end; }
};

struct flow_crew final : crew {
  void begin(flow& f, unsigned which, bool is_alone);
  static void run_job(job* j, worker& w);

  [[nodiscard]] bool works_on(const closed_batch&) const override { return false; }
  void wait_a_moment(const later_state& what) override;
  [[nodiscard]] bool keeps_long() const override { return false; }

  shared_claim shared;

private:
  friend class lane_work;

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
  [[nodiscard]] bool is_row_of_lane_next() const;
  bool claim_shared(crew_room& room);
  launch* take_claimed();
  bool leaves_short_ones(crew_room& room);

  // Of shared launches, where it is alone: alone.cpp.
  launch* before_next();
  template<class HasCome>
  bool comes_in_a_moment(const HasCome& has_come);
  [[nodiscard]] bool has_others_ready() const;

  lane_work lane_{*this}; ///< If something is claimed there, `shared` is empty.
  moment moment_;         ///< Alone: for messages.

  template<class Crew>
  friend void run_crew(Crew& self);
};

} // namespace rondo::detail::inline tracing
