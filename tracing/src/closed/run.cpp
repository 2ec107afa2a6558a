// Closed loops while they run: who is called, what is counted, and what is left out. docs/protocols/trace.md, "Closed loops"

#include <rondo/tracing/closed.hpp>

#include <exception>
#include <string>

#include <rondo/tracing/flow.hpp>

#include "../crew/loop_crew.hpp"
#include "../observed.hpp"

namespace rondo::detail::inline tracing {

void closed_loop::hand_over(launch& l) {
  const std::uint32_t lane = static_cast<closed_batch*>(l.home)->lane;
  const visitor here(inside, home.home()); // as soon as it is handed over, all may end
  lanes_[lane]->hand_over(l);
  if(lanes_[lane]->is_away()) [[unlikely]]
    lanes_[lane]->give_out_handed();
  // seq_cst: either the crew that ends now sees the launch, or this sees that it is missing.
  call_crew(lane);
}

std::uint32_t closed_loop::claim(loop_crew& c, std::uint32_t at_most, bool helps) {
  std::uint32_t count = lane_of(c.seat).claim(c, at_most);
  for(std::size_t i = 1; count == 0 && i < lanes_.size(); ++i)
    if(closed_lane& other = *lanes_[(c.seat + i) % lanes_.size()]; helps || other.is_away())
      count = other.claim(c, 1);
  return count;
}

void closed_loop::call_stalled() {
  if(!crews[0].claimed.is_empty())
    call_crew(0);
}

void closed_loop::call_helper(unsigned seat) {
  if(const closed_lane& l = lane_of(seat); !l.is_anything_left() && !l.has_handed())
    return;
  if(const unsigned idle = at_work.find_free(static_cast<unsigned>(lanes_.size()));
     idle != seats::none)
    call_crew(idle);
}

bool closed_loop::help_with_handed(unsigned seat) {
  bool any = false;
  for(std::size_t i = 1; !any && i < lanes_.size(); ++i)
    if(closed_lane& other = *lanes_[(seat + i) % lanes_.size()]; other.is_away())
      any = other.give_out_handed();
  return any;
}

void closed_loop::note_length(std::uint32_t which, std::uint64_t took) {
  const bool was_long = long_ones.contain(which);
  const bool is_long = long_steps::is_long(took, was_long);
  if(is_long == was_long) [[likely]]
    return;
  long_ones.set(which, is_long);
  const place_in_lanes at = places_[which];
  const closed_lane& l = *lanes_[at.lane];
  for(std::uint64_t s = 0; s != l.slots; ++s)
    for(std::uint32_t p = 0; p != l.passes_of_unit; ++p) {
      const std::uint32_t i = at.launch + p * (l.unit / l.passes_of_unit);
      closed_batch& piece = *l.pieces[s * l.pieces_of_slot + i / batch::most];
      const std::uint64_t bit = std::uint64_t{1} << i % batch::most;
      is_long ? piece.long_ones.fetch_or(bit, std::memory_order_relaxed)
              : piece.long_ones.fetch_and(~bit, std::memory_order_relaxed);
    }
}

void closed_loop::count(closed_batch& b, std::uint32_t n) {
  // seq_cst: either this sees that a crew is missing, or that one sees the free slot.
  const std::uint64_t of_piece = b.ended.fetch_add(n, std::memory_order_seq_cst) + n;
  if(of_piece % b.size == 0) {
    if(closed_lane& l = *lanes_[b.lane]; l.is_skipped()) [[unlikely]]
      end_skipped(l);
    call_crews(b.lane);
  }
  note_ended(n);
}

bool closed_loop::may_be_in_vain() const {
  return is_left_out.load(std::memory_order_relaxed) || home.has_failed();
}

bool closed_loop::is_in_vain(std::uint64_t round) const {
  // The launches of the first pass wait for their turns all the same: what comes after the loop counts on it.
  if(round != 0 && is_left_out.load(std::memory_order_relaxed))
    return true;
  const std::uint64_t failed = home.crews_.first_failed.load(std::memory_order_relaxed);
  return failed < id ||
         (failed == id && first_failed.load(std::memory_order_relaxed) < round * made->size());
}

/// Each launch of a later pass comes after the one of the first pass, which is skipped, and has been here before it says
/// that it has ended; or asks itself whether it runs. Acquire and release: code that finds that it has been said counts on what was written for it.
void closed_loop::leave_out_passes() {
  if(is_left_out.load(std::memory_order_acquire))
    return;
  for(const auto& l : lanes_)
    for(const auto& piece : l->pieces)
      piece->runs_before.store(~std::uint64_t{0}, std::memory_order_relaxed);
  is_left_out.store(true, std::memory_order_release);
}

std::string closed_loop::why_skipped() const {
  return is_left_out.load(std::memory_order_relaxed) ? pass->why_in_vain() : home.why_skipped();
}

void closed_loop::end_skipped(closed_lane& l) {
  std::uint64_t from = 0;
  if(!l.take_skipped(from))
    return;
  const std::uint32_t of_pass = l.unit / l.passes_of_unit;
  const auto each = [&l, of_pass](auto&& use) {
    for(std::uint32_t i = 0; i != of_pass; ++i)
      use(l.piece(0, i).steps[i % batch::most]);
  };
  // The future of a launch is that of the last pass.
  each([this](const closed_step& s) {
    if(s.prototype->kind->has_result)
      s.prototype->kind->skip(*s.prototype, std::make_exception_ptr(cancelled(why_skipped())));
  });
  const std::uint64_t rest = passes - from / of_pass;
  each([rest](const closed_step& s) {
    for(launch_event* const e : {s.node->done, s.node->folded})
      if(e != nullptr)
        e->advance_by(rest, nullptr);
  });
  note_ended(l.all - from);
}

/// The loop may be gone from here on.
void closed_loop::note_ended(std::uint64_t n) {
  // Read before the count: others may end the rest, and the loop with it.
  const std::uint64_t all = passes * made->size();
  if(ended.fetch_add(n, std::memory_order_seq_cst) + n != all)
    return;
  if(is_told)
    tell_end(*this);
  finished.advance(nullptr);
}

void closed_loop::begin() {
  for(std::uint32_t i = 0; i != lanes_.size(); ++i)
    call_crews(i);
}

/// The crew of the lane if it has something left; the crews of all workers if it is the only lane.
void closed_loop::call_crews(std::uint32_t lane) {
  if(!lanes_[lane]->is_anything_left())
    return;
  if(has_lanes()) {
    call_crew(lane);
    return;
  }
  for(unsigned i = 0; i != crews.size(); ++i)
    call_crew(i);
}

/// Unless it is at work.
void closed_loop::call_crew(unsigned seat) {
  if(at_work.is_taken(seat) || !at_work.take(seat))
    return;
  inside.enter();
  loop_crew& c = crews[seat];
  c.begin(*this, has_lanes() ? lanes_[seat].get() : nullptr, seat);
  engine_of(home.home()).enqueue(&c);
}

} // namespace rondo::detail::inline tracing
