// Loops whose passes are launched ahead: what is certain in them and behind them.
#include <rondo/distributed/scheduler.hpp>

namespace rondo {

void scheduler::refuse_in_body(const char* what) const {
  if(bodies_ != 0)
    throw std::logic_error(
      std::string("rondo: ") + what +
      " is made in the body of repeat() or iterate(), whose passes are launched ahead; "
      "make it before the loop");
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
