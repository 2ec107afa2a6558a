// The launching side of traces: which launch comes next, and what happens if another one does.

#include <algorithm>
#include <new>

#include <rondo/tracing/flow.hpp>
#include <rondo/tracing/trace.hpp>

#include "gate.hpp"

namespace rondo {

using detail::trace_template;

// ---- which comes next --------------------------------------------------------------------------

void flow::stop_using() {
  note_position();
  expected_ = nullptr;
  in_use_ = nullptr;
  is_careful_ = false;
}

/// Before anybody looks at the position: while launches match, only `expected_` moves.
void flow::note_position() {
  if(in_use_ != nullptr && expected_->index != 0)
    in_use_->next = expected_->index;
}

/// The launch is not the one that was expected. A null pointer says that the launch is not replayed. The token is put together here: compilers
/// would do some of that before each launch.
const detail::template_node* flow::find_expected(const detail::launch_kind& kind,
  detail::region_base* const* regions, std::source_location where, const char* name,
  bool does_nothing) {
  const detail::token t{&kind, regions, where, name, does_nothing};
  if(expected_->is_join()) {
    launch_joins();
    if(expected_->kind != nullptr && expected_->is(t))
      return expected_;
  }
  note_position();
  return guarded_ != nullptr ? find_in_guard(t) : find_in_loop(t);
}

const detail::template_node* flow::find_in_guard(const detail::token& t) {
  trace& by = *guarded_;
  trace_template& now = *in_use_;
  const std::uint32_t at = expected_->index;
  if(const trace::place_in_variant other = by.find_variant(now, at, t); other.made != nullptr) {
    use(*other.made);
    if(other.at != 0) {
      begin_pass(*other.made);
      finish_pass(*other.made, other.at);
    }
    is_careful_ = true;
    return &(*other.made)[other.at];
  }
  if(const auto* const later = find_later(now, at, t)) {
    by.depart(*this, now, at, now.launches_between(at, later->index), t);
    leave_out(now, at, later->index);
    return later;
  }
  by.depart(*this, now, at, 1, t);
  is_careful_ = true; // what comes is recorded
  if(now.costs_too_much()) {
    by.dropped_ = &now;
    stop_using();
    disown_all(now);
  }
  return nullptr;
}

/// Perhaps some launches were left out.
const detail::template_node* flow::find_later(
  const trace_template& in, std::uint32_t at, const detail::token& t) {
  const std::uint32_t last = std::min(in.size(), at + most_left_out + 1);
  const std::uint64_t hash = hash_of(t);
  for(std::uint32_t i = at + 1; i < last; ++i)
    if(in[i].hash == hash && in[i].is(t))
      return &in[i];
  return nullptr;
}

void flow::leave_out(trace_template& t, std::uint32_t at, std::uint32_t until) {
  if(at == 0)
    begin_pass(t);
  finish_pass(t, until);
  is_careful_ = true;
}

/// A new pass, if the last one has come to its end; else that is completed first.
void flow::begin_pass(trace_template& t) {
  if(t.begun != 0 && t.next == 0) { // it has begun, and its first launch has failed
    is_careful_ = recorded_ != nullptr || t.is_careful();
    return;
  }
  if(t.begun != 0 && t.next != t.size())
    finish_pass(t, t.size());
  t.round = t.begun++;
  t.next = 0;
  t.spent = 0;
  begin_standing_pass(t);
  is_careful_ = recorded_ != nullptr || t.is_careful();
}

/// What has not come is left out.
void flow::finish_pass(trace_template& t, std::uint32_t until) {
  const bool is_careful = t.is_careful();
  for(; t.next != until; ++t.next) {
    const detail::template_node& n = t[t.next];
    // The launches that would have waited for turns don't: those of the next passes must.
    if(is_careful && !n.is_join())
      t.careful_until = t.round + 2;
    if(!n.is_left_out)
      launch_without_code(n, t.round);
  }
}

/// Joins behind the last launch are launched when the next pass begins, by `finish_pass`.
void flow::launch_joins() {
  for(; expected_->is_join(); ++expected_)
    launch_without_code(*expected_, in_use_->round);
}

/// It waits for its edges, and counts its events.
void flow::launch_without_code(const detail::template_node& n, std::uint64_t round) {
  begin_launch();
  auto* const l =
    ::new(current_->reserve(sizeof(detail::absent), alignof(detail::absent))) detail::absent;
  l->kind = &detail::absent::the_kind;
  l->node = &n;
  l->round = round;
  publish_internal(*l);
}

void flow::begin_replayed(const detail::template_node& n) {
  trace_template& t = *in_use_;
  if(n.index == 0)
    begin_pass(t);
  if(recorded_ != nullptr)
    try {
      recorded_->add(n.as_token());
    }
    catch(const std::bad_alloc&) {
      recorded_->clear(); // then it is not known
      recorded_ = nullptr;
    }
  if(t.lost == 0)
    return;
  if(!t.leaves_out()) {
    own_regions(n);
    return;
  }
  own_all_regions(t);
  t.careful_until = std::max(t.careful_until, t.round + 1);
  is_careful_ = true;
}

/// The launch is there, and nothing is to be done for it.
void flow::pass_over(const detail::template_node& n) {
  if(expected_->kind == nullptr)
    end_pass();
  if(is_any(looking | observed)) [[unlikely]]
    note_left_out(n);
}

void flow::note_left_out(const detail::template_node& n) {
  if(is_any(looking))
    automatic_.seen.see_replayed(n.hash);
  if(is_any(observed))
    tell_left_out(n);
}

/// Unless joins come next, before more launches: those wait until one comes (`find_expected`).
void flow::end_pass() {
  if(!expected_->ends_pass)
    return;
  in_use_->next = expected_->index;
  if(guarded_ == nullptr) {
    expected_ = &(*in_use_)[0];
    note_pass_of_loop();
  }
}

void flow::begin_guard(trace& t) {
  if(in_use_ != nullptr)
    stop_using();
  if(recorded_ != nullptr)
    end_automatic_recording();
  guarded_ = &t;
  set(looking, false);
}

void flow::end_guard() {
  if(in_use_ != nullptr)
    stop_using();
  recorded_ = nullptr;
  guarded_ = nullptr;
  if(finds_repeats_ != 0) {
    set(looking, true);
    automatic_.seen.begin_anew();
  }
}

// ---- whose the regions are ---------------------------------------------------------------------

void flow::own_regions(const detail::template_node& n) {
  trace_template& t = *in_use_;
  for(std::size_t i = 0; i != n.kind->accesses; ++i) {
    const trace_template::slot& s = t.slots[n.slots[i]];
    if(s.is_owned)
      continue;
    if(s.of->owner != nullptr)
      disown(*s.of);
    t.own(n.slots[i]);
    t.careful_until = std::max(t.careful_until, t.round + 1);
    is_careful_ = true;
  }
}

void flow::own_all_regions(trace_template& t) {
  // As in disown_all, of each owner.
  const trace_template* owner = nullptr;
  detail::region_base* first = nullptr;
  for(const trace_template::slot& s : t.slots) {
    const trace_template* const of = s.of->owner;
    if(s.is_owned || of == nullptr)
      continue;
    const bool waits_for_all = of->waits_for_all(s.of->slot);
    disown(*s.of, waits_for_all && of == owner ? first : nullptr);
    if(waits_for_all && of != owner) {
      owner = of;
      first = s.of;
    }
  }
  t.spent += t.slots.size();
  if(t.leaves_out())
    wait_for_others(t);
  for(std::uint32_t i = 0; i != t.slots.size(); ++i)
    t.own(i);
}

/// Where launches are left out it is not known which of the regions are used through one that is. So
/// what comes now waits for all that others have done with any of them.
void flow::wait_for_others(const trace_template& t) {
  begin_launch();
  uses_.clear();
  for(const trace_template::slot& s : t.slots)
    if(!s.is_owned && !s.of->running().reached(s.of->entered()))
      uses_.push_back({&s.of->running(), s.of->entered()});
  if(uses_.empty())
    return;
  detail::region_base& first = *t.slots.front().of;
  publish_gate(make_gate(uses_.size()), first);
  for(const trace_template::slot& s : t.slots)
    if(s.of != &first) {
      begin_launch();
      uses_.assign(1, {&first.running(), first.entered()});
      publish_gate(make_gate(1), *s.of);
    }
}

void flow::take_turns(detail::launch& l) {
  l.enters = true;
  for(std::size_t i = 0; i != l.kind->accesses; ++i)
    l.accesses()[i].turn = in_use_->slots[l.node->slots[i]].turn;
}

/// Somebody else is about to use the region: from now on its turns say everything again. `before`: a region that waits already for all that this one
/// has to wait for.
void flow::disown(detail::region_base& r, detail::region_base* before) {
  if(&r.home() != this)
    return;       // it will be refused
  begin_launch(); // which may help, and then the owner is perhaps no more
  if(r.owner == nullptr)
    return;
  if(before == nullptr)
    last_uses(r);
  else {
    uses_.assign(1, {&before->running(), before->entered()});
    forget_reached();
  }
  detail::gate* gate = nullptr;
  if(!uses_.empty())
    gate = &make_gate(uses_.size());
  // From here on nothing can fail.
  trace_template& t = *r.owner;
  trace_template::slot& s = t.slots[r.slot];
  t.spent += before == nullptr && t.waits_for_all(r.slot) ? t.size() : 1;
  s.is_owned = false;
  ++t.lost;
  if(&t == in_use_)
    is_careful_ = true;
  r.owner = nullptr;
  if(gate != nullptr)
    publish_gate(*gate, r);
}

/// The same for all regions of a template. Where not all of their last uses are known each would wait for most of its launches: so one does,
/// and the others wait for that one.
void flow::disown_all(trace_template& t) {
  if(t.are_last_uses_known()) {
    for(const trace_template::slot& s : t.slots)
      if(s.is_owned)
        disown(*s.of);
    return;
  }
  begin_launch();
  last_uses_of_all(t);
  const bool is_anything_left = !uses_.empty();
  detail::region_base* first = nullptr;
  for(trace_template::slot& s : t.slots) {
    if(!s.is_owned)
      continue;
    if(first != nullptr) {
      begin_launch();
      uses_.assign(1, {&first->running(), first->entered()});
    }
    detail::gate* const gate = is_anything_left ? &make_gate(uses_.size()) : nullptr;
    // From here on nothing can fail.
    s.is_owned = false;
    ++t.lost;
    s.of->owner = nullptr;
    if(gate == nullptr)
      continue;
    publish_gate(*gate, *s.of);
    if(first == nullptr)
      first = s.of;
  }
}

/// With room for so many that it waits for.
detail::gate& flow::make_gate(std::size_t awaited) {
  const std::size_t bytes = sizeof(detail::gate) + awaited * sizeof(trace_template::awaited);
  auto* const g = ::new(current_->reserve(bytes, alignof(detail::gate))) detail::gate;
  g->count = static_cast<std::uint32_t>(awaited);
  return *g;
}

void flow::publish_gate(detail::gate& g, const detail::launch_kind& kind) {
  g.kind = &kind;
  g.node = nullptr;
  g.run = &detail::run_launch;
  g.go_on = &detail::go_on_launch;
  publish_internal(g);
}

/// It comes after all that `uses_` says, and what others do with the region after it.
void flow::publish_gate(detail::gate& g, detail::region_base& r) {
  std::uninitialized_copy(uses_.begin(), uses_.end(), g.after());
  g.access.to = &r;
  g.access.mode = detail::access_mode::write;
  r.may_enter(next_id_, detail::access_mode::write, r.last_where());
  g.access.turn = r.enter(detail::access_mode::write);
  publish_gate(g, detail::gate::the_kind);
}

/// In `uses_`: launches of the owner that have not ended and must have before others use the region.
void flow::last_uses(const detail::region_base& r) {
  uses_.clear();
  if(r.owner == nullptr)
    return;
  if(r.owner == in_use_)
    note_position();
  r.owner->last_uses(r.slot, uses_);
  forget_reached();
}

void flow::last_uses_of_all(const trace_template& t) {
  uses_.clear();
  t.last_events(uses_);
  forget_reached();
}

void flow::forget_reached() {
  std::erase_if(uses_, [](const trace_template::awaited& a) { return a.what->reached(a.turn); });
}

// ---- templates come and go ---------------------------------------------------------------------

/// Launches may still look at it.
void flow::bury(std::unique_ptr<trace_template> t) {
  if(t.get() == in_use_)
    stop_using();
  disown_all(*t);
  t->last_launch = next_id_;
  buried_.push_back(std::move(t));
}

/// All launches have ended, up to what the oldest batch begins with.
void flow::dig_up() {
  std::erase_if(
    buried_, [this](const auto& t) { return t->last_launch <= first_batch_ * batch_size_; });
}

/// A region ends, when everything launched has.
void flow::forget(const detail::region_base& r) {
  for(trace* t = traces_; t != nullptr; t = t->next_)
    t->forget(r);
  if(automatic_.found != nullptr && automatic_.found->names(r)) {
    if(in_use_ == automatic_.found.get())
      stop_using();
    automatic_.found.reset();
  }
  std::erase_if(buried_, [&r](const auto& t) { return t->names(r); });
}

} // namespace rondo
