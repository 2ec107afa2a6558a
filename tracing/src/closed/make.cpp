// Closed loops: how one is made of what its body has launched. docs/protocols/trace.md, "Closed loops"

#include <rondo/tracing/closed.hpp>

#include <algorithm>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include <rondo/core/place.hpp>
#include <rondo/core/ticks.hpp>
#include <rondo/tracing/flow.hpp>
#include <rondo/tracing/loop_lanes.hpp>

#include "../crew/loop_crew.hpp"
#include "../gate.hpp"

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
    : home(f), passes(n), where(place), lanes_wanted(f.lanes_wanted()), pass(around) {}
closed_loop::~closed_loop() { end_prototypes(); }

void closed_loop::end_prototypes() {
  for(launch* const p : prototypes) {
    if(p->kind->has_result) // if the loop has not come to its end
      p->kind->skip(
        *p, std::make_exception_ptr(made == nullptr ? cancelled(why_not(*this)) : cancelled()));
    p->kind->end(*p);
  }
  prototypes.clear();
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

const launch_kind& closed_loop::kind_of_instances(const launch& prototype) {
  for(const auto& k : kinds_)
    if(k->like == prototype.kind)
      return *k;
  auto k = std::make_unique<launch_kind>(*prototype.kind);
  k->like = prototype.kind;
  k->run = &prototype == &join_ ? nullptr : &run_instance; // no code of the program's
  k->hints = nullptr;                                      // passes are not handed over one by one
  k->skip = &skip_instance;
  k->fold = &fold_instance;
  k->await = &await_instance;
  if(k->future != nullptr)
    k->future = &future_of_instance;
  if(k->later != nullptr)
    k->later = &later_of_instance;
  k->end = &end_instance;
  k->ends_by_itself = true;
  return *kinds_.emplace_back(std::move(k));
}

void closed_loop::complete() {
  const std::uint32_t n = made->size();
  const loop_lanes found = loop_lanes::find(*made, lanes_wanted);
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
  const launch_kind& k = kind_of_instances(*prototype);
  const std::size_t bytes = sizeof(instance) + k.accesses * sizeof(access_entry);
  auto* const l = ::new(b.reserve(bytes, alignof(instance))) instance;
  l->kind = &k;
  l->home = &b;
  l->node = &n;
  l->name = n.name;
  for(std::size_t a = 0; a != k.accesses; ++a)
    l->accesses()[a] = {n.regions[a], 0, k.modes[a]};
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

} // namespace rondo::detail::inline tracing
