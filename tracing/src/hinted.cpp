// How launches get to the executor, one by one: those with hints, and those that a future lets go on. docs/protocols/flow.md, "Launches with hints"

#include "hinted.hpp"

#include <new>

#include <rondo/core/executor.hpp>

#include "stages.hpp"

namespace rondo {

namespace detail::inline tracing {

constinit const launch_kind passed_over_kind{};

namespace {

/// Stands in batches for launches that the executor has. Nobody writes to it.
launch& passed_over() {
  struct stand_in : launch {
    stand_in() { kind = &passed_over_kind; }
  };
  static stand_in one;
  return one;
}

task_options options_of(const launch& l) {
  const launch_hints h = l.kind->hints(l);
  return {.priority = h.priority, .worker = h.worker};
}

} // namespace

void enqueue_launch(launch& l) {
  engine& ex = engine_of(*executor_of(*l.home));
  if(l.is_own_job)
    ex.enqueue(&l, options_of(l));
  else
    ex.enqueue(&l);
}

bool await_future(launch& l, unsigned i, launch& who) {
  const awaited_future f = l.kind->future(l, i);
  f.wait->fire = [](continuation* c) { enqueue_launch(*static_cast<future_wait*>(c)->who); };
  f.wait->who = &who;
  return !f.value->add(*f.wait); // from here on the launch may be anywhere
}

void go_on_hinted(turn_wait& w, crew*) { enqueue_launch(static_cast<launch&>(w)); }

} // namespace detail::inline tracing

/// Instead of `publish`.
void flow::publish_hinted(detail::launch& l) {
  const task_options how = detail::options_of(l);
  if(how.priority == priority::normal &&
     (how.worker < 0 || static_cast<unsigned>(how.worker) >= ex_.workers())) {
    publish(l); // they say nothing
    return;
  }
  detail::batch& b = *current_;
  detail::launch*& here = b.launches[in_batch_++];
  ++next_id_;
  here = &l;
  l.number_in_batch = static_cast<std::uint8_t>(in_batch_);
  const bool is_in_lane = is_any(in_lanes);
  if(is_any(observed))
    tell_launched(l);
  l.is_simple = false;
  l.is_own_job = true;
  detail::expect_to_be_told(l);
  // Two will count it, the crew that passes over it and the code that ends it, so that crews find the batch as it is. In lanes no
  // crew comes to it. Relaxed: both come after this.
  if(!is_in_lane) {
    here = &detail::passed_over();
    b.note_hinted(in_batch_ - 1, l);
    b.ended.fetch_sub(1, std::memory_order_relaxed);
  }
  crews_.has_hints.store(true, std::memory_order_relaxed);
  try {
    engine_of(ex_).enqueue(&l, how); // from here on it may be over
  }
  catch(const std::bad_alloc&) {
    // It is nobody's, and goes the way of all launches.
    l.is_own_job = false;
    if(!is_in_lane) {
      here = &l;
      b.ended.fetch_add(1, std::memory_order_relaxed);
    }
    else
      publish_in_lane(l);
  }
  if(!is_in_lane)
    publish_for_all();
}

} // namespace rondo
