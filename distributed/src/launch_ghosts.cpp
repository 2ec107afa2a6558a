// Work for the ghosts of fields before a launch. coherence.hpp says what is needed; here it is asked, noted and
// done.
#include <algorithm>
#include <stdexcept>
#include <string>

#include <rondo/core/place.hpp>
#include <rondo/distributed/contributions.hpp>
#include <rondo/distributed/scheduler.hpp>

#include "checks/first_use.hpp"
#include "the_field.hpp"

namespace rondo {

namespace detail::inline distributed {
struct field_use : coherence_use {
  field_state* of = nullptr;
  bool may_matter = false;

  explicit field_use(field_state* f) : of(f) {}

  void add(const launch_argument& a) {
    writes_owned = writes_owned || writes(a.owned);
    writes_ghosts = writes_ghosts || writes(a.ghosts);
    reads_ghosts = reads_ghosts || reads(a.ghosts);
    reads_before = reads_before || (reads(a.ghosts) && a.ghosts != still);
    may_matter = may_matter || a.ghosts != na ||
                 (writes(a.owned) && of->read_in_place.readers != in_place_readers::nobody);
  }
};
} // namespace detail::inline distributed

namespace {

/// Of the ghosts of a field that a launch reads.
short greatest_depth(std::span<const detail::launch_argument> uses, const detail::field_state& f) {
  short depth = 0;
  for(const detail::launch_argument& u : uses)
    if(u.field == &f)
      depth = std::max(depth, u.depth);
  return depth == 0 || depth >= f.halo_depth() ? short{whole_halo} : depth;
}

/// Numbered elements are not so and so deep.
void refuse_depth(const detail::launch_argument& u, const std::source_location& where) {
  if(u.field == nullptr || u.depth == 0 || u.depth == whole_halo || !u.of->outline().has_elements)
    return;
  std::string what = detail::place(where);
  what += ": ghosts " + std::to_string(u.depth) + " deep are asked for of " +
          detail::the_field(u.field->name()) +
          ", whose topology has no halo; declare accessor<..., ro>, without the number: all ghosts "
          "are fetched";
  throw std::invalid_argument(what);
}

} // namespace

std::size_t scheduler::ghosts_before(std::span<const detail::launch_argument> uses,
  const std::source_location& where, detail::ghost_actions* actions, bool some_ask_for_less,
  bool may_name_neighbours) {
  std::size_t count = 0;
  if(some_ask_for_less)
    for(const detail::launch_argument& u : uses)
      refuse_depth(u, where);
  for(auto u = uses.begin(); u != uses.end(); ++u) {
    const auto is_same = [&](const detail::launch_argument& a) { return a.field == u->field; };
    if(u->field == nullptr || std::any_of(uses.begin(), u, is_same))
      continue;
    // Two parameters may be for the same field: then both count.
    detail::field_use all{u->field};
    for(auto other = u; other != uses.end(); ++other)
      if(is_same(*other))
        all.add(*other);
    if(!all.may_matter)
      continue;
    const short depth = some_ask_for_less ? greatest_depth(uses, *u->field) : short{whole_halo};
    const detail::ghost_actions h = ghosts_before(all, depth, where, may_name_neighbours);
    if(h.are_any())
      actions[count++] = h;
  }
  return count;
}

detail::ghost_actions scheduler::ghosts_before(const detail::field_use& u, short depth,
  const std::source_location& where, bool may_name_neighbours) {
  detail::field_state& f = *u.of;
  detail::ghost_actions use{};
  if(!f.elements().has_ghosts)
    return use;
  const detail::coherence_step step = before_launch(f.ghosts_are, u, depth);
  f.ghosts_are = step.then;
  // In a pass launched in vain colors may have been moved apart already.
  if(step.separates && f.is_together()) {
    gathering_.launch_gathered();
    f.separate(where);
    separated_.push_back(&f);
    if(bodies_ != 0)
      moved_.push_back(&f);
  }
  use.fills = step.fetches;
  if(f.is_together()) {
    // What is kept for later passes of a loop has to copy should a launch behind it move colors apart.
    use.names_neighbours =
      may_name_neighbours && detail::may_name_neighbours(u) && !flow_.kept().has_value();
    const detail::in_place_step before =
      before_launch(f.read_in_place, u, use.fills, depth == whole_halo, use.names_neighbours);
    f.read_in_place = before.then;
    use.clears = before.clears;
    use.waits = before.waits;
  }
  if(!use.are_any())
    return use;
  if(f.filled_by == nullptr)
    f.filled_by = detail::make_halo(f);
  use.of = f.filled_by.get();
  if(depth != whole_halo && use.fills)
    use.of = near_halo(f, depth);
  else if(depth != whole_halo && use.names_neighbours && f.near_halo(depth) != nullptr)
    use.of = f.near_halo(depth);
  return use.of != nullptr ? use : detail::ghost_actions{};
}

/// Null in a pass that doesn't run, if there was none before: as below.
detail::halo* scheduler::near_halo(detail::field_state& f, short depth) {
  if(f.near_halo(depth) == nullptr && pass_runs()) {
    const auto at = static_cast<std::size_t>(depth - 1);
    f.filled_near.resize(std::max(f.filled_near.size(), at + 1));
    f.filled_near[at] = detail::make_halo(f, depth);
  }
  return f.near_halo(depth);
}

void scheduler::launch_ghosts(const detail::ghost_actions& h, const std::source_location& where) {
  if(h.clears)
    for(std::size_t c = 0; c != h.of->colors(); ++c)
      h.of->launch_clearing(c, where);
  h.of->refresh(h, where);
}

void scheduler::launch_ghosts(
  std::span<const detail::launch_argument> uses, const std::source_location& where) {
  gathering_.launch_gathered(); // they come before
  std::vector<detail::ghost_actions> actions(uses.size());
  actions.resize(ghosts_before(uses, where, actions.data(), true, false));
  for(const detail::ghost_actions& h : actions)
    launch_ghosts(h, where);
  note_written(uses);
  if constexpr(detail::is_checked) // by a file, or a task that calls MPI
    detail::note_first_uses(uses, {nullptr, where}, rank());
}

/// Nothing is launched in a pass that doesn't run, if there was no such launch before: others may never come to it, and
/// channels are made in the same order everywhere.
void scheduler::launch_before_contributions(
  detail::field_state& f, const detail::folding& how, const std::source_location& where) {
  if(!f.elements().has_ghosts || (f.contributed_by == nullptr && !pass_runs()))
    return;
  if(f.contributed_by == nullptr)
    f.contributed_by = detail::make_contributions(f);
  f.contributed_by->launch_before(how, where);
}

void scheduler::launch_after_contributions(
  detail::field_state& f, const detail::folding& how, const std::source_location& where) {
  if(f.contributed_by != nullptr)
    f.contributed_by->launch_after(how, where);
}

void scheduler::launch_moves(const std::vector<detail::field_state*>& of) noexcept {
  try {
    for(detail::field_state* const f : of)
      f->launch_moves(std::source_location::current());
  }
  catch(...) {
    if(failure_ == nullptr)
      failure_ = std::current_exception();
  }
}

void scheduler::end_moves() noexcept {
  launch_moves(moved_);
  if(uncertain_ == 0)
    moved_.clear();
}

void scheduler::forget_ghosts() {
  for(detail::field_state* const f : fields_) {
    f->ghosts_are = after_launch(f->ghosts_are, {.writes_owned = true});
    if(f->is_together())
      f->read_in_place = {.readers = detail::in_place_readers::anybody, .owes_waits = true};
  }
}

} // namespace rondo
