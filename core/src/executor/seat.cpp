// Which worker a thread is, and the seat of worker 0.

#include "seat.hpp"

#include <rondo/core/executor.hpp>

#include <chrono>

#include <rondo/core/machine.hpp>

namespace rondo {

using detail::engine;

// ---- the worker that a thread acts as ---------------------------------------------------------

worker* detail::acting_as::of(const executor& home) {
  for(const acting_as* a = top(); a != nullptr; a = a->below_)
    if(&a->who_.home() == &home)
      return &a->who_;
  return nullptr;
}

bool detail::acting_as::is_also_below() const {
  for(const acting_as* a = below_; a != nullptr; a = a->below_)
    if(&a->who_ == &who_)
      return true;
  return false;
}

/// The worker below rests under us. If it is us, nothing changes; if we are a worker further below, that one acts again.
void detail::acting_as::cover() const {
  if(&below_->who_ == &who_)
    return;
  if(is_also_below())
    engine_of(who_.home()).note_covered(-1);
  engine_of(below_->who_.home()).note_covered(1);
}

void detail::acting_as::uncover() const {
  if(&below_->who_ == &who_)
    return;
  engine_of(below_->who_.home()).note_covered(-1);
  if(is_also_below())
    engine_of(who_.home()).note_covered(1);
}

// ---- taking the seat, and giving it back ------------------------------------------------------

engine::seat_guard::seat_guard(engine& ex) : taken_{ex}, mine_(ex.workers_[0]), here_(mine_) {
  // Another executor's worker has a core already. And one worker alone has nobody to share one with,
  // but may be one of several processes that all think the first core theirs.
  const core_info* const core = ex.core_for(0);
  if(core != nullptr && here_.below() == nullptr && ex.active() != 1)
    move_this_thread(*core);
}

engine::seat_guard::~seat_guard() {
  // Nobody answers hunger for an empty seat, so nothing may stay on it.
  mine_.note_detour(); // the thread goes back to code of the program's
  taken_.ex.flush_to_queue(mine_);
  taken_.ex.leave_orphans(mine_);
  mine_.looked_at_.store(worker::has_none_to_ask, std::memory_order_relaxed);
  taken_.ex.announce_late();
}

engine::seat_guard::taken::~taken() {
  ex.seat_.leave();
  // A thread that found the seat taken and now sleeps may have it. Any of them will do, so one is woken: it takes the
  // seat; or another thread has, which will come here; or it needs none any more, and wakes the next one.
  ex.outside_sleepers_.wake_one();
}

// ---- what threads do on it for a while --------------------------------------------------------

/// As the worker whose seat is empty, for a thread that waits for something of this executor.
void engine::lend_to_seat(wait_condition done, time_point until) {
  if(!takes_seat())
    return;
  seat_guard seat(*this);
  const auto began = std::chrono::steady_clock::now();
  lend(seat.mine(), done, until);
  prospects_.note_visit_in_vain(began);
}

bool engine::run_if_alone(job* j) {
  if(!takes_seat())
    return false;
  seat_guard seat(*this);
  if(!detail::fiber::here().has_room() ||
     !queues_[static_cast<unsigned>(priority::normal)].pop_express(j))
    return false;
  run_on_top(j, seat.mine());
  return true;
}

} // namespace rondo
