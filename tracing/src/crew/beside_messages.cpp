// Long launches while messages are awaited: short ones don't wait for them. docs/protocols/poller.md

#include <utility>

#include <rondo/core/ticks.hpp>
#include <rondo/tracing/closed.hpp>
#include <rondo/tracing/flow.hpp>

#include "../running.hpp"
#include "beside_messages.hpp"
#include "crew.hpp"
#include "wait_before_long.hpp"

namespace rondo::detail::inline tracing {

launch* take_short_of_stock(worker& w) {
  while(w.has_task()) {
    job* const j = w.pop_task();
    if(j == nullptr)
      return nullptr;
    if(j->run != &run_launch) {
      w.push_task(j);
      return nullptr;
    }
    auto* const l = static_cast<launch*>(j);
    if(!is_long_beside_messages(*l))
      return l;
    crew::give_out(*l);
  }
  return nullptr;
}

void let_go_on(launch& l) {
  if(is_long_beside_messages(l))
    crew::give_out(l);
  else
    engine_of(*executor_of(*l.home)).enqueue(&l);
}

namespace {

/// A launch that belongs to no crew. Work that a message brings meanwhile goes first, as it does in crews.
[[gnu::noinline]] void run_beside_messages(launch& l, worker& w) {
  executor& ex = w.home();
  long_launches& long_ones = running::room(l.home->home).long_ones;
  const launch_kind* const kind = l.kind->identity();
  if(long_ones.contain(kind) && !comes_first(l)) {
    if(launch* const before = take_short_of_stock(w)) {
      w.push_task(before);
      engine_of(ex).inject(&l, priority_of(l));
      return;
    }
    wait_before_long waits(long_ones, w);
    if(waits.until([&] { return engine_of(ex).look_outside_now(w); })) {
      engine_of(ex).inject(&l, priority_of(l)); // behind what has come
      return;
    }
  }
  // The launch is over afterwards, perhaps, but not the flow.
  const visitor here(running::room(l.home->home).inside, ex);
  const std::uint64_t began = ticks();
  running::go(l, nullptr);
  // If it has left its stack this is more than it took, which does little harm. And a short time says nothing, since it
  // may have parked.
  if(const std::uint64_t now = ticks(); now - began >= long_launches::least)
    long_ones.has_run_long(kind, now - began, now);
}

/// The same as in crews, while nothing is awaited.
bool comes_after_short(launch& l, worker& w) {
  if(!running::room(l.home->home).long_ones.contain(l.kind->identity()) || comes_first(l))
    return false;
  launch* const before = take_short_of_stock(w);
  if(before != nullptr)
    w.push_task(before);
  return before != nullptr;
}

} // namespace

void run_launch(job* j, worker& w) {
  auto& l = *static_cast<launch*>(j);
  if(engine_of(w.home()).poller_is_wanted())
    run_beside_messages(l, w);
  else if(comes_after_short(l, w))
    engine_of(w.home()).inject(&l, priority_of(l));
  else
    running::go(l, nullptr);
}

bool crew::leave_woken() {
  launch* long_ones = nullptr;
  for(;;) {
    launch* l = std::exchange(woken, nullptr);
    if(l == nullptr)
      l = take_handed();
    if(l == nullptr)
      l = take_short_of_stock(worker_here());
    if(l == nullptr)
      break;
    if(takes_long(*l) || running::room(*home).long_ones.contain(l->kind->identity()))
      l->next = std::exchange(long_ones, l);
    else if(!running::go(*l, this)) {
      give_out_all(long_ones);
      return false;
    }
  }
  // Not before the end, or they would come again.
  leave_long(long_ones);
  return true;
}

bool crew::leave(launch& l) {
  if(!is_long_and_ready(l))
    return running::go(l, this);
  leave_to_all(l);
  return true;
}

/// As far as one can tell.
bool crew::is_long_and_ready(launch& l) const {
  return running::room(*home).long_ones.contain(l.kind->identity()) &&
         (!l.is_simple || may_start_at_once(l));
}

void crew::give_out_all(launch* first) {
  while(first != nullptr)
    give_out(*std::exchange(first, static_cast<launch*>(first->next)));
}

/// For any worker, behind all else: short launches go first.
void crew::give_out(launch& l) {
  expect_to_be_told(l);
  engine_of(*executor_of(*l.home)).inject(&l, priority_of(l));
}

} // namespace rondo::detail::inline tracing
