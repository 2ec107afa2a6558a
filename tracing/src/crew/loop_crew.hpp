#pragma once

/// \file
/// A crew of a closed loop. It claims pieces of passes, and runs whatever of these may run: window.hpp.
/// docs/protocols/trace.md

#include <cstdint>

#include <rondo/tracing/closed.hpp>

#include "crew.hpp"

namespace rondo::detail::inline tracing {

/// What a crew has claimed of a closed loop, and not run yet, piece by piece.
struct claimed_pieces {
  static constexpr unsigned most = 4;

  struct one {
    closed_batch* of;
    std::uint64_t round;   ///< The first pass that shares the slot.
    std::uint64_t pending; ///< A bit for each launch not run yet.
    std::uint64_t end;     ///< In its lane: the place of what comes behind.
    std::uint32_t ended;   ///< So many it has run.
    /// All has ended that its lane has before the first one that is pending. If a launch leaves its stack,
    /// that is so no more once the crew goes on.
    bool is_in_order;
  };

  [[nodiscard]] bool is_empty() const { return count == 0; }
  void add(const one& p) { pieces[count++] = p; }
  void remove(unsigned i) {
    for(--count; i != count; ++i)
      pieces[i] = pieces[i + 1];
  }
  void lose_order() {
    for(unsigned i = 0; i != count; ++i)
      pieces[i].is_in_order = false;
  }

  one pieces[most];
  unsigned count = 0;
};

struct loop_crew final : crew {
  void begin(closed_loop& of, closed_lane* own, unsigned which);
  static void run_job(job* j, worker& w);

  [[nodiscard]] bool works_on(const closed_batch& b) const override;
  void wait_a_moment(const later_state&) override {} // it has, before: window::wait
  [[nodiscard]] bool keeps_long() const override { return has_lane(); }

  /// The loop is dealt out to several, and one of them is this crew's.
  [[nodiscard]] bool has_lane() const { return lane != nullptr; }

  closed_loop* loop = nullptr; ///< It runs the launches of this one.
  closed_lane* lane = nullptr; ///< Its own, if there are several.
  claimed_pieces claimed;

private:
  friend class step_runner;
  friend class window;

  [[nodiscard]] bool is_next_ready() const override { return false; }
  [[nodiscard]] bool has_older() const override;
  launch* take_handed() override;
  bool leave_claimed() override;
  [[nodiscard]] bool takes_long(const launch& l) const override;
  void leave_long(launch* first) override;
  void go_away() override;
  void come_back() override;
  void note_length(std::uint64_t each) override;

  // For run_crew.
  void begin_to_run() { claimed.lose_order(); }
  [[nodiscard]] bool has_claimed() const { return !claimed.is_empty(); }
  launch* next_launch();
  [[nodiscard]] static bool can_run_simply(const launch&) { return false; } // it has waited
  template<class Look>
  static bool run_row(const launch*&, const Look&) {
    return true;
  }
  template<class IsLong>
  outcome run_others(const IsLong& is_long);
  [[nodiscard]] static bool has_what_is_awaited() { return false; }
  [[nodiscard]] bool expects_more() const { return !alone; }
  bool claim();
  bool retire();

  outcome run_claimed(bool is_long);
  std::uint32_t plan();
  bool leaves_short_ones();

  launch* handed_ = nullptr; ///< May go on, in its lane: linked.
  const closed_step* awaited_ =
    nullptr;                ///< The first of what it has claimed that waits for something outside.
  unsigned since_poll_ = 0; ///< Looks at launches.
  unsigned between_polls_ = 4;   ///< So many, if somebody waits for messages.
  unsigned looks_of_launch_ = 0; ///< A launch that is run counts as so many.
  bool shares_ = false; ///< It leaves launches of its loop to others, which run at the same time.
  std::uint64_t patience_ = 0; ///< Then: so many ticks may what it waits for take to end.
  /// So many ticks did launches of the last claims take, of which the longest counts most.
  std::uint64_t longest_each_ = 0;
  bool looks_by_clock_ = false; ///< Launches of the loop take a while, or some do.

  template<class Crew>
  friend void run_crew(Crew& self);
};

} // namespace rondo::detail::inline tracing
