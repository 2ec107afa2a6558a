#pragma once

/// \file
/// A crew: a worker that runs launches, for as long as it does. What crews of flows and those of closed loops have in
/// common; what they claim is in flow_crew.hpp and loop_crew.hpp. docs/protocols/flow.md, "Crews"

#include <atomic>
#include <cstdint>

#include <rondo/core/job.hpp>
#include <rondo/core/worker.hpp>
#include <rondo/tracing/batch.hpp>
#include <rondo/tracing/progress.hpp>

namespace rondo::detail::inline tracing {

struct closed_batch;
class later_state;

/// Runs launches: claims some of those not claimed yet, runs them in their order, and so on. If one
/// of them leaves its stack, the crew goes on on another one.
struct crew : job {
  crew() = default;
  virtual ~crew() = default;
  crew(const crew&) = delete;
  crew& operator=(const crew&) = delete;

  flow* home = nullptr;
  unsigned seat = 0;  ///< Which of the crews it is.
  bool alone = false; ///< The executor has no other worker.

  batch* from = nullptr;    ///< The batch of its last claim of a flow.
  std::uint32_t ended = 0;  ///< Launches of that which it has run and not told of.
  launch* woken = nullptr;  ///< May go on, and is next.
  launch* kept = nullptr;   ///< Was to be next, and comes after what is done first.
  std::uint64_t waited = 0; ///< So many ticks, since it claimed.

  /// The launch that comes next does not begin when the last one has ended.
  void has_waited(std::uint64_t took) {
    waited += took;
    worker_here().note_detour();
  }

  void add_woken(launch& l);
  /// For any worker, behind all else: short launches go first.
  static void give_out(launch& l);
  /// The same, and the crew gives way before it claims younger ones.
  void leave_to_all(launch& l) {
    give_out(l);
    gives_way_ = true;
  }
  static void give_out_all(launch* first); ///< They are linked.

  /// It runs the launches of the batch, in the lane of that.
  [[nodiscard]] virtual bool works_on(const closed_batch& b) const = 0;
  /// For what a launch of it waits for outside, if that may be about to come and there is nothing else to do. Where the crew
  /// is alone.
  virtual void wait_a_moment(const later_state& what) = 0;
  /// A launch that takes long stays with it.
  [[nodiscard]] virtual bool keeps_long() const = 0;

protected:
  enum class outcome { gone, again, nothing_more };

  // ---- what depends on what it claims -----------------------------------------------------------

  /// The next of what it has claimed may start, as far as that is known at once.
  [[nodiscard]] virtual bool is_next_ready() const = 0;
  /// Launches that have waited are older than claimed ones; and others may be to have their turn.
  [[nodiscard]] virtual bool has_older() const { return gives_way_ || woken != nullptr; }
  /// Launches that others have handed over to it, one at a time. Null if there are none.
  virtual launch* take_handed() { return nullptr; }
  /// Its claims are left to others, or wait on their own. Returns false if the crew has gone on elsewhere.
  virtual bool leave_claimed() = 0;
  /// It takes long, whether messages are awaited or not: what the crew has besides is not to wait for its end.
  [[nodiscard]] virtual bool takes_long(const launch& l) const = 0;
  /// These take long, may go on, and are linked: not by this crew now, which is about to run something else that takes long.
  virtual void leave_long(launch* first) = 0;
  /// From now on it runs something that takes long: others are to see to what is its own.
  virtual void go_away() = 0;
  virtual void come_back() = 0;
  /// It is no longer run by any worker, for a while.
  virtual void rests() {}
  /// So many ticks did each of those take that it has claimed last.
  virtual void note_length(std::uint64_t each) = 0;

  // ---- between two launches ---------------------------------------------------------------------

  /// The job that comes before all claims. Null if none does, or others are to have their turn.
  launch* next_older();
  launch* next_hinted();
  launch* next_of_stock();
  /// `look()` is true if something has come. `was_watched`: this was called after the launch before, too, so the time
  /// since then is that of this one. Otherwise `ran` is not looked at.
  template<class Look>
  void look_outside(const launch_kind* ran, bool was_watched, Look&& look);
  /// The next launch takes long, and somebody waits for a message: that may be about to come. Returns true if it has, and
  /// the launch is to come later.
  template<class Look>
  bool comes_before_long(Look&& look);
  bool leaves_all_before(launch& kept_back);
  bool comes_after_short(launch& l);
  bool leave_woken();
  bool leave(launch& l);
  [[nodiscard]] bool is_long_and_ready(launch& l) const;
  void give_way();
  void come_later();
  void tell_ended();

  // ---- claiming ---------------------------------------------------------------------------------

  void note_last_claim();
  void begin_claimed(std::uint32_t n, claim_size* at_a_time, std::uint64_t worth);
  [[nodiscard]] bool goes_on(std::uint64_t claimed_by_now, std::uint64_t now);
  [[nodiscard]] std::uint64_t time_to_stay() const;

  std::uint64_t now_ = 0;           ///< When it has last looked what to claim.
  std::uint64_t each_ = 0;          ///< So many ticks did launches take that it claimed before.
  bool looks_in_stock_ = false;     ///< Something has come that may be there.
  bool is_away_ = false;            ///< It has said so.
  bool gives_way_ = false;          ///< Something else is to be done before more of its launches.
  bool leaves_ = false;             ///< The work there is left to another crew.
  std::uint64_t entered_ = 0;       ///< When it was begun, or gone on with.
  std::uint32_t ended_at_look_ = 0; ///< `ended`, at the last look outside.

private:
  std::uint64_t began_ = 0;         ///< What it has claimed last.
  std::uint32_t claimed_ = 0;       ///< So many; 0: that is settled.
  std::uint64_t worth_ = 0;         ///< A claim is to take about so many ticks.
  claim_size* at_a_time_ = nullptr; ///< Where that is claimed.
  std::uint64_t seen_claimed_ = 0;  ///< So many were claimed by all crews at the last look,
  std::uint64_t seen_at_ = 0;       ///< and for the first time at this one.

  template<class Crew>
  friend void run_crew(Crew& self);
};

} // namespace rondo::detail::inline tracing
