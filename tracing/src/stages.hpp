#pragma once

/// \file
/// How far a launch has come, and what it waits for on its way: docs/protocols/flow.md.

#include <cstdint>
#include <functional>

#include <rondo/tracing/flow.hpp>

namespace rondo::detail::inline tracing {

/// Before the launch may be told that it may go on.
inline void expect_to_be_told(launch& l) {
  l.run = &run_launch;
  l.go_on = &go_on_launch;
}

/// The stages of a launch: docs/protocols/flow.md.
struct stages {
  explicit stages(const launch& l)
      : turns(l.kind->futures), edges(turns + l.kind->accesses),
        locks(edges + (l.node != nullptr ? l.node->edge_count : 0)),
        begun(locks + l.kind->commuting + 1U), fold_edges(begun + l.kind->accesses) {}
  unsigned turns;
  unsigned edges;
  unsigned locks;
  unsigned begun;
  unsigned fold_edges;
};

// Once `park` or `acquire` has a launch it may be anywhere.

inline bool await(launch& l, progress& what, std::uint64_t turn) {
  if(what.reached(turn))
    return true;
  expect_to_be_told(l);
  return !what.park(l, turn);
}

/// In the order of their addresses, so that there are no circles.
inline region_base& next_to_lock(launch& l, unsigned which) {
  const launch_kind& k = *l.kind;
  for(unsigned i = 0;; ++i) {
    const access_entry& a = l.accesses()[i];
    if(a.mode != access_mode::commute)
      continue;
    unsigned before = 0;
    for(unsigned j = 0; j != k.accesses; ++j)
      before += unsigned{
        l.accesses()[j].mode == access_mode::commute && std::less<>{}(l.accesses()[j].to, a.to)};
    if(before == which)
      return *a.to;
  }
}

inline bool may_start(launch& l, const stages& at) {
  const launch_kind& k = *l.kind;
  if(k.futures + k.commuting != 0)
    expect_to_be_told(l);
  while(l.stage < at.turns)
    if(!k.await(l, l.stage++, l))
      return false;
  // Comes back here when the answer is known.
  if(const loop_pass* const pass = l.pass;
     pass != nullptr && !await(l, pass->of->answers.running(), pass->turn))
    return false;
  if(l.node != nullptr && !l.enters && l.stage < at.edges)
    l.stage = at.edges;
  while(l.stage < at.edges) {
    const access_entry& a = l.accesses()[l.stage++ - at.turns];
    if(a.mode != access_mode::reduce && !await(l, a.to->running(), a.turn))
      return false;
  }
  while(l.stage < at.locks) {
    const edge& e = l.node->edges[l.stage++ - at.edges];
    if(!await(l, e.from(), e.turn(l.round)))
      return false;
  }
  while(l.stage < at.locks + k.commuting)
    if(!next_to_lock(l, l.stage++ - at.locks).acquire(l))
      return false;
  return true;
}

/// The same for simple launches: what they wait for has come.
inline bool may_start_at_once(launch& l) {
  if(l.node != nullptr)
    return l.node->may_start(l.round);
  const access_entry* const accesses = l.accesses();
  for(unsigned i = 0; i != l.kind->accesses; ++i)
    if(!accesses[i].to->running().reached(accesses[i].turn))
      return false;
  return true;
}

inline void advance(progress& p, crew* c, bool alone) {
  if(alone)
    p.advance_alone(c);
  else
    p.advance(c);
}

} // namespace rondo::detail::inline tracing
