#pragma once

/// \file
/// The stages of a launch: what it waits for on its way. docs/protocols/flow.md

#include <cstdint>
#include <functional>

#include <rondo/tracing/flow.hpp>

namespace rondo::detail::inline tracing {

/// Before the launch may be told that it may go on.
inline void expect_to_be_told(launch& l) {
  l.run = &run_launch;
  l.go_on = l.is_own_job ? &go_on_hinted : &go_on_launch;
}

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

/// Goes on with a stage of so many steps, where the launch is in that. `step(i)` returns false if the launch waits:
/// it goes on behind that step, and is not touched any more.
template<class Step>
bool go_through(launch& l, launch_stage which, std::uint32_t steps, Step&& step) {
  if(l.stage != which)
    return true;
  while(l.index != steps)
    if(!step(l.index++))
      return false;
  l.begin(static_cast<launch_stage>(static_cast<unsigned>(which) + 1));
  return true;
}

/// Of reductions, which have a turn only when they are folded, or of all other accesses.
inline bool await_turns(launch& l, launch_stage which) {
  const bool of_folds = which == launch_stage::folds;
  // In a trace the edges say it all, unless others have used a region.
  const bool has_turns = l.node == nullptr || l.enters;
  return go_through(l, which, has_turns ? l.kind->accesses : 0U, [&l, of_folds](unsigned i) {
    const access_entry& a = l.accesses()[i];
    return (a.mode == access_mode::reduce) != of_folds || await(l, a.to->running(), a.turn);
  });
}

inline bool await_edges(launch& l, launch_stage which, const edge* edges, std::uint32_t count) {
  return go_through(
    l, which, count, [&](unsigned i) { return await(l, edges[i].from(), edges[i].turn(l.round)); });
}

/// All that comes before the body. Returns false if it goes on later.
inline bool may_start(launch& l) {
  const launch_kind& k = *l.kind;
  if(k.futures + k.commuting != 0)
    expect_to_be_told(l);
  return go_through(
           l, launch_stage::futures, k.futures, [&](unsigned i) { return k.await(l, i, l); }) &&
         go_through(l, launch_stage::answer, l.pass != nullptr ? 1 : 0,
           [&l](unsigned) {
             if(l.pass->may_begin())
               return true;
             expect_to_be_told(l);
             return !l.pass->park(l);
           }) &&
         await_turns(l, launch_stage::turns) &&
         await_edges(l, launch_stage::edges, l.node != nullptr ? l.node->edges : nullptr,
           l.node != nullptr ? l.node->edge_count : 0) &&
         go_through(l, launch_stage::locks, k.commuting,
           [&l](unsigned i) { return next_to_lock(l, i).acquire(l); });
}

/// Besides its turns, or edges, there is nothing to wait for. A launch of a pass of a loop whose answers are known, and which runs, is as
/// simple as others: to go through the stages takes twice as long.
inline bool is_simple_now(const launch& l) {
  return l.is_simple ||
         (l.pass != nullptr && l.kind->is_simple() && l.stage == launch_stage::futures &&
           !l.enters && !l.is_own_job && l.pass->may_begin() && l.pass->runs());
}

/// The same for simple launches: what they wait for has come.
inline bool may_start_at_once(const launch& l) {
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
