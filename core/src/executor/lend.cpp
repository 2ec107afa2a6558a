// How a worker waits for something of another executor: it rests at home, and lends a hand where it
// may be the only one that can do the work: docs/protocols/fiber.md.

#include <rondo/core/executor.hpp>

#include "once_more.hpp"

namespace rondo {

using detail::engine;

namespace {
using clock = std::chrono::steady_clock;

/// Between two looks whether tasks that rest at an empty seat may go on.
constexpr auto between_looks_at_rest = std::chrono::microseconds(500);

bool has_jobs_for(worker& w, bool is_work_visible) {
  return w.tasks().private_size() != 0 || is_work_visible;
}
} // namespace

/// Whether somebody needs the thread that waits: asked at each look of its condition.
struct engine::calls_for_help {
  engine* wanted; ///< Its work is waited for; null if that is the one where we rest.
  worker* below = nullptr;
  bool is_seat_empty = false;
  /// Set after a look, not when one is due: the code that asks whether we may go on may ask twice before we do.
  clock::time_point last_look_at_rest{};

  bool any() {
    forget();
    worker& here = detail::worker_here();
    const auto now = clock::now();
    if(!here.lending_.may_go(
         now, [&here] { return has_jobs_for(here, here.home().work_visible()); }))
      return false;
    below = find_needy_below();
    if(below == nullptr && wanted != nullptr)
      is_seat_empty = needs_hand(now);
    return below != nullptr || is_seat_empty;
  }
  void forget() {
    below = nullptr;
    is_seat_empty = false;
  }

private:
  /// Nobody has the seat, and there is something to do. Whether a task that rests there may go on only
  /// its worker can tell.
  bool needs_hand(clock::time_point now) {
    if(!wanted->has_empty_seat() || wanted->my_worker() != nullptr)
      return false;
    if(wanted->work_visible())
      return true;
    return wanted->orphans_.any() && now - between_looks_at_rest >= last_look_at_rest;
  }
};

/// For the thread that is this worker, perhaps below another one: there is something for it to do.
bool engine::has_work_for(worker& w, const detail::acting_as* level) {
  engine& ex = w.home();
  if(ex.orphans_.any()) [[unlikely]]
    ex.adopt_orphans(w, level);
  return has_jobs_for(w, ex.work_visible()) || w.has_ready_task();
}

/// A thread that runs a body of one executor inside a task of another is the other one's worker as
/// well, perhaps its only one: does that one have something to do?
worker* engine::find_needy_below() {
  const auto* const top = detail::acting_as::top();
  for(const auto* a = top->below(); a != nullptr; a = a->below())
    if(&a->who() != &top->who() && has_work_for(a->who(), a))
      return &a->who();
  return nullptr;
}

void engine::rest_here(worker& w, wait_condition done, wait_kind kind, bool prefers_forks) {
  w.count_event();
  if(detail::acting_as::top()->below() == nullptr) [[likely]]
    wait_on(w, done, kind, prefers_forks);
  else
    rest_and_lend(nullptr, done, prefers_forks);
  detail::worker_here().count_event();
}

void engine::rest_and_lend(engine* wanted, wait_condition done, bool prefers_forks) {
  calls_for_help calls{wanted};
  const auto done_or_needed = [&](wait_phase phase) {
    calls.forget();
    return done(phase) || calls.any();
  };
  for(;;) {
    worker& here = detail::worker_here(); // perhaps not the same as in the last round
    here.home().wait_on(here, done_or_needed, wait_kind::polling, prefers_forks);
    if(calls.below == nullptr && !calls.is_seat_empty)
      return;
    worker& lender = detail::worker_here();
    const auto left_at = clock::now();
    const auto until = left_at + lender.lending_.left();
    if(calls.below != nullptr)
      calls.below->home().lend_to_below(*calls.below, done, until);
    else
      wanted->lend_to_seat(done, until);
    const auto back_at = clock::now();
    lender.lending_.came_home(
      left_at, back_at); // the same thread: its stack is tied to it meanwhile
    calls.last_look_at_rest = back_at;
  }
}

/// Works as `w` until there is nothing to do, or it has been enough.
void engine::lend_to_below(worker& w, wait_condition done, clock::time_point until) {
  const once_more there(w);
  lend(w, done, until);
}

void engine::lend(worker& w, wait_condition done, clock::time_point until) {
  const auto* const level = detail::acting_as::top();
  const auto enough = [&](wait_phase phase) {
    return done(phase) || !has_work_for(w, level) || clock::now() > until;
  };
  wait_on(w, enough, wait_kind::polling);
}

} // namespace rondo
