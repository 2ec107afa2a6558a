#pragma once

/// \file
/// What a crew does, whatever it claims: `run_crew`. For flow_crew.cpp and loop_crew.cpp.

#include <cstdint>
#include <utility>

#include <rondo/core/executor.hpp>
#include <rondo/core/pause.hpp>
#include <rondo/core/running_task.hpp>
#include <rondo/core/ticks.hpp>

#include "../hinted.hpp"
#include "../running.hpp"
#include "crew.hpp"
#include "patience.hpp"
#include "wait_before_long.hpp"

namespace rondo::detail::inline tracing {

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

template<class Look>
bool crew::comes_before_long(Look&& look) {
  wait_before_long waits(running::room(*home).long_ones, worker_here());
  const bool has_come = waits.until([&] { return look() || has_older(); });
  waited += waits.took();
  looks_in_stock_ = looks_in_stock_ || has_come;
  return has_come;
}

/// The code that launches is perhaps about to launch more. Each look takes a cache line from it.
template<class Claim>
bool claims_soon(const crew_room& room, const bool& leaves, const Claim& claim) {
  constexpr unsigned most_looks = 40;        // before a crew ends
  constexpr unsigned looks_of_one_pause = 4; // then two pauses between two of them, and so on
  for(unsigned i = 0; i != most_looks; ++i) {
    for(unsigned j = 0; j <= i / looks_of_one_pause; ++j)
      pause();
    if(claim())
      return true;
    if(leaves) // after a wait, which the next look would do again
      return false;
    if(room.awaited.load(std::memory_order_relaxed) != nullptr || room.inside.is_end_awaited())
      return false; // nothing is launched meanwhile
  }
  return false;
}

template<class Crew>
void run_crew(Crew& self) {
  using outcome = typename Crew::outcome;
  const auto began = ticks();
  const launch* at = nullptr; // a store for each launch, all else once
  const running_task here(&running::name_of_current, &at);
  self.entered_ = began;
  worker_here().pace.begin(began);
  engine& ex = engine_of(running::home(*self.home));
  const long_launches& long_ones = running::room(*self.home).long_ones;
  if(self.is_away_) // and something has left its stack
    self.come_back();
  self.begin_to_run();
  const auto look = [&ex] { return ex.look_outside_now(worker_here()); };
  const auto look_after = [&self, &look](const launch_kind* ran) {
    self.look_outside(ran, ran != nullptr && self.ended == self.ended_at_look_ + 1, look);
    self.ended_at_look_ = self.ended;
  };
  for(unsigned rounds = 0;; ++rounds) {
    for(;;) {
      if(!self.run_row(at, look_after))
        return; // it goes on elsewhere, and is perhaps at its end
      launch* const l = self.gives_way_ ? nullptr : self.next_launch();
      if(l == nullptr)
        break;
      const bool looks = ex.looks_outside();
      const launch_kind* const kind =
        (looks || !long_ones.is_empty()) && !comes_first(*l) ? l->kind->identity() : nullptr;
      if(long_ones.contain(kind) && self.comes_after_short(*l)) [[unlikely]]
        continue;
      if(looks && long_ones.contain(kind) && ex.poller_is_wanted()) [[unlikely]] {
        if(self.kept != nullptr) {
          crew::give_out(*l); // there is one already that waits for what is short
          continue;
        }
        if(self.comes_before_long(look)) {
          self.kept = l;
          continue;
        }
        if(!self.alone && !self.leaves_all_before(*l))
          return;
      }
      else if(self.takes_long(*l)) {
        if(self.kept != nullptr) {
          l->next = nullptr;
          self.leave_long(l); // as above
          continue;
        }
        if(!self.leaves_all_before(*l))
          return;
      }
      if(!(self.can_run_simply(*l) ? running::run_simply(*l, self, at) : running::go(*l, &self)))
        return;
      if(self.is_away_) [[unlikely]]
        self.come_back();
      if(ex.looks_outside() || !long_ones.is_empty())
        look_after(kind);
      if(self.gives_way_) [[unlikely]]
        break;
    }
    if(self.gives_way_) [[unlikely]] {
      self.give_way();
      return;
    }
    const auto stays_long = [&] { return rounds != 0 && ticks() - began > worth_staying; };
    const outcome of_others = self.run_others(stays_long);
    if(of_others == outcome::gone)
      return;
    if(of_others == outcome::again)
      continue;
    // Launches that may go on again are older than those that can be claimed.
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
    if(ex.looks_outside() && ex.look_outside_now(w))
      self.looks_in_stock_ = true;
    // The code that waits may have what it waits for. But some progress comes first: that code may be slow to wake.
    if(is_long || (rounds != 0 && self.has_what_is_awaited())) {
      self.come_later();
      return;
    }
    if(self.has_claimed() ||
       (!self.claim() && (self.leaves_ || !self.expects_more() ||
                           !claims_soon(running::room(*self.home), self.leaves_,
                             [&self] { return self.claim(); })))) {
      if(std::exchange(self.leaves_, false)) {
        self.come_later();
        return;
      }
      if(!self.retire())
        return;
    }
  }
}

} // namespace rondo::detail::inline tracing
