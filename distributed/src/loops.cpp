// Loops whose passes are launched ahead: what is certain in them and behind them.
#include <rondo/distributed/scheduler.hpp>

#include <string>
#include <utility>

#include <rondo/core/place.hpp>

namespace rondo {

void scheduler::refuse_in_body(const std::string& what, const std::source_location& where) const {
  const auto refuse = [&](const std::string& why) {
    throw std::logic_error(
      (where.line() == 0 ? "rondo: " : detail::place(where) + ": ") + what + " is made " + why);
  };
  if(detail::current_fiber() != maker_)
    refuse("by a task, while only the program itself makes them: all ranks have to make the "
           "same; make it before the launch (docs/mistakes.md)");
  if(occupied_ == occupation::says_costs)
    refuse("by the function that says what a color costs; make it before balance");
  if(bodies_ != 0)
    refuse(std::string("in the body of ") + innermost_.what + " at " +
           detail::place(innermost_.where) + ", which is launched ahead; make it before that");
}

scheduler::kept_body::kept_body(scheduler& of, const std::source_location& where)
    : in_body(of, "repeat()", where) {
  s.gathering_.launch_gathered(); // of the body around
  fetched_around = std::exchange(s.fetches_, {});
}

/// Nothing of it, if what the body launches is not kept.
void scheduler::kept_body::begin_call() const {
  if(!s.flow_.kept())
    return;
  // The next pass has to fetch what one leaves stale, so this one has to as well.
  s.forget_ghosts();
  s.fetches_ = {};
  for(detail::field_state* const f : s.fields_)
    f->is_written_in_body = false;
}

bool scheduler::pass_runs() { return uncertain_ == 0 || flow_.pass_runs(); }

scheduler::maybe_run::maybe_run(scheduler& of, const char* what, const std::source_location& where)
    : in_body(of, what, where), uncertain(of.uncertain_++) {
  for(detail::field_state* const f : s.fields_)
    f->ghosts_were.push_back(f->ghosts_are);
}

/// Then only the state of before is certain; and colors that the body has moved apart are moved in any case.
void scheduler::maybe_run::begin_other() const {
  s.forget_ghosts();
  for(detail::field_state* const f : s.fields_)
    f->ghosts_are = after_loop(f->ghosts_were.back());
  s.end_moves();
}

scheduler::maybe_run::~maybe_run() {
  s.uncertain_ = uncertain;
  begin_other();
  for(detail::field_state* const f : s.fields_)
    f->ghosts_were.pop_back();
}

scheduler::loop_ahead::loop_ahead(
  scheduler& of, iterate_options& options, const std::source_location& where_it_is)
    : maybe_run(of, "iterate()", where_it_is), where(where_it_is), is_inner(s.loops_ahead_++ != 0),
      told(s.history_) {
  options.where = where;
  if(is_inner)
    s.note(detail::step_kind::iterate, where, detail::launch_subject::of_number(options.max));
  else if(told != nullptr)
    options.certain = told->begin_loop(where, options.max, options.lag);
}

scheduler::loop_ahead::~loop_ahead() {
  --s.loops_ahead_;
  s.history_ = told;
  if(told != nullptr && !is_inner)
    told->end_loop();
}

/// The first pass runs if the loop does. Of inner loops only that one is compared between ranks.
void scheduler::loop_ahead::begin_pass(std::uint64_t pass) const {
  s.uncertain_ = uncertain + (pass == 0 ? 0 : 1);
  if(!is_inner)
    s.note(detail::step_kind::pass, where, detail::launch_subject::of_number(pass));
  else if(pass != 0)
    s.history_ = nullptr;
}

/// A stop that is not the same on all ranks leaves some of them waiting.
void scheduler::loop_ahead::note_passes(const future<std::uint64_t>& passes) const {
  if(told != nullptr && !is_inner)
    s.flow_.submit(
      named("iterate: note the passes", [history = told, loop = told->last_loop()](
                                          std::uint64_t n) { history->note_passes(loop, n); }),
      passes);
}

} // namespace rondo
