#include <rondo/distributed/scheduler.hpp>

#include <algorithm>

#include <rondo/core/place.hpp>
#include <sched.h>

#include "agree.hpp"
#include "divergence/check.hpp"
#include "failure.hpp"

namespace rondo {

namespace {
/// Users of meshes don't know of flows.
flow_options named_for_users(flow_options o) {
  o.name = "rondo::scheduler";
  return o;
}
} // namespace

scheduler::scheduler(executor& ex, transport& t, flow_options options)
    : executor_(ex), transport_(t), channels_are_ours_(t),
      workers_(static_cast<unsigned>(detail::agree_on_least(t, ex.workers()))),
      flow_(ex, named_for_users(options)),
      history_(t.ranks() == 1 ? nullptr : std::make_unique<detail::launch_history>()),
      check_(history_ == nullptr ? nullptr
                                 : std::make_unique<detail::divergence_check>(t, *history_,
                                     static_cast<std::uint32_t>(std::exchange(channels_,
                                       channels_ + detail::divergence_check::channels)))),
      exceptions_(std::uncaught_exceptions()), network_(ex, t) {
  network_.watch(flow_);
  network_.watch(check_.get());
}

scheduler::~scheduler() {
  // With a failure on its way this rank ends all others, and does not wait for them.
  const bool has_failed = std::uncaught_exceptions() > exceptions_;
  if(!has_failed)
    end_program();
  let_go();
  if(check_ != nullptr && !has_failed)
    check_->finish();
}

void scheduler::end_program() {
  if(!std::exchange(has_ended_, true))
    note(detail::step_kind::end, std::source_location());
}

void scheduler::note_made(detail::step_kind kind, const std::source_location& where,
  std::uint32_t number, std::uint64_t properties, std::string name) {
  if(history_ == nullptr)
    return;
  history_->call(number, std::move(name));
  detail::launch_subject on;
  on.add(number);
  on.hash += properties;
  history_->note(kind, where, on);
}

void scheduler::wait(std::source_location where) {
  let_go(where);
  if(failure_ == nullptr)
    return;
  thrown_ = std::exchange(failure_, nullptr);
  std::rethrow_exception(thrown_);
}

std::string scheduler::failed_task(const std::exception_ptr& thrown) const {
  return thrown != nullptr && thrown == thrown_ ? failed_task_ : std::string();
}

void scheduler::let_go(const std::source_location& where) noexcept {
  try {
    flow_.wait(where);
    separated_.clear();
  }
  catch(...) {
    // Other ranks would wait for what the task has not done, or go on without it: nobody can catch that here.
    if(ranks() > 1)
      detail::end_all(transport_, flow_.last_failed_launch(), std::current_exception());
    if(failure_ == nullptr) {
      failure_ = std::current_exception();
      failed_task_ = flow_.last_failed_launch();
    }
    forget_ghosts(); // some were to be filled after the failure
    launch_moves(separated_);
  }
}

std::uint32_t scheduler::used_channel() {
  if(free_channels_.empty()) {
    const std::string limit = std::to_string(transport_.most_channel()) +
                              ", the most that the transport " + transport_.name() +
                              " can tell apart" +
                              (transport_.name() == std::string("mpi") ? " (MPI_TAG_UB)" : "");
    if(given_back_.empty())
      throw std::runtime_error(
        "rondo: no channel is left for another field or reduction: there are " + limit +
        "; keep fewer fields and topologies at a time");
    if(bodies_ != 0)
      throw std::logic_error(
        "rondo: ranks have to agree on which channels are used again, since all " + limit +
        ", have been used, and can't do so in the body of a loop whose "
        "passes are launched ahead; launch the reduction once before the loop");
    // A rank that has given a channel back may still get what another one sends there, to a receive that
    // it has given up only now. Once all have come here nobody uses any of those.
    let_go();
    transport_.meet();
    free_channels_.swap(given_back_);
  }
  const std::uint32_t c = free_channels_.back();
  free_channels_.pop_back();
  return c;
}

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
                 (writes(a.owned) && of->in_place != field_state::readers::nobody);
  }
};
} // namespace detail::inline distributed

detail::topology_state& scheduler::begin_launch(detail::step_kind kind, const launch_site& l,
  std::uint64_t hash_of_name, std::span<const detail::launch_argument> uses) {
  refuse_in_mpi(l);
  detail::topology_state* over = nullptr;
  const auto look_at = [&over](detail::topology_state& t) {
    if(over == nullptr || (over->is_replicated() && !t.is_replicated()))
      over = &t;
  };
  detail::launch_subject on;
  for(const detail::launch_argument& u : uses) {
    on.add(u.number());
    if(u.field == nullptr)
      look_at(*u.of);
  }
  for(const detail::launch_argument& u : uses)
    if(u.field != nullptr)
      look_at(*u.of);
  note_launch(kind, l, hash_of_name, on);
  for(const detail::launch_argument& u : uses)
    if(u.of != over)
      check(l, *over, u);
  return *over;
}

std::size_t scheduler::prepare(std::span<const detail::launch_argument> uses,
  const std::source_location& where, detail::halo_use* halos) {
  std::size_t count = 0;
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
    const detail::halo_use h = prepare(all, where);
    if(h.of != nullptr)
      halos[count++] = h;
  }
  return count;
}

detail::halo_use scheduler::prepare(const detail::field_use& u, const std::source_location& where) {
  using readers = detail::field_state::readers;
  detail::field_state& f = *u.of;
  detail::halo_use use{};
  if(!f.elements().has_ghosts)
    return use;
  const detail::coherence_step step = before_launch(f.ghosts_are, u);
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
    // Those who wrote their own color are waited for by whoever fills ghosts from that.
    use.clears = u.writes_owned && (f.in_place == readers::anybody ||
                                     (f.in_place == readers::who_writes_its_own && !use.fills));
    if(u.writes_owned)
      f.in_place = u.reads_ghosts ? readers::who_writes_its_own : readers::nobody;
    else if(u.reads_ghosts)
      f.in_place = readers::anybody;
  }
  if(use.fills || use.clears) {
    if(f.exchange == nullptr)
      f.exchange = std::make_unique<detail::halo>(f);
    use.of = f.exchange.get();
  }
  return use;
}

void scheduler::launch_all(const detail::halo_use& h, const std::source_location& where) {
  if(h.clears)
    for(std::size_t c = 0; c != h.of->colors(); ++c)
      h.of->launch_clearing(c, where);
  if(h.fills)
    h.of->refresh(where);
}

void scheduler::launch_halos(
  std::span<const detail::launch_argument> uses, const std::source_location& where) {
  gathering_.launch_gathered(); // they come before
  std::vector<detail::halo_use> halos(uses.size());
  halos.resize(prepare(uses, where, halos.data()));
  for(const detail::halo_use& h : halos)
    launch_all(h, where);
  note_written(uses);
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
  moved_.clear();
}

namespace {
[[noreturn]] void refuse(
  const char* task, const std::source_location& where, const std::string& why) {
  std::string what = detail::place(where);
  what += ": ";
  what += task;
  what += ": ";
  what += why;
  throw std::invalid_argument(what);
}

} // namespace

void scheduler::check(
  const launch_site& l, const detail::topology_state& over, const detail::launch_argument& a) {
  const bool fits = a.of->is_replicated() || a.of->has_colors_of(over);
  if(a.field == nullptr) {
    if(!fits)
      refuse(l.task, l.where,
        "it is given two topologies that are not cut into the same colors; for values of "
        "each color of a mesh make an index of it: topo::index pieces{mesh}");
  }
  else if(!fits)
    refuse(l.task, l.where,
      "the " + detail::quoted("field", a.field->name()) +
        " belongs to another topology than the other arguments");
  else if(a.of->is_replicated() && a.is_written() && !over.is_replicated())
    refuse(l.task, l.where,
      "it writes the " + detail::quoted("global field", a.field->name()) +
        ", but runs once for each color of another topology; reduce to a value, and write "
        "it by a task over global fields");
}

void scheduler::check_replicated(const launch_site& l, const detail::topology_state& t) {
  if(!t.is_replicated())
    refuse(l.task, l.where,
      "it runs once on each rank, for all colors of a mesh: make the parameter per_color<...>");
}

void scheduler::refuse_launch(const launch_site& l) {
  refuse(l.task, l.where, "launched by a task that calls MPI, while nothing else may run");
}

void scheduler::prepare_mpi(const launch_site& l) const {
  refuse_in_mpi(l);
  if(bodies_ != 0)
    refuse(l.task, l.where,
      "execute_mpi waits for all that was launched before, so it can't be in the body of "
      "repeat() or iterate(), whose passes are launched ahead; take a plain loop");
}

void scheduler::begin_mpi() {
  // All that this rank was to receive is here. When all ranks say so, what they have sent has
  // arrived, and nobody needs anybody's help.
  while(transport_.is_sending())
    if(!transport_.poll())
      sched_yield();
  transport_.meet();
  transport_.enter_mpi();
  is_in_mpi_ = true;
}

void scheduler::end_mpi() {
  is_in_mpi_ = false;
  transport_.leave_mpi();
}

void scheduler::refuse_in_body(const char* what) const {
  if(bodies_ != 0)
    throw std::logic_error(
      std::string("rondo: ") + what +
      " is made in the body of repeat() or iterate(), whose passes are launched ahead; "
      "make it before the loop");
}

void scheduler::forget_ghosts() {
  for(detail::field_state* const f : fields_) {
    f->ghosts_are.is_stale = true;
    if(f->is_together())
      f->in_place = detail::field_state::readers::anybody;
  }
}

bool scheduler::pass_runs() {
  if(pass_ == 0)
    return true;
  // A launch of the pass, which is skipped if the pass is.
  const future<bool> probe = flow_.submit(named("iterate: does it run?", [] { return true; }));
  probe.wait();
  return !probe.cancelled();
}

scheduler::loop_ahead::loop_ahead(
  scheduler& of, iterate_options& options, const std::source_location& where_it_is)
    : s(of), where(where_it_is) {
  if(s.bodies_ == 0)
    for(detail::field_state* const f : s.fields_)
      f->ghosts_were = f->ghosts_are;
  options.where = where;
  if(s.history_ != nullptr)
    options.certain = s.history_->begin_loop(where, options.max, options.lag);
}

scheduler::loop_ahead::~loop_ahead() {
  s.pass_ = 0;
  s.forget_ghosts();
  if(s.bodies_ == 0)
    for(detail::field_state* const f : s.fields_)
      f->ghosts_are = after_loop(f->ghosts_were);
  s.end_moves();
  if(s.history_ != nullptr)
    s.history_->end_loop();
}

/// A stop that is not the same on all ranks leaves some of them waiting.
future<std::uint64_t> scheduler::loop_ahead::note_passes(future<std::uint64_t> passes) const {
  if(s.history_ != nullptr)
    s.flow_.submit(named("iterate: note the passes",
                     [history = s.history_.get(), loop = s.history_->last_loop()](
                       std::uint64_t n) { history->note_passes(loop, n); }),
      passes);
  return passes;
}

} // namespace rondo
