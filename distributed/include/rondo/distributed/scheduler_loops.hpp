#pragma once

/// \file
/// Loops of the scheduler: what is done around their bodies, so that all ranks know the same of ghosts afterwards, and what is compared between
/// ranks. Part of scheduler.hpp. docs/protocols/loops.md, divergence.md.

#include <cstdint>
#include <source_location>
#include <tuple>
#include <utility>

#include <rondo/distributed/scheduler.hpp>

namespace rondo {

/// The body of a loop is being called, `what` at that place, for messages.
struct scheduler::in_body {
  scheduler& s;
  const called_loop around;
  in_body(scheduler& of, const char* what, const std::source_location& where)
      : s(of), around(std::exchange(s.innermost_, {what, where})) {
    ++s.bodies_;
  }
  ~in_body() {
    --s.bodies_;
    s.innermost_ = around;
  }
  in_body(const in_body&) = delete;
  in_body& operator=(const in_body&) = delete;
};

/// The body of a `repeat` is being called: what it fetches is noted apart from what a body around it does.
struct scheduler::kept_body : in_body {
  kept_body(scheduler& of, const std::source_location& where);
  ~kept_body() { s.fetches_ = std::move(fetched_around); }
  kept_body(const kept_body&) = delete;
  kept_body& operator=(const kept_body&) = delete;
  void begin_call() const;
  detail::fetches_in_body fetched_around;
};

/// Of a body that is called again and again, in a pass that may be in vain: ranks that know that it is stop, so they
/// compare the first call only.
struct scheduler::first_call_told {
  scheduler& s;
  detail::launch_history* const told;
  explicit first_call_told(scheduler& of) : s(of), told(of.history_) {}
  void end_call() const {
    if(s.loops_ahead_ != 0 || s.uncertain_ != 0)
      s.history_ = nullptr;
  }
  ~first_call_told() { s.history_ = told; }
  first_call_told(const first_call_told&) = delete;
  first_call_told& operator=(const first_call_told&) = delete;
};

/// Launches that may not run. The state that is known after them must not depend on whether they do, nor, in a loop, on how many
/// passes this rank has launched ahead: all fields are stale, and where they lie is what it was before.
struct scheduler::maybe_run : in_body {
  maybe_run(scheduler& of, const char* what, const std::source_location& where);
  ~maybe_run();
  maybe_run(const maybe_run&) = delete;
  maybe_run& operator=(const maybe_run&) = delete;
  /// Another body follows, of which nobody knows either whether it runs; but not both do.
  void begin_other() const;
  const unsigned uncertain; ///< Around it.
};

/// Ranks launch ahead more or less far, and nobody knows yet which pass of a loop will be the last.
struct scheduler::loop_ahead : maybe_run {
  const std::source_location& where;
  const bool
    is_inner; ///< Its passes are not compared, but for the first one: docs/protocols/divergence.md.
  detail::launch_history* const told;
  loop_ahead(scheduler& of, iterate_options& options, const std::source_location& where_it_is);
  ~loop_ahead();
  loop_ahead(const loop_ahead&) = delete;
  loop_ahead& operator=(const loop_ahead&) = delete;
  void begin_pass(std::uint64_t pass) const;
  void note_passes(const future<std::uint64_t>& passes) const;
  template<class Result>
  Result note_passes_of(Result all) const {
    if constexpr(detail::is_future<Result>)
      note_passes(all);
    else
      note_passes(std::get<0>(all));
    return all;
  }
};

template<class Body>
auto scheduler::counting_passes(const loop_ahead& loop, Body& body) {
  return [this, &loop, &body](std::uint64_t pass) {
    // If the body throws, what it has launched so far is of this pass all the same.
    const detail::launch_at_end at_end{gathering_};
    loop.begin_pass(pass);
    return detail::call_pass(body, pass);
  };
}

template<class Body>
auto scheduler::gathered(Body& body) {
  return [this, &body] {
    const detail::launch_at_end at_end{gathering_};
    body();
  };
}

template<detail::repeat_body Body>
void scheduler::repeat(std::uint64_t n, Body&& body, std::source_location where) {
  detail::refuse_negative_passes(n, where);
  note(detail::step_kind::repeat, where, detail::launch_subject::of_number(n));
  if(n == 0)
    return;
  const kept_body here(*this, where);
  try {
    const first_call_told told(*this);
    const auto call = [&](const auto&... number) {
      here.begin_call();
      try {
        body(number...);
        gathering_.launch_gathered();
      }
      catch(...) {
        if(flow_.kept())
          gathering_.forget(); // nothing of it runs
        throw;
      }
      told.end_call();
      fetches_.launch_before_loop(flow_, fields_);
    };
    if constexpr(detail::takes_number<Body>)
      flow_.repeat(
        n, [&](const pass_number& pass) { call(pass); }, where);
    else
      flow_.repeat(
        n, [&] { call(); }, where);
  }
  catch(...) {
    forget_ghosts(); // what was kept does not run
    end_moves();
    throw;
  }
  if(uncertain_ == 0)
    moved_.clear();
  note(detail::step_kind::end_of_repeat, where);
}

template<detail::loop_body Body>
auto scheduler::iterate(iterate_options options, Body&& body, std::source_location where) ->
  typename detail::loop_result_of<Body>::type {
  const loop_ahead ahead(*this, options, where);
  return ahead.note_passes_of(flow_.iterate(counting_passes(ahead, body), options));
}

template<detail::loop_body Body>
auto scheduler::iterate(trace& t, iterate_options options, Body&& body, std::source_location where)
  -> typename detail::loop_result_of<Body>::type {
  const loop_ahead ahead(*this, options, where);
  return ahead.note_passes_of(flow_.iterate(t, counting_passes(ahead, body), options));
}

template<class Body>
void scheduler::when(future<bool> condition, Body&& body, std::source_location where) {
  note(detail::step_kind::when, where);
  const maybe_run here(*this, "when()", where);
  flow_.when(std::move(condition), gathered(body), where);
}

template<class Then, class Else>
void scheduler::either(
  future<bool> condition, Then&& then, Else&& otherwise, std::source_location where) {
  note(detail::step_kind::when, where);
  const maybe_run here(*this, "either()", where);
  const auto other = [&] {
    here.begin_other();
    otherwise();
  };
  flow_.either(std::move(condition), gathered(then), gathered(other), where);
}

} // namespace rondo
