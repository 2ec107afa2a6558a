// A crew of a flow that is the only one: it runs shared launches in their order, as far as it can. docs/protocols/poller.md,
// "One worker runs launches in their order"

#include <algorithm>
#include <utility>

#include <rondo/core/executor.hpp>
#include <rondo/core/ticks.hpp>
#include <rondo/tracing/flow.hpp>
#include <rondo/tracing/later.hpp>

#include "../running.hpp"
#include "beside_messages.hpp"
#include "flow_crew.hpp"

namespace rondo::detail::inline tracing {

namespace {
/// Before its body it waits for its turns and nothing else, so `may_start_at_once` says all.
bool waits_for_turns(const launch& l) {
  return (l.kind->is_plain && l.pass == nullptr) || l.kind->later != nullptr;
}
} // namespace

/// Some of the next launches that it has claimed can run, or send something.
bool flow_crew::has_others_ready() const {
  constexpr std::uint32_t looks = 8;
  const std::uint32_t end = std::min(shared.end, shared.next + looks);
  for(std::uint32_t i = shared.next; i != end; ++i) {
    const launch& l = *from->launches[i];
    if(waits_for_turns(l) && may_start_at_once(l))
      return true;
  }
  return false;
}

template<class HasCome>
bool flow_crew::comes_in_a_moment(const HasCome& has_come) {
  const executor& ex = running::home(*home);
  engine& outside = engine_of(running::home(*home));
  if(!outside.poller_is_wanted() || ex.shares_cores() || !moment_.is_worth_it() ||
     has_others_ready())
    return false;
  const worker& w = worker_here();
  const std::uint64_t began = ticks();
  std::uint64_t now = began;
  bool any = false;
  while(!any && now - began < moment::ticks) {
    outside.poll_patiently();
    any = has_come() || has_older() || w.has_task();
    now = ticks();
  }
  has_waited(now - began);
  moment_.note(any);
  return any;
}

void flow_crew::wait_a_moment(const later_state& what) {
  if(has_older() || kept != nullptr || worker_here().has_task())
    return;
  comes_in_a_moment([&what] { return what.is_called(); });
}

/// A launch that waits by itself costs three times as much as one that is run in its turn; and where the next one has to wait,
/// those behind it have, too, mostly. So what it waits for is run first, and a message may be waited for.
launch* flow_crew::before_next() {
  if(shared.is_empty() || running::room(*home).behind == 0)
    return nullptr;
  const launch& next = *from->launches[shared.next];
  // All other launches may start, and wait by themselves.
  const bool waits = waits_for_turns(next) && !may_start_at_once(next);
  if(!waits && next.kind->later == nullptr)
    return nullptr;
  worker& w = worker_here();
  if(!w.has_task() && !(waits && comes_in_a_moment([] { return false; })))
    return nullptr;
  if(woken != nullptr)
    return std::exchange(woken, nullptr);
  launch* const older = take_short_of_stock(w);
  if(older == nullptr)
    gives_way_ = w.has_task();
  return older;
}

} // namespace rondo::detail::inline tracing
