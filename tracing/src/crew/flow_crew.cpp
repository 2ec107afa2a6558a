// Crews of flows: what they claim of the launches that all share. docs/protocols/flow.md

#include "flow_crew.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include <rondo/core/asymmetric_fence.hpp>
#include <rondo/core/running_task.hpp>
#include <rondo/core/ticks.hpp>
#include <rondo/tracing/flow.hpp>

#include "../running.hpp"
#include "../stages.hpp"
#include "beside_messages.hpp"
#include "patience.hpp"
#include "run_crew.hpp"

namespace rondo::detail::inline tracing {

void flow_crew::begin(flow& f, unsigned which, bool is_alone) {
  run = &run_job;
  home = &f;
  seat = which;
  alone = is_alone;
}

void flow_crew::run_job(job* j, worker&) { run_crew(*static_cast<flow_crew*>(j)); }

void flow_crew::begin_to_run() {
  if(!lane_.is_empty()) // it has stalled
    lane_.say_running(true);
}

bool flow_crew::is_next_ready() const {
  if(lane_.is_claimed() || shared.is_empty())
    return false;
  launch& next = *from->launches[shared.next];
  return next.kind->is_plain && next.pass == nullptr && may_start_at_once(next);
}

launch* flow_crew::next_launch() {
  lane_.forget_ready();
  if(launch* const l = next_older(); l != nullptr || gives_way_)
    return l;
  if(lane_.is_claimed())
    return lane_.next();
  if(alone)
    if(launch* const l = before_next(); l != nullptr || gives_way_)
      return l;
  return take_claimed();
}

/// The next of the shared launches that it has claimed, or null. Those with hints are the executor's, and are passed over.
launch* flow_crew::take_claimed() {
  while(!shared.is_empty()) {
    running::prefetch_behind(from->launches, shared.next, shared.end);
    launch* const l = from->launches[shared.next++];
    if(l->kind != &passed_over_kind)
      return l;
    running::pass_over(*this, shared.next - 1);
  }
  return nullptr;
}

bool flow_crew::can_run_simply(launch& l) const {
  return (lane_.is_ready() && is_simple_now(l)) || running::can_run_simply(l, *this);
}

/// Nothing is to be done before the next one of those that it has claimed; nor before those behind that, as far as is known.
bool flow_crew::is_row_next() const {
  return woken == nullptr && kept == nullptr && !looks_in_stock_ && !gives_way_ &&
         running::room(*home).long_ones.is_empty();
}

/// A claim in a lane is much larger than a shared one, too large for launches with hints to wait for its end.
bool flow_crew::is_row_of_lane_next() const {
  return lane_.is_own() && !running::room(*home).has_hints.load(std::memory_order_relaxed);
}

template<class Look>
bool flow_crew::run_row(const launch*& at, const Look& look_after) {
  const bool is_of_lane = lane_.is_claimed();
  if((is_of_lane ? !is_row_of_lane_next() : shared.is_empty()) || !is_row_next())
    return true;
  const auto look = [this, &look_after](const launch& ran) {
    look_after(ran.kind->identity());
    return is_row_next();
  };
  if(is_of_lane)
    return running::run_row_of_lane(*this, lane_, at, look);
  return alone ? running::run_row<true>(*this, at, look) : running::run_row<false>(*this, at, look);
}

/// Of a lane that can't run yet: it may be about to, or else the crew stalls. But first comes what has been let go on besides, since
/// that may be what it waits for: launches that have got their futures lie in the worker's stock.
template<class IsLong>
flow_crew::outcome flow_crew::run_others(const IsLong&) {
  if(lane_.is_empty())
    return outcome::nothing_more;
  if(launch* const l = take_short_of_stock(worker_here())) {
    woken = l;
    return outcome::again;
  }
  if(worker_here().has_task()) { // of another kind
    tell_ended();
    come_later();
    return outcome::gone;
  }
  return !lane_.comes_soon() && lane_.stalls() ? outcome::gone : outcome::again;
}

bool flow_crew::has_what_is_awaited() const {
  const batch* const awaited = running::room(*home).awaited.load(std::memory_order_acquire);
  return awaited != nullptr &&
         awaited->ended.load(std::memory_order_relaxed) == running::batch_size(*home);
}

/// Launches that can't run yet wait on their own, short ones are run, and long ones are for everybody. Other workers that
/// look for a job find it.
bool flow_crew::leave_claimed() {
  while(launch* const l = take_claimed())
    if(!leave(*l))
      return false;
  return lane_.leave();
}

void flow_crew::go_away() {
  is_away_ = true;
  lane_.go_away();
}

void flow_crew::come_back() {
  is_away_ = false;
  lane_.come_back();
}

void flow_crew::rests() { lane_.say_running(false); }

void flow_crew::note_length(std::uint64_t each) {
  if(!lane_.is_claimed()) // in a lane it may have waited for others
    running::room(*home).short_ones.note(each);
}

bool flow_crew::claim() {
  note_last_claim();
  crew_room& room = running::room(*home);
  room.long_ones.forget_old(now_);
  leaves_ = false;
  shared = {};
  lane_.forget();
  const lane_queues* const lanes = room.lanes.load(std::memory_order_acquire);
  if(lanes == nullptr)
    return claim_shared(room);
  // The oldest first.
  const bool are_shared_older = room.uses_lanes.load(std::memory_order_relaxed);
  return (are_shared_older && claim_shared(room)) || lane_.claim_own(*lanes) ||
         (!are_shared_older && claim_shared(room)) || lane_.help_others(*lanes);
}

bool flow_crew::claim_shared(crew_room& room) {
  if(leaves_short_ones(room))
    return false;
  const std::uint32_t size = running::batch_size(*home);
  std::uint64_t oldest = room.claimed.load(std::memory_order_relaxed);
  std::uint64_t n = 0;
  // Alone, there is nobody to leave launches to; but those with hints are looked for between two claims.
  const bool leaves_some = !alone;
  const std::uint32_t most =
    leaves_some || room.has_hints.load(std::memory_order_relaxed) ? room.at_a_time.most() : size;
  do {
    const std::uint64_t there = room.launched.load(std::memory_order_acquire) - oldest;
    if(static_cast<std::int64_t>(there) <= 0)
      return false;
    n = std::min<std::uint64_t>(
      std::min<std::uint64_t>(leaves_some ? (there + 1) / 2 : there, most), size - oldest % size);
    // Relaxed: what is claimed was acquired with `launched`.
  } while(!room.claimed.compare_exchange_weak(
    oldest, oldest + n, std::memory_order_relaxed, std::memory_order_relaxed));
  room.short_ones.has_claimed(seat);
  from = &running::batch_of(*home, oldest);
  shared.next = static_cast<std::uint32_t>(oldest % size);
  shared.end = shared.next + static_cast<std::uint32_t>(n);
  from->prepare(shared.next, static_cast<std::uint32_t>(n));
  begin_claimed(static_cast<std::uint32_t>(n), &room.at_a_time, worth_claiming);
  return true;
}

/// For short ones of its own it has waited already, and longer than for others.
bool flow_crew::expects_more() const {
  const short_launches& short_ones = running::room(*home).short_ones;
  return !running::is_launched_below(*home) &&
         !(short_ones.are_of(seat) && short_ones.are_for_one_of(running::home(*home).workers()));
}

/// The crew ends. Returns true if there is more to do, and it goes on instead.
bool flow_crew::retire() {
  crew_room& room = running::room(*home);
  executor& ex = running::home(*home);
  rests();
  const unsigned own = seat; // once the seat is left the crew may have been called again
  for(;;) {
    room.at_work.leave(own);
    // See flow::publish. While the code that launches waits it launches nothing. acq_rel of the word
    // above is what counts, with `meet` at the end of flow::wait_for_batch; seq_cst is for call_missing_crews.
    if(room.awaited.load(std::memory_order_seq_cst) == nullptr)
      heavy_fence();
    if(!room.is_anything_left_for(own))
      break;
    if(!room.at_work.take(own))
      break; // it was called again already: that is somebody else's affair
    if(claim() || leaves_)
      return true;
  }
  room.inside.leave(ex);
  return false;
}

} // namespace rondo::detail::inline tracing
