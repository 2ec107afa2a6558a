// What crews of all kinds have in common. docs/protocols/flow.md

#include "crew.hpp"

#include <algorithm>
#include <utility>

#include <rondo/core/ticks.hpp>
#include <rondo/tracing/closed.hpp>
#include <rondo/tracing/flow.hpp>
#include <rondo/tracing/later.hpp>

#include "../running.hpp"
#include "beside_messages.hpp"

namespace rondo::detail::inline tracing {

void go_on_launch(turn_wait& w, crew* here) {
  auto& l = static_cast<launch&>(w);
  if(l.home->is_closed) {
    const auto& b = static_cast<closed_batch&>(*l.home);
    if(b.loop.has_lanes() && (here == nullptr || here->woken != nullptr || !here->works_on(b))) {
      b.loop.hand_over(l);
      return;
    }
  }
  // A long launch stays in its lane. Without lanes it goes behind all that is short.
  if(here != nullptr && (here->keeps_long() || !is_long_beside_messages(l)))
    here->add_woken(l);
  else
    let_go_on(l);
}

void later_state::call() {
  launch* const l = who_;
  if(!end())
    return; // the function has not returned
  running::room(l->home->home).long_ones.has_come();
  enqueue_launch(*l);
}

/// One goes on here; the others are for everybody. All of them are while the next of the shared launches that it has
/// claimed may start: that is mostly older, and what waits for it could be run by nobody while this one goes on with
/// what it has let go on, one launch after the other.
void crew::add_woken(launch& l) {
  if(woken == nullptr && !is_next_ready())
    woken = &l;
  else
    worker_here().push_task(&l);
}

launch* crew::next_older() {
  if(running::room(*home).has_hints.load(std::memory_order_relaxed)) [[unlikely]]
    if(launch* const l = next_hinted(); l != nullptr || gives_way_)
      return l;
  if(woken != nullptr) {
    // Other launches that were let go on are in the worker's stock. It may be long until that is looked at again.
    if(engine_of(running::home(*home)).anyone_searches())
      worker_here().show_stock();
    return std::exchange(woken, nullptr);
  }
  if(looks_in_stock_) [[unlikely]]
    if(launch* const l = next_of_stock(); l != nullptr || gives_way_)
      return l;
  return std::exchange(kept, nullptr);
}

/// What comes before all that it has: launches with hints, and other jobs of high priority, or for this worker.
launch* crew::next_hinted() {
  worker& w = worker_here();
  job* const found = w.find_prior();
  if(found == nullptr)
    return nullptr;
  if(found->run == &run_launch)
    return static_cast<launch*>(found);
  w.push_task(found); // the newest one there, so it is next
  gives_way_ = true;
  return nullptr;
}

/// Launches that may go on again are older than the claimed ones; and those that a message has brought go first, since others wait
/// for the answer.
launch* crew::next_of_stock() {
  worker& w = worker_here();
  if(launch* const l = take_short_of_stock(w))
    return l;
  gives_way_ = gives_way_ || w.has_task();
  looks_in_stock_ = false;
  return nullptr;
}

/// Launches in the worker's stock go before this one, which takes long: they may send what another rank waits for. Returns
/// true if there are such. Other jobs don't count: there may be no end of those.
bool crew::comes_after_short(launch& l) {
  if(kept != nullptr)
    return false;
  if(woken == nullptr) // it is not, if `l` has hints: such a launch comes before it
    woken = take_short_of_stock(worker_here());
  if(woken == nullptr)
    return false;
  kept = &l;
  looks_in_stock_ = true;
  return true;
}

/// Its claims, and launches that were let go on, are not to wait for the end of this launch, which takes long. Returns
/// false if the crew has gone on elsewhere, with the launch.
bool crew::leaves_all_before(launch& kept_back) {
  kept = &kept_back;
  go_away();
  if(!leave_claimed() || !leave_woken())
    return false;
  kept = nullptr;
  return true;
}

/// Others of the worker's jobs have their turn; then it goes on.
void crew::give_way() {
  gives_way_ = false;
  tell_ended();
  worker& w = worker_here();
  if(w.has_task() || engine_of(w.home()).is_anything_injected()) {
    come_later();
    return;
  }
  rests();
  w.push_task(this); // waits are looked at, and nobody has to be woken
}

/// Behind all that others are to have before. From here on it may be run elsewhere.
void crew::come_later() {
  rests();
  engine_of(running::home(*home)).inject(this);
}

/// How long has that taken which it has claimed last? So it claims more or less next time.
void crew::note_last_claim() {
  now_ = ticks();
  worker_here().pace.begin(now_);
  if(claimed_ == 0)
    return;
  const auto took = now_ - began_ - std::exchange(waited, 0);
  if(at_a_time_ != nullptr)
    at_a_time_->note(took, claimed_, worth_, batch::most);
  each_ = took / claimed_;
  claimed_ = 0;
  note_length(each_);
}

void crew::begin_claimed(std::uint32_t n, claim_size* at_a_time, std::uint64_t worth) {
  began_ = now_;
  claimed_ = n;
  at_a_time_ = at_a_time;
  worth_ = worth;
}

void crew::tell_ended() {
  if(ended == 0)
    return;
  ended_at_look_ -= ended; // wraps, and is compared with what is counted from 0 again
  running::count(*from, std::exchange(ended, 0));
}

} // namespace rondo::detail::inline tracing
