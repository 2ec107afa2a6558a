// Closed loops that have run, and are to run once more. docs/protocols/trace.md, "Once more"

#include <rondo/tracing/closed.hpp>

#include <utility>

#include <rondo/core/place.hpp>
#include <rondo/tracing/flow.hpp>

#include "../crew/loop_crew.hpp"

namespace rondo::detail::inline tracing {

/// Relaxed: nobody else looks at it before the loop begins.
void closed_batch::begin_again(const closed_loop& of) {
  first = of.id;
  runs_before.store(of.id, std::memory_order_relaxed);
  ended.store(0, std::memory_order_relaxed);
  for(std::uint32_t i = 0; i != size; ++i)
    steps[i].prototype = of.prototypes[steps[i].node->index];
}

void closed_lane::begin_again(const closed_loop& of) {
  claimed.store(0, std::memory_order_relaxed);
  skipped_.store(nowhere, std::memory_order_relaxed);
  is_away_.store(false, std::memory_order_relaxed);
  ended_before = 0;
  for(const auto& piece : pieces)
    piece->begin_again(of);
}

bool closed_loop::is_worth_keeping() const {
  return made != nullptr && gone_.empty() && !is_left_out.load(std::memory_order_relaxed) &&
         first_failed.load(std::memory_order_relaxed) == ~std::uint64_t{0} &&
         ended.load(std::memory_order_relaxed) == passes * made->size();
}

std::uint64_t closed_loop::instances() const {
  std::uint64_t n = 0;
  for(const auto& l : lanes_)
    n += l->slots * l->unit;
  return n;
}

void closed_loop::rest() {
  end_prototypes();
  memory_.clear();
  made->begin_again();
}

namespace {
/// For what is told of it as well.
bool is_of(const token& t, launch& prototype) {
  const launch_kind& k = *prototype.kind;
  if(t.kind != &k || t.name != prototype.name || !is_same_place(t.where, prototype.where))
    return false;
  for(unsigned a = 0; a != k.accesses; ++a)
    if(t.regions[a] != prototype.accesses()[a].to)
      return false;
  return t.does_nothing == (k.does_nothing != nullptr && k.does_nothing(prototype));
}
} // namespace

bool closed_loop::is_like(const closed_loop& other) const {
  if(passes != other.passes || lanes_wanted != other.lanes_wanted ||
     body.size() != other.prototypes.size() || (pass == nullptr) != (other.pass == nullptr) ||
     !is_same_place(where, other.where) || !other.gone_.empty())
    return false;
  for(std::size_t i = 0; i != body.size(); ++i)
    if(!is_of(body[i], *other.prototypes[i]))
      return false;
  return true;
}

void closed_loop::begin_again(closed_loop& other) {
  prototypes = std::move(other.prototypes);
  other.prototypes.clear();
  if(made->leaves_out())
    leave_out(body);
  if(made->joins() != 0)
    add_joins();
  std::swap(memory_, other.memory_);
  pass = other.pass;
  last_launch = other.last_launch;
  is_over = false;
  finished.begin_again();
  ended.store(0, std::memory_order_relaxed);
  short_ones.begin_as(home.crews_.short_ones);
  crews.grow(home.home().workers());
  for(const auto& l : lanes_)
    l->begin_again(*this);
}

} // namespace rondo::detail::inline tracing
