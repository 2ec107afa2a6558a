// Crews of closed loops: what they claim, and when they end. docs/protocols/trace.md

#include "loop_crew.hpp"

#include <algorithm>
#include <utility>

#include <rondo/core/ticks.hpp>
#include <rondo/tracing/flow.hpp>

#include "../running.hpp"
#include "patience.hpp"
#include "run_crew.hpp"
#include "window.hpp"

namespace rondo::detail::inline tracing {

namespace {

/// In a lane nobody waits for the work itself, others only help with launches that take longer than this.
constexpr std::uint64_t worth_claiming_in_lane = 100'000;
constexpr std::uint64_t worth_helping = 10'000;
/// A look at the clock after each launch that takes about so long costs nothing.
constexpr std::uint64_t worth_a_look = 4'000;
/// Launches that take about so long each are shared.
constexpr std::uint64_t worth_sharing = 600;
/// Of these in a row, before a crew looks whether something else is to be done.
constexpr unsigned most_waits = 16;

/// Where looking for messages takes as long as n looks at launches, it takes an eighth of the time if that is
/// done once in as much time as 8 n looks take.
constexpr std::uint64_t ticks_of_a_counted_look = 8 * ticks_of_a_look;
constexpr std::uint64_t most_counted = 1'000;

} // namespace

void loop_crew::begin(closed_loop& of, closed_lane* own, unsigned which) {
  run = &run_job;
  home = &of.home;
  loop = &of;
  lane = own;
  seat = which;
  alone = of.home.is_alone();
}

void loop_crew::run_job(job* j, worker&) { run_crew(*static_cast<loop_crew*>(j)); }

bool loop_crew::works_on(const closed_batch& b) const { return loop == &b.loop && seat == b.lane; }

bool loop_crew::has_older() const {
  return crew::has_older() || handed_ != nullptr || (has_lane() && lane->has_handed());
}

launch* loop_crew::take_handed() {
  if(handed_ == nullptr && has_lane())
    handed_ = lane->take_handed();
  launch* const l = handed_;
  if(l != nullptr)
    handed_ = static_cast<launch*>(l->next);
  return l;
}

launch* loop_crew::next_launch() {
  if(launch* const l = next_older(); l != nullptr || gives_way_)
    return l;
  return take_handed();
}

bool loop_crew::leave_claimed() { return window(*this).leave_all(); }

/// Of this loop: another one may be gone.
bool loop_crew::takes_long(const launch& l) const {
  return !alone && l.home->is_closed && &static_cast<const closed_batch&>(*l.home).loop == loop &&
         loop->takes_long(l);
}

/// In a lane they stay, where a crew finds them that has nothing to do: what they work on is best kept by one worker.
void loop_crew::leave_long(launch* first) {
  bool any = false;
  while(first != nullptr) {
    launch& l = *std::exchange(first, static_cast<launch*>(first->next));
    if(!has_lane() || !l.home->is_closed || !works_on(static_cast<closed_batch&>(*l.home))) {
      leave_to_all(l);
      continue;
    }
    lane->hand_over(l);
    any = true;
  }
  if(any)
    loop->call_helper(seat);
}

void loop_crew::go_away() {
  is_away_ = true;
  if(!has_lane())
    return;
  // A launch that has asked would wait for the end of what is about to run.
  lane->events->answer(this);
  lane->go_away();
  loop->call_helper(seat);
}

void loop_crew::come_back() {
  is_away_ = false;
  if(has_lane())
    lane->come_back();
}

void loop_crew::note_length(std::uint64_t each) { loop->short_ones.note(each); }

template<class IsLong>
loop_crew::outcome loop_crew::run_others(const IsLong& is_long) {
  return claimed.is_empty() ? outcome::nothing_more : run_claimed(is_long());
}

/// Runs what may run; then it waits a little for the rest, unless others are to have their turn.
loop_crew::outcome loop_crew::run_claimed(bool is_long) {
  window all(*this);
  for(unsigned waits = 0; waits != most_waits; ++waits) {
    if(!all.run())
      return outcome::gone;
    if(has_older())
      return outcome::again;
    if(claimed.is_empty() || is_long)
      return outcome::nothing_more;
    if(!(all.may_lead_further() && claim()) && !all.wait()) {
      if(has_older())
        return outcome::again;
      bool any = false;
      if(!all.park(any))
        return outcome::gone;
      return any ? outcome::again : outcome::nothing_more;
    }
  }
  return outcome::again;
}

/// Launches of a loop wait for each other, pass after pass: without lanes, a crew that claims many of them leaves
/// nothing that others can do.
std::uint32_t loop_crew::plan() {
  looks_of_launch_ = static_cast<unsigned>(std::min(each_ / ticks_of_a_counted_look, most_counted));
  // Long launches and short ones may be claimed in turns, so the last claim alone says little.
  longest_each_ = std::max(each_, longest_each_ - longest_each_ / 8);
  long_launches& long_ones = running::room(*home).long_ones;
  looks_by_clock_ = longest_each_ >= worth_a_look || !long_ones.is_empty();
  if(alone)
    return batch::most;
  const std::uint32_t most = loop->lane_of(seat).at_a_time.most();
  shares_ = has_lane() || (loop->fair_share < batch::most && each_ > worth_sharing);
  patience_ = std::clamp(
    patience_in_launches * each_, has_lane() ? least_patience_in_lane : 0, most_patience);
  return shares_ && !has_lane() ? std::min(most, loop->fair_share) : most;
}

bool loop_crew::claim() {
  note_last_claim();
  running::room(*home).long_ones.forget_old(now_);
  leaves_ = false;
  const std::uint32_t most = plan();
  awaited_ = nullptr;
  if(has_lane())
    lane->events->answer(this);
  if(has_older())
    return true;
  if(leaves_short_ones())
    return false;
  const std::uint32_t count = loop->claim(*this, most, each_ > worth_helping);
  if(count == 0)
    return has_lane() && loop->help_with_handed(seat);
  loop->short_ones.has_claimed(seat);
  begin_claimed(count, alone ? nullptr : &loop->lane_of(seat).at_a_time,
    has_lane() ? worth_claiming_in_lane : worth_claiming);
  return true;
}

/// The slots of the loop are full, or all is claimed. Returns true if there is more to do, and the crew does not end.
bool loop_crew::retire() {
  closed_loop& of = *loop;
  if(has_lane())
    lane->events->answer(this);
  const closed_lane& of_crew = of.lane_of(seat);
  executor& ex = running::home(*home);
  const unsigned own = seat;
  // Launches that wait for others keep it from claiming more; those call it.
  const bool is_stalled = !claimed.is_empty();
  for(;;) {
    // seq_cst: see closed_loop::count. From here on it may have been called again.
    of.at_work.leave(own);
    if(is_stalled || !(of_crew.is_anything_left() || of_crew.has_handed()) || !of.at_work.take(own))
      break;
    if(claim() || leaves_)
      return true;
  }
  of.inside.leave(ex);
  return false;
}

} // namespace rondo::detail::inline tracing
