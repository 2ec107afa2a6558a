// Crews: who runs launches, and which. docs/protocols/flow.md

#include <algorithm>
#include <bit>
#include <utility>

#include <rondo/core/asymmetric_fence.hpp>
#include <rondo/core/pause.hpp>
#include <rondo/core/running_task.hpp>
#include <rondo/core/ticks.hpp>
#include <rondo/tracing/flow.hpp>
#include <rondo/tracing/later.hpp>

#include "beside_messages.hpp"
#include "patience.hpp"
#include "running.hpp"
#include "wait_before_long.hpp"
#include "window.hpp"

namespace rondo::detail::inline tracing {

namespace {

/// A crew claims as much as takes about this long, so that nobody waits for long for work that
/// another one has claimed.
constexpr std::uint64_t worth_claiming = 20'000;
/// In a lane nobody waits for the work itself, others only help with launches that take longer than this.
constexpr std::uint64_t worth_claiming_in_lane = 100'000;
constexpr std::uint64_t worth_helping = 10'000;
/// In a loop, a look at the clock after each launch that takes about so long costs nothing.
constexpr std::uint64_t worth_a_look = 4'000;
/// Launches of a loop that take about so long each are shared.
constexpr std::uint64_t worth_sharing = 600;
/// Of these in a row, before a crew looks whether something else is to be done.
constexpr unsigned most_waits = 16;
/// Looks for more before a crew ends.
constexpr unsigned most_looks = 40;
constexpr unsigned looks_of_one_pause = 4; ///< Then two pauses between two of them, and so on.

/// Where looking for messages takes as long as n looks at launches, it takes an eighth of the time if that is
/// done once in as much time as 8 n looks take.
constexpr std::uint64_t ticks_of_a_counted_look = 8 * ticks_of_a_look;
constexpr std::uint64_t most_counted = 1'000;

} // namespace

void go_on_launch(turn_wait& w, crew* here) {
  auto& l = static_cast<launch&>(w);
  if(l.home->is_closed) {
    const auto& b = static_cast<closed_batch&>(*l.home);
    if(b.loop.has_lanes() && (here == nullptr || here->woken != nullptr || here->loop != &b.loop ||
                               here->seat != b.lane)) {
      b.loop.hand_over(l);
      return;
    }
  }
  // What takes long stays in its lane. Without lanes it goes behind all that is short.
  if(here != nullptr && (here->lane != nullptr || !is_long_beside_messages(l)))
    here->add_woken(l);
  else
    let_go_on(l);
}

void later_state::call() {
  launch* const l = who_;
  if(!end())
    return; // the function has not returned
  running::room(l->home->home).long_ones.has_come();
  executor_of(*l->home)->enqueue(l);
}

/// One goes on here; the others are for everybody. All of them are while the next of the shared launches that it has
/// claimed may start: that is mostly older, and what waits for it could be run by nobody while this one goes on with
/// what it has let go on, one launch after the other.
void crew::add_woken(launch& l) {
  const auto has_ready = [this] {
    return loop == nullptr && of_lane == nullptr && next != end &&
           from->launches[next]->is_simple && may_start_at_once(*from->launches[next]);
  };
  if(woken == nullptr && !has_ready())
    woken = &l;
  else
    worker_here().push_task(&l);
}

/// What has waited is older than what was claimed; and others may be to have their turn.
bool crew::has_older() const {
  return gives_way_ || woken != nullptr || handed != nullptr ||
         (lane != nullptr && lane->has_handed());
}

launch* crew::next_launch() {
  is_ready_ = false;
  if(woken != nullptr) {
    // What else was let go on is in the worker's stock. It may be long until that is looked at again.
    if(running::home(*home).anyone_searches())
      worker_here().show_stock();
    return std::exchange(woken, nullptr);
  }
  if(looks_in_stock_) [[unlikely]]
    if(launch* const l = next_of_stock(); l != nullptr || gives_way_)
      return l;
  if(kept != nullptr) [[unlikely]]
    return std::exchange(kept, nullptr);
  if(loop != nullptr) {
    if(handed == nullptr && lane != nullptr)
      handed = lane->take_handed();
    if(launch* const l = handed) {
      handed = static_cast<launch*>(l->next);
      return l;
    }
    return nullptr;
  }
  if(of_lane != nullptr)
    return next_in_its_lane();
  if(next == end)
    return nullptr;
  running::prefetch_behind(from->launches, next, end);
  return from->launches[next++];
}

/// Nothing is to be done before the next one of the shared launches that it has claimed; nor before those behind that,
/// as far as is known.
bool crew::is_row_next() const {
  return next != end && loop == nullptr && of_lane == nullptr && woken == nullptr &&
         kept == nullptr && !looks_in_stock_ && !gives_way_ &&
         running::room(*home).long_ones.is_empty();
}

/// What may go on again is older than what was claimed; and what a message has brought goes first, since others wait
/// for the answer.
launch* crew::next_of_stock() {
  worker& w = worker_here();
  if(launch* const l = take_short_of_stock(w))
    return l;
  gives_way_ = gives_way_ || w.has_task();
  looks_in_stock_ = false;
  return nullptr;
}

/// Between two launches. `look()` is true if something has come. `was_watched`: this was called after the launch before,
/// too, so the time since then is that of this one. Else `ran` is not looked at.
template<class Look>
void crew::look_outside(const launch_kind* ran, bool was_watched, Look&& look) {
  poll_pace& pace = worker_here().pace;
  long_launches& long_ones = running::room(*home).long_ones;
  bool is_time = false;
  bool is_long = false;
  if(!was_watched)
    is_time = pace.look_at(ticks());
  else if(long_ones.contain(ran)) { // the pace may be one for short launches
    const std::uint64_t now = ticks();
    const std::uint64_t took = pace.since_look(now);
    is_time = pace.look_at(now);
    is_long = took >= long_launches::least;
    is_long ? long_ones.has_run_long(ran, took, now) : long_ones.has_run_short(ran);
  }
  else {
    is_time = pace.is_time();
    is_long = pace.last_job() >= long_launches::least;
    if(is_long)
      long_ones.has_run_long(ran, pace.last_job(), ticks());
  }
  if(is_long && ticks() - entered_ > worth_staying)
    gives_way_ = true;
  if(is_time && look()) {
    looks_in_stock_ = true;
    long_ones.has_come();
  }
}

/// The next launch takes long, and somebody waits for a message: that may be about to come. Returns true if it has, and
/// the launch is to come later.
template<class Look>
bool crew::comes_before_long(Look&& look) {
  wait_before_long waits(running::room(*home).long_ones, worker_here());
  const bool has_come = waits.until([&] { return look() || has_older(); });
  waited += waits.took();
  looks_in_stock_ = looks_in_stock_ || has_come;
  return has_come;
}

/// What it has claimed, and what was let go on, is not to wait for the end of this launch, which takes long. Returns
/// false if the crew has gone on elsewhere, with the launch.
bool crew::leaves_all_before(launch& kept_back) {
  kept = &kept_back;
  go_away();
  if(!leave_all())
    return false;
  kept = nullptr;
  return true;
}

/// What can't run yet waits on its own, what is short is run, and what takes long is for everybody. Other workers that
/// look for a job find it.
bool crew::leave_all() {
  if(loop != nullptr) {
    if(!window(*this).leave_all())
      return false;
  }
  else {
    while(next != end)
      if(!leave(*from->launches[next++]))
        return false;
    // What takes long stays in its lane: it keeps nobody waiting, and others help if it comes to that.
    for(std::uint64_t left = pending; left != 0; left &= left - 1) {
      launch& l = (*of_lane)[first + static_cast<unsigned>(std::countr_zero(left))];
      if(is_long_and_ready(l))
        continue;
      pending &= ~(left & -left);
      if(!running::go(l, this))
        return false;
    }
  }
  return leave_woken();
}

/// Others of the worker's jobs have their turn; then it goes on.
void crew::give_way() {
  gives_way_ = false;
  tell_ended();
  worker& w = worker_here();
  if(w.has_task() || w.home().is_anything_injected()) {
    come_later();
    return;
  }
  say_running(running::room(*home), false);
  w.push_task(this); // waits are looked at, and nobody has to be woken
}

/// Behind all that others are to have before. From here on it may be run elsewhere.
void crew::come_later() {
  say_running(running::room(*home), false);
  running::home(*home).inject(this);
}

void crew::run_crew(job* j, worker&) {
  crew& self = *static_cast<crew*>(j);
  const auto began = ticks();
  const launch* at = nullptr; // a store for each launch, all else once
  const running_task here(&running::name_of_current, &at);
  self.entered_ = began;
  worker_here().pace.begin(began);
  executor& ex = running::home(*self.home);
  const long_launches& long_ones = running::room(*self.home).long_ones;
  if(self.is_away_) // and something has left its stack
    self.come_back();
  self.claimed.lose_order();
  if(self.pending != 0) // it has stalled
    self.say_running(running::room(*self.home), true);
  const auto look = [&ex] { return ex.look_outside_now(worker_here()); };
  const auto look_after = [&self, &look](const launch_kind* ran) {
    self.look_outside(ran, ran != nullptr && self.ended == self.ended_at_look_ + 1, look);
    self.ended_at_look_ = self.ended;
  };
  const auto look_in_row = [&self, &look_after](const launch& ran) {
    look_after(ran.kind->identity());
    return self.is_row_next();
  };
  for(unsigned rounds = 0;; ++rounds) {
    for(;;) {
      if(self.is_row_next() && !(self.alone ? running::run_row<true>(self, at, look_in_row)
                                            : running::run_row<false>(self, at, look_in_row)))
        return; // it goes on elsewhere, and is perhaps at its end
      launch* const l = self.gives_way_ ? nullptr : self.next_launch();
      if(l == nullptr)
        break;
      const bool looks = ex.looks_outside();
      const launch_kind* const kind = looks ? l->kind->identity() : nullptr;
      if(looks && long_ones.contain(kind) && ex.poller_is_wanted()) [[unlikely]] {
        if(self.kept != nullptr) {
          give_out(*l); // there is one already that waits for what is short
          continue;
        }
        if(self.comes_before_long(look)) {
          self.kept = l;
          continue;
        }
        if(!self.alone && !self.leaves_all_before(*l))
          return;
      }
      if(!((self.is_ready_ && l->is_simple) || running::can_run_simply(*l, self)
             ? running::run_simply(*l, self, at)
             : running::go(*l, &self)))
        return;
      if(self.is_away_) [[unlikely]]
        self.come_back();
      if(ex.looks_outside())
        look_after(kind);
      if(self.gives_way_) [[unlikely]]
        break;
    }
    if(self.gives_way_) [[unlikely]] {
      self.give_way();
      return;
    }
    if(self.pending != 0) {
      if(!self.comes_soon() && self.stalls())
        return;
      continue;
    }
    const auto stays_long = [&] { return rounds != 0 && ticks() - began > worth_staying; };
    if(!self.claimed.is_empty()) {
      const outcome o = self.run_claimed(stays_long());
      if(o == outcome::gone)
        return;
      if(o == outcome::again)
        continue;
    }
    // What may go on again is older than what can be claimed.
    self.tell_ended();
    worker& w = worker_here();
    const bool is_long = stays_long();
    if(job* const other = w.pop_task()) {
      if(other->run == &run_launch && !is_long) {
        self.woken = static_cast<launch*>(other);
        continue;
      }
      w.push_task(other);
      self.come_later();
      return;
    }
    if(w.home().looks_outside() && w.home().look_outside_now(w))
      self.looks_in_stock_ = true;
    crew_room& room = running::room(*self.home);
    // Who waits may have what it waits for. But some progress first: it may be slow to wake.
    const batch* const awaited = room.awaited.load(std::memory_order_acquire);
    if(is_long ||
       (rounds != 0 && awaited != nullptr && self.loop == nullptr &&
         awaited->ended.load(std::memory_order_relaxed) == running::batch_size(*self.home))) {
      self.come_later();
      return;
    }
    if(!self.claimed.is_empty() || (!self.claim() && !self.claim_soon())) {
      if(std::exchange(self.leaves_, false)) {
        self.come_later();
        return;
      }
      if(!self.retire())
        return;
    }
  }
}

/// Of a loop, whatever may run; then it waits a little for the rest, unless others are to have their turn.
crew::outcome crew::run_claimed(bool is_long) {
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

/// How long has that taken which it has claimed last? So it claims more or less next time.
void crew::settle() {
  now_ = ticks();
  worker_here().pace.begin(now_);
  if(claimed_ == 0)
    return;
  const auto took = now_ - began_ - std::exchange(waited, 0);
  if(at_a_time_ != nullptr) {
    const std::uint32_t most = at_a_time_->load(std::memory_order_relaxed);
    if(took > worth_ && most > 1)
      at_a_time_->store(
        std::max(1U, static_cast<std::uint32_t>(most * worth_ / took)), std::memory_order_relaxed);
    else if(took < worth_ / 4 && most < batch::most)
      at_a_time_->store(std::min(2 * most, batch::most), std::memory_order_relaxed);
  }
  each_ = took / claimed_;
  claimed_ = 0;
  if(loop != nullptr)
    loop->short_ones.note(each_);
  else if(of_lane == nullptr) // in a lane it may have waited for others
    running::room(*home).short_ones.note(each_);
}

void crew::begin_claimed(
  std::uint32_t n, std::atomic<std::uint32_t>* at_a_time, std::uint64_t worth) {
  began_ = now_;
  claimed_ = n;
  at_a_time_ = at_a_time;
  worth_ = worth;
}

bool crew::claim() {
  settle();
  running::room(*home).long_ones.forget_old(now_);
  leaves_ = false;
  end = next = 0;
  of_lane = nullptr;
  is_own_ = false;
  if(loop != nullptr)
    return claim_in_loop();
  crew_room& room = running::room(*home);
  const lane_queues* const lanes = room.lanes.load(std::memory_order_acquire);
  if(lanes == nullptr)
    return claim_shared(room);
  // The oldest first.
  const bool are_shared_older = room.uses_lanes.load(std::memory_order_relaxed);
  return (are_shared_older && claim_shared(room)) || claim_own(*lanes) ||
         (!are_shared_older && claim_shared(room)) || help_others(*lanes);
}

/// Launches of a loop wait for each other, pass after pass: without lanes, who claims many of them leaves
/// nothing that others can do.
std::uint32_t crew::plan_in_loop() {
  looks_of_launch = static_cast<unsigned>(std::min(each_ / ticks_of_a_counted_look, most_counted));
  // Long launches and short ones may be claimed in turns, so the last claim alone says little.
  longest_each_ = std::max(each_, longest_each_ - longest_each_ / 8);
  long_launches& long_ones = running::room(*home).long_ones;
  looks_by_clock_ = longest_each_ >= worth_a_look || !long_ones.is_empty();
  if(alone)
    return batch::most;
  const bool has_lane = lane != nullptr;
  const std::uint32_t most = loop->lane_of(*this).at_a_time.load(std::memory_order_relaxed);
  shares = has_lane || (loop->fair_share < batch::most && each_ > worth_sharing);
  patience =
    std::clamp(patience_in_launches * each_, has_lane ? least_patience_in_lane : 0, most_patience);
  return shares && !has_lane ? std::min(most, loop->fair_share) : most;
}

bool crew::claim_in_loop() {
  const std::uint32_t most = plan_in_loop();
  awaited = nullptr;
  if(lane != nullptr)
    lane->events->answer(this);
  if(has_older())
    return true;
  if(leaves_short_ones(*loop) || !loop->claim(*this, most, each_ > worth_helping))
    return false;
  loop->short_ones.has_claimed(seat);
  begin_claimed(end, alone ? nullptr : &loop->lane_of(*this).at_a_time,
    lane != nullptr ? worth_claiming_in_lane : worth_claiming);
  return true;
}

bool crew::claim_shared(crew_room& room) {
  if(leaves_short_ones(room))
    return false;
  const std::uint32_t size = running::batch_size(*home);
  const std::uint32_t most = room.at_a_time.load(std::memory_order_relaxed);
  std::uint64_t oldest = room.claimed.load(std::memory_order_relaxed);
  std::uint64_t n = 0;
  const bool is_alone = alone;
  do {
    const std::uint64_t there = room.launched.load(std::memory_order_acquire) - oldest;
    if(static_cast<std::int64_t>(there) <= 0)
      return false;
    n = std::min<std::uint64_t>(
      is_alone ? there : std::min<std::uint64_t>((there + 1) / 2, most), size - oldest % size);
    // Relaxed: what is claimed was acquired with `launched`.
  } while(!room.claimed.compare_exchange_weak(
    oldest, oldest + n, std::memory_order_relaxed, std::memory_order_relaxed));
  room.short_ones.has_claimed(seat);
  from = &running::batch_of(*home, oldest);
  next = static_cast<std::uint32_t>(oldest % size);
  end = next + static_cast<std::uint32_t>(n);
  begin_claimed(end - next, &room.at_a_time, worth_claiming);
  return true;
}

/// The code that launches is perhaps about to launch more. Each look takes a cache line from it.
bool crew::claim_soon() {
  const crew_room& room = running::room(*home);
  if(leaves_ || (loop == nullptr ? running::is_launched_below(*home) : alone))
    return false;
  // For short ones of its own it has waited already, and longer than here.
  if(loop == nullptr && room.short_ones.are_of(seat) &&
     room.short_ones.are_for_one_of(running::home(*home).workers()))
    return false;
  for(unsigned i = 0; i != most_looks; ++i) {
    for(unsigned j = 0; j <= i / looks_of_one_pause; ++j)
      pause();
    if(claim())
      return true;
    if(leaves_) // after a wait, which the next look would do again
      return false;
    if(room.awaited.load(std::memory_order_relaxed) != nullptr ||
       (room.inside.load(std::memory_order_relaxed) & 1U) != 0)
      return false; // nothing is launched meanwhile
  }
  return false;
}

void crew::tell_ended() {
  if(ended == 0)
    return;
  ended_at_look_ -= ended; // wraps, and is compared with what is counted from 0 again
  running::count(*from, std::exchange(ended, 0));
}

/// The end of the crew. True: there is more to do, and it is not.
bool crew::retire() {
  if(loop != nullptr)
    return retire_from_loop();
  crew_room& room = running::room(*home);
  executor& ex = running::home(*home);
  say_running(room, false);
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
  if(room.inside.fetch_sub(2, std::memory_order_acq_rel) == 3)
    ex.wake_waiters();
  return false;
}

/// The same where the slots of the loop are full, or all is claimed.
bool crew::retire_from_loop() {
  closed_loop& of = *loop;
  if(lane != nullptr)
    lane->events->answer(this);
  const closed_lane& of_crew = of.lane_of(*this);
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
  if(of.inside.fetch_sub(2, std::memory_order_acq_rel) == 3)
    ex.wake_waiters();
  return false;
}

} // namespace rondo::detail::inline tracing
