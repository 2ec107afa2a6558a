#include <rondo/distributed/scheduler.hpp>

#include "agree.hpp"
#include "divergence/check.hpp"

namespace rondo {

scheduler::scheduler(executor& ex, transport& t, flow_options options)
    : executor_(ex), transport_(t),
      workers_(static_cast<unsigned>(detail::agree_on_least(t, ex.workers()))), flow_(ex, options),
      history_(t.ranks() == 1 ? nullptr : std::make_unique<detail::launch_history>()),
      check_(history_ == nullptr ? nullptr
                                 : std::make_unique<detail::divergence_check>(t, *history_,
                                     new_channels(detail::divergence_check::channels))),
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

void scheduler::wait() {
  let_go();
  if(failure_ != nullptr)
    std::rethrow_exception(std::exchange(failure_, nullptr));
}

void scheduler::let_go() noexcept {
  try {
    flow_.wait();
  }
  catch(...) {
    if(failure_ == nullptr)
      failure_ = std::current_exception();
    forget_ghosts(); // some were to be filled after the failure
  }
}

void scheduler::fetch(detail::field_base& f, const std::source_location& where) {
  if(!f.is_stale || f.of().halo().is_nowhere)
    return;
  f.is_stale = false;
  if(f.exchange == nullptr)
    f.exchange = std::make_unique<detail::halo>(f);
  f.exchange->refresh(where);
}

void scheduler::refuse_field(
  const char* task, const detail::field_base& f, const std::source_location& where) {
  std::string what = where.file_name();
  what += ':';
  what += std::to_string(where.line());
  what += ": ";
  what += task;
  what += ": the field '";
  what += f.name();
  what += "' belongs to another topology than the other arguments";
  throw std::invalid_argument(what);
}

void scheduler::refuse_in_body(const char* what) const {
  if(bodies_ != 0)
    throw std::logic_error(
      std::string("rondo: ") + what +
      " is made in the body of repeat() or iterate(), whose passes are launched ahead; "
      "make it before the loop");
}

void scheduler::forget_ghosts() {
  for(detail::field_base* const f : fields_)
    f->is_stale = true;
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
  if(s.history_ != nullptr)
    options.certain = s.history_->begin_loop(where, options.max, options.lag);
}

scheduler::loop_ahead::~loop_ahead() {
  s.pass_ = 0;
  s.forget_ghosts();
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
