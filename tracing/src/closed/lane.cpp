// What is claimed of a lane of a closed loop, and when its slots are free. docs/protocols/trace.md, "Closed loops"

#include <rondo/tracing/closed.hpp>

#include <algorithm>
#include <bit>
#include <utility>

#include <rondo/tracing/flow.hpp>

#include "../crew/loop_crew.hpp"

namespace rondo::detail::inline tracing {

std::uint32_t closed_batch::up_to_long(std::uint32_t from) const {
  const std::uint64_t later = long_ones.load(std::memory_order_relaxed) >> from;
  return later == 0 ? most : static_cast<std::uint32_t>(std::countr_zero(later)) + 1;
}

launch& closed_batch::wake_up(std::uint32_t i, std::uint64_t first_round_of_slot) {
  launch& l = *launches[i];
  l.pass = loop.pass;
  l.round = first_round_of_slot + steps[i].pass;
  const bool is_first = l.round == 0;
  // Later passes come after the first one, as a rule: see `add_instance`.
  l.begin(is_first               ? launch_stage::futures
          : loop.pass != nullptr ? launch_stage::answer
                                 : launch_stage::edges);
  l.skipped = false;
  l.is_behind = false;
  l.enters = is_first;
  if(is_first)
    for(unsigned a = 0; a != l.kind->accesses; ++a)
      l.accesses()[a].turn = loop.made->slots[l.node->slots[a]].turn;
  l.is_simple = false;
  return l;
}

bool closed_lane::have_ended(std::uint64_t of_unit, std::uint32_t first_pieces) const {
  const std::uint64_t uses = of_unit / slots + 1;
  for(std::uint32_t i = 0; i != first_pieces; ++i) {
    const closed_batch& b = piece(of_unit, i * batch::most);
    if(b.ended.load(std::memory_order_seq_cst) < uses * b.size)
      return false;
  }
  return true;
}

bool closed_lane::is_free(std::uint64_t of_unit) const {
  // All pieces: they are claimed in their order, but may end in another one.
  return of_unit < slots || have_ended(of_unit - slots, pieces_of_slot);
}

bool closed_lane::has_ended_before(std::uint64_t place) const {
  const auto index = static_cast<std::uint32_t>(place % unit);
  if(index % batch::most != 0)
    return false; // a count does not say which ones of a piece
  // What used the slots before has ended: otherwise they would not have been free.
  const std::uint64_t of_unit = place / unit;
  for(std::uint64_t u = of_unit - std::min(of_unit, slots - 1); u != of_unit; ++u)
    if(!have_ended(u, pieces_of_slot))
      return false;
  return have_ended(of_unit, index / batch::most);
}

bool closed_lane::is_anything_left() const {
  // In the middle of a unit the slot is that unit's: the crew that has claimed its begin has seen that it was free.
  const std::uint64_t first = claimed.load(std::memory_order_seq_cst);
  return first != all && (first % unit != 0 || is_free(first / unit));
}

bool closed_lane::take_skipped(std::uint64_t& from) {
  from = skipped_.load(std::memory_order_seq_cst);
  if(from == nowhere)
    return false;
  // The latest first: they are mostly the last ones to end.
  const std::uint64_t of_unit = from / unit;
  for(std::uint64_t u = of_unit; u != of_unit - std::min(of_unit, slots); --u)
    if(!have_ended(u - 1, pieces_of_slot))
      return false;
  return skipped_.compare_exchange_strong(
    from, nowhere, std::memory_order_relaxed, std::memory_order_relaxed);
}

std::uint32_t closed_lane::claim(loop_crew& c, std::uint32_t at_most) {
  std::uint64_t first = claimed.load(std::memory_order_relaxed);
  std::uint64_t count = 0;
  do {
    if(first == all)
      return 0;
    const auto index = static_cast<std::uint32_t>(first % unit);
    if(index == 0 && c.loop->may_be_in_vain() && c.loop->is_in_vain(first / unit * passes_of_unit))
      [[unlikely]] {
      // Relaxed: what was claimed is seen by its counts, in take_skipped.
      if(claimed.compare_exchange_strong(
           first, all, std::memory_order_relaxed, std::memory_order_relaxed)) {
        skip_from(first);
        c.loop->end_skipped(*this);
      }
      return 0; // or others have claimed it
    }
    // Nobody comes a whole round of slots late: a crew that has claimed a launch of a unit is not done.
    if(index == 0 && !is_free(first / unit))
      return 0;
    const closed_batch& b = piece(first / unit, index);
    count = std::min<std::uint64_t>(
      {b.size - index % batch::most, b.up_to_long(index % batch::most), at_most, all - first});
    // acq_rel: the crew that claims the rest of the unit knows, too, that the slot is free.
  } while(!claimed.compare_exchange_weak(
    first, first + count, std::memory_order_acq_rel, std::memory_order_relaxed));
  const auto index = static_cast<std::uint32_t>(first % unit);
  const std::uint64_t bits =
    count == batch::most ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
  c.claimed.add({.of = &piece(first / unit, index),
    .round = first / unit * passes_of_unit,
    .pending = bits << index % batch::most,
    .end = first + count,
    .ended = 0,
    .is_in_order = c.lane == this && (first == ended_before || has_ended_before(first))});
  return static_cast<std::uint32_t>(count);
}

void closed_lane::hand_over(launch& l) {
  turn_wait* first = handed_.load(std::memory_order_relaxed);
  // Release: the launch. seq_cst: see closed_loop::hand_over.
  do
    l.next = first;
  while(!handed_.compare_exchange_weak(
    first, &l, std::memory_order_seq_cst, std::memory_order_relaxed));
}

launch* closed_lane::take_handed() {
  if(handed_.load(std::memory_order_relaxed) == nullptr)
    return nullptr;
  return static_cast<launch*>(handed_.exchange(nullptr, std::memory_order_acquire));
}

bool closed_lane::give_out_handed() {
  launch* l = take_handed();
  const bool any = l != nullptr;
  while(l != nullptr)
    let_go_on(*std::exchange(l, static_cast<launch*>(l->next)));
  return any;
}

} // namespace rondo::detail::inline tracing
