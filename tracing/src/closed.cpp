// Closed loops: the launches of a template, run pass after pass by crews of their own.

#include <rondo/tracing/closed.hpp>

#include <algorithm>
#include <bit>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include <rondo/core/place.hpp>
#include <rondo/core/ticks.hpp>
#include <rondo/tracing/flow.hpp>
#include <rondo/tracing/loop_lanes.hpp>

#include "crew/loop_crew.hpp"
#include "gate.hpp"
#include "observed.hpp"

namespace rondo::detail::inline tracing {

namespace {

/// So many launches are under way, in all lanes, so that nobody waits for the end of a pass.
constexpr std::uint64_t least_under_way = 512;
constexpr std::uint64_t least_slots = 2;

closed_loop& loop_of(const launch& l) { return static_cast<closed_batch&>(*l.home).loop; }
launch& prototype_of(const launch& l) { return *loop_of(l).prototypes[l.node->index]; }

// What an instance does is what its prototype does, which keeps what it needs for the next pass.
void run_instance(launch& l) {
  launch& p = prototype_of(l);
  closed_loop& loop = loop_of(l);
  if(loop.home.is_alone()) {
    p.kind->run_again(p, loop.is_last(l.round));
    return;
  }
  // The first pass goes this way, so what takes long is known from then on. If it leaves its stack this is more than
  // it took, which does little harm.
  const std::uint64_t began = ticks();
  p.kind->run_again(p, loop.is_last(l.round));
  loop.note_length(l.node->index, ticks() - began);
}
void skip_instance(launch& l, const std::exception_ptr& why) {
  launch& p = prototype_of(l);
  if(p.kind->has_result && loop_of(l).is_last(l.round))
    p.kind->skip(p, why);
}
void fold_instance(launch& l, unsigned i) {
  launch& p = prototype_of(l);
  p.kind->fold(p, i);
}
bool await_instance(launch& l, unsigned i, launch& who) {
  launch& p = prototype_of(l);
  return p.kind->await(p, i, who);
}
awaited_future future_of_instance(launch& l, unsigned i) {
  launch& p = prototype_of(l);
  return p.kind->future(p, i);
}
later_state* later_of_instance(launch& l) {
  launch& p = prototype_of(l);
  return p.kind->later(p);
}
void end_instance(launch&) noexcept {}

/// Why results of a loop that has not begun will not come. Called where it is given up: while what its body has thrown is handled, if that is it.
/// The pass around may be gone by then.
std::string why_not(const closed_loop& l) {
  const std::string why = "the loop at " + place(l.where) + ", a repeat, has ";
  const std::exception_ptr thrown = std::current_exception();
  if(thrown == nullptr)
    return why + "not begun";
  const std::string none = why + "no pass that runs, since its body has thrown ";
  try {
    std::rethrow_exception(thrown);
  }
  catch(const std::exception& e) {
    return none + "this: " + e.what();
  }
  catch(...) {
    return none + "something that is no std::exception";
  }
}

} // namespace

closed_loop::closed_loop(
  flow& f, std::uint64_t n, const std::source_location& place, loop_pass* around)
    : home(f), passes(n), where(place), pass(around) {}
closed_loop::~closed_loop() {
  for(launch* const p : prototypes) {
    if(p->kind->has_result) // if the loop has not come to its end
      p->kind->skip(
        *p, std::make_exception_ptr(made == nullptr ? cancelled(why_not(*this)) : cancelled()));
    p->kind->end(*p);
  }
}

void* closed_loop::reserve(std::size_t size, std::size_t alignment) {
  memory_.emplace_back(
    ::operator new(size, std::align_val_t{alignment}), memory_delete{std::align_val_t{alignment}});
  return memory_.back().get();
}

/// A region ends while the body is called: what was launched with it could not run later.
void closed_loop::note_gone(const region_base& r) {
  for(launch* const p : prototypes)
    for(unsigned i = 0; i != p->kind->accesses; ++i)
      if(p->accesses()[i].to == &r && gone_.empty())
        gone_ = std::string(home.name_) + "::repeat: the region '" + std::string(r.name()) +
                "' that " + p->describe() +
                " uses was destroyed in the body of the loop, whose passes run "
                "after it; make the region before the loop";
}

/// For those who launch them otherwise.
std::vector<launch*> closed_loop::give_prototypes() {
  if(!gone_.empty())
    throw std::logic_error(gone_);
  return std::exchange(prototypes, {});
}

void closed_loop::compile() {
  if(!gone_.empty())
    throw std::logic_error(gone_);
  // Places are counted in 64 bits, with room for what is added to them.
  constexpr std::uint64_t most_launches = std::uint64_t{1} << 48U;
  if(passes > most_launches / prototypes.size())
    throw std::length_error(
      std::string(home.name_) + "::repeat: " + std::to_string(passes) + " passes of " +
      std::to_string(prototypes.size()) +
      " launches would run for days at least; there can be 2^48 launches. A loop that "
      "ends when a task says so is flow::iterate");
  std::vector<region_base*> regions;
  for(launch* const p : prototypes) {
    regions.clear();
    for(unsigned i = 0; i != p->kind->accesses; ++i)
      regions.push_back(p->accesses()[i].to);
    // Asked only now: what the body has done since the launch may have changed that.
    const bool does_nothing = p->kind->does_nothing != nullptr && p->kind->does_nothing(*p);
    body.add({p->kind, regions.data(), p->where, p->name, does_nothing});
  }
  made = trace_template::compile(body, true, &home.tried_shapes_);
  made->all_done = &finished;
  if(made->leaves_out())
    leave_out(body);
  if(made->joins() != 0)
    add_joins();
}

/// One does for all: it keeps nothing.
void closed_loop::add_joins() {
  join_.kind = &absent::the_kind;
  std::vector<launch*> all;
  all.reserve(made->size());
  auto next = prototypes.begin();
  for(std::uint32_t i = 0; i != made->size(); ++i)
    all.push_back((*made)[i].is_join() ? &join_ : *next++);
  prototypes = std::move(all);
}

/// Leaves out launches that do nothing.
void closed_loop::leave_out(const recording& all) {
  std::size_t kept = 0;
  for(std::size_t i = 0; i != prototypes.size(); ++i)
    if(all[i].does_nothing)
      prototypes[i]->kind->end(*prototypes[i]);
    else
      prototypes[kept++] = prototypes[i];
  prototypes.resize(kept);
}

void closed_loop::complete() {
  const std::uint32_t n = made->size();
  kinds_.reserve(n);
  for(const launch* const p : prototypes) {
    kinds_.push_back(*p->kind);
    launch_kind& k = kinds_.back();
    k.like = p->kind;
    k.run = p == &join_ ? nullptr : &run_instance; // no code of the program's
    k.hints = nullptr;                             // passes are not handed over one by one
    k.skip = &skip_instance;
    k.fold = &fold_instance;
    k.await = &await_instance;
    if(k.future != nullptr)
      k.future = &future_of_instance;
    if(k.later != nullptr)
      k.later = &later_of_instance;
    k.end = &end_instance;
    k.ends_by_itself = true;
  }
  const loop_lanes found = loop_lanes::find(*made, home.lanes_wanted());
  fair_share = found.fair_share;
  if(found.count > 1)
    made->look_in_own_lane_first(found.lane_of);
  std::vector<std::vector<std::uint32_t>> launches(found.count);
  for(std::uint32_t i = 0; i != n; ++i)
    launches[found.lane_of[i]].push_back(i);
  places_.resize(n);
  for(const auto& of_lane : launches)
    make_lane(of_lane, found.count);
  short_ones.begin_as(home.crews_.short_ones);
  crews.grow(std::max(home.home().workers(), found.count));
  long_ones.begin(n);
}

void closed_loop::make_lane(const std::vector<std::uint32_t>& launches, std::uint32_t lanes) {
  const auto number = static_cast<std::uint32_t>(lanes_.size());
  lanes_.push_back(std::make_unique<closed_lane>());
  closed_lane& l = *lanes_.back();
  const auto n = static_cast<std::uint32_t>(launches.size());
  l.all = passes * n;
  if(lanes > 1) {
    std::vector<launch_event*> events;
    for(const std::uint32_t i : launches)
      if((*made)[i].done != nullptr)
        events.push_back((*made)[i].done);
    l.events = std::make_unique<lane_events>(std::move(events));
  }
  for(std::uint32_t i = 0; i != n; ++i)
    places_[launches[i]] = {number, i};
  if(n == 0)
    return;
  l.passes_of_unit =
    static_cast<std::uint32_t>(std::min<std::uint64_t>((batch::most + n - 1) / n, passes));
  l.unit = l.passes_of_unit * n;
  l.pieces_of_slot = (l.unit + batch::most - 1) / batch::most;
  const std::uint64_t units = (passes + l.passes_of_unit - 1) / l.passes_of_unit;
  l.slots = std::min(units, std::max(least_slots, (least_under_way / lanes + l.unit - 1) / l.unit));
  for(std::uint64_t s = 0; s != l.slots; ++s)
    for(std::uint32_t i = 0; i != l.unit; ++i) {
      if(i % batch::most == 0) {
        l.pieces.push_back(std::make_unique<closed_batch>(home, *this, number, n));
        l.pieces.back()->first = id;
        l.pieces.back()->runs_before.store(id, std::memory_order_relaxed);
      }
      add_instance(*l.pieces.back(), launches[i % n], i / n);
    }
  for(const auto& piece : l.pieces)
    piece->find_followers(lanes == 1);
}

void closed_loop::add_instance(closed_batch& b, std::uint32_t which, std::uint32_t in_slot) {
  const template_node& n = (*made)[which];
  launch* const prototype = prototypes[which];
  const launch_kind& k = kinds_[which];
  const std::size_t bytes = sizeof(instance) + k.accesses * sizeof(access_entry);
  auto* const l = ::new(b.reserve(bytes, alignof(instance))) instance;
  l->kind = &k;
  l->home = &b;
  l->pass = pass;
  l->node = &n;
  l->name = n.name;
  for(std::size_t a = 0; a != k.accesses; ++a)
    l->accesses()[a] = {n.regions[a], made->slots[n.slots[a]].turn, k.modes[a]};
  const bool may_be_ready = k.is_ready != nullptr && k.ends_by_itself;
  // Where nothing lies before a launch, that of a later pass does not come after the one of the first pass, which waits until it is
  // known whether the pass around runs: so it asks that itself.
  const bool asks_itself = pass != nullptr && n.edge_count == 0;
  b.steps[b.size] = {.run = may_be_ready ? k.run_now : prototype->kind->run_again,
    .is_ready = may_be_ready ? k.is_ready : nullptr,
    .prototype = prototype,
    .node = &n,
    .edges = n.edges,
    .edges_end = n.edges + n.edge_count,
    .done = n.done,
    .pass = in_slot,
    .own_edges = static_cast<std::uint16_t>(std::min<std::uint32_t>(n.own_edge_count, 0xffff)),
    // Joins go the way of all launches, where those without code are passed over: observers are not told.
    .is_simple = (k.is_simple() || may_be_ready) && !n.is_join() && !asks_itself,
    .followers = 0};
  b.launches[b.size++] = l;
}

void closed_batch::find_followers(bool is_only_lane) {
  for(std::uint32_t i = size; i-- > 1;) {
    const closed_step& s = steps[i];
    const bool needs_others = !is_only_lane && s.edges_of_others() != s.edges_end;
    const bool follows = s.is_simple && s.is_ready == nullptr && !needs_others;
    steps[i - 1].followers = follows ? static_cast<std::uint8_t>(s.followers + 1) : 0;
  }
}

std::uint32_t closed_batch::up_to_long(std::uint32_t from) const {
  const std::uint64_t later = long_ones.load(std::memory_order_relaxed) >> from;
  return later == 0 ? most : static_cast<std::uint32_t>(std::countr_zero(later)) + 1;
}

launch& closed_batch::wake_up(std::uint32_t i, std::uint64_t first_round_of_slot) {
  launch& l = *launches[i];
  l.round = first_round_of_slot + steps[i].pass;
  const bool is_first = l.round == 0;
  // Later passes come after the first one, as a rule: see `add_instance`.
  l.begin(is_first               ? launch_stage::futures
          : loop.pass != nullptr ? launch_stage::answer
                                 : launch_stage::edges);
  l.skipped = false;
  l.is_behind = false;
  l.enters = is_first;
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
