#pragma once

/// \file
/// Loops of a flow: `repeat`, `iterate` and `when`. A part of flow.hpp, which includes it. docs/protocols/loops.md.

#include <rondo/core/planned.hpp>
#include <rondo/tracing/empty_future.hpp>
#include <rondo/tracing/flow.hpp>

namespace rondo {

/// A loop begins in the guard of a trace. Launches before it, and behind it, are passes of parts of the trace.
class flow::guard_break {
public:
  explicit guard_break(flow& f) : guarded_(f.guarded_) {
    if(guarded_ != nullptr) [[unlikely]]
      end_part();
  }
  ~guard_break() {
    if(guarded_ != nullptr) [[unlikely]]
      begin_part();
  }
  guard_break(const guard_break&) = delete;
  guard_break& operator=(const guard_break&) = delete;

private:
  void end_part();
  void begin_part();

  trace* guarded_;
};

/// Counts what bodies of loops launch; what inner loops launch once.
class flow::loop_launches {
public:
  explicit loop_launches(flow& of) : f_(of), before_(of.launched()) { ++f_.loops_open_; }
  ~loop_launches() {
    if(--f_.loops_open_ == 0)
      f_.launched_in_loops_ += f_.launched() - before_;
  }
  loop_launches(const loop_launches&) = delete;
  loop_launches& operator=(const loop_launches&) = delete;

private:
  flow& f_;
  const std::uint64_t before_;
};

/// A loop whose passes are being launched.
struct flow::begun_loop {
  flow& f;
  detail::iterated_loop& loop;
  begun_loop(flow& of, const iterate_options& options) : f(of), loop(of.begin_loop(options)) {}
  ~begun_loop() { f.end_loop(loop); }
  begun_loop(const begun_loop&) = delete;
  begun_loop& operator=(const begun_loop&) = delete;
};

/// What the body launches belongs to the pass.
template<class Body>
decltype(auto) flow::launch_pass(detail::loop_pass* p, Body&& body) {
  struct in_pass {
    flow& f;
    detail::loop_pass* const around;
    in_pass(flow& of, detail::loop_pass* p) : f(of), around(std::exchange(of.pass_, p)) {}
    ~in_pass() { f.pass_ = around; }
  } const here(*this, p);
  return body();
}

/// A body that asks for what its pass has computed hears `cancelled` if the pass is in vain, and so is the rest of it. Returns false then.
/// Where the pass around is in vain it is left as well, but only by the first call of the body: others are not called by all
/// ranks, since some know already that they need not be.
template<class Body>
bool flow::launch_unless_in_vain(
  detail::iterated_loop& loop, std::uint64_t pass, bool is_first_call, Body&& body) {
  detail::loop_pass& here = loop.begin(pass);
  try {
    launch_pass(&here, body);
    return true;
  }
  catch(const cancelled&) {
    // Something else may have been cancelled, and then all ranks have to find that.
    wait_for_answers(here);
    if(loop.runs(pass) || (is_first_call && loop.outer != nullptr && !loop.outer->runs()))
      throw;
    return false;
  }
}

/// Of `repeat`: its passes are counted.
class flow::counted_loop {
public:
  counted_loop(flow& of, const std::source_location& where);
  ~counted_loop() { --f_.counting_; }
  counted_loop(const counted_loop&) = delete;
  counted_loop& operator=(const counted_loop&) = delete;

  /// Before all else in the pass.
  [[nodiscard]] pass_number next() const;

private:
  flow& f_;
  const std::source_location& where_;
  region<std::uint64_t>* of_;
};

template<detail::repeat_body Body>
void flow::repeat(std::uint64_t n, Body&& body, std::source_location where) {
  if(n == 0)
    return;
  detail::refuse_negative_passes(n, where);
  if constexpr(detail::takes_number<Body>) {
    const counted_loop counted(*this, where);
    const auto pass = [&] { body(counted.next()); };
    repeat_body(n, pass, where);
  }
  else
    repeat_body(n, body, where);
}

template<class Body>
void flow::repeat_body(std::uint64_t n, Body& body, const std::source_location& where) {
  check_caller();
  const guard_break here(*this);
  const loop_launches counted(*this);
  std::uint64_t called = 0;
  const auto goes_on = [&] {
    return called != n && !has_failed() && (pass_ == nullptr || pass_->runs());
  };
  // Returns false if it was left because the pass around is in vain. By the first call that is left as well: see launch_unless_in_vain.
  const auto call = [&] {
    try {
      body();
      return true;
    }
    catch(const cancelled&) {
      if(called == 0 || pass_ == nullptr)
        throw;
      wait_for_answers(*pass_);
      if(pass_->runs())
        throw;
      return false;
    }
  };
  {
    detail::repeated_body calls(*this, n);
    do {
      detail::closed_loop& loop = begin_closed(n - called, where);
      try {
        const bool is_whole = call();
        if(!is_whole) {
          abandon_closed(loop);
          return;
        }
        if(closing_ == &loop) {
          end_closed();
          return;
        }
      }
      catch(...) {
        abandon_closed(loop);
        throw;
      }
      ++called; // the loop was opened: see open_closed
    } while(calls.may_be_kept_now() && goes_on());
  }
  for(; goes_on(); ++called)
    if(!call())
      return;
}

/// Takes what the pass has returned, when that is there and all passes before have answered.
template<class... T>
void flow::launch_answer(detail::iterated_loop& loop, std::uint64_t pass, leaving<T...> of_pass,
  const std::shared_ptr<std::tuple<std::optional<T>...>>& last) {
  const auto take = [pass, last](
                      future<bool> stop, detail::iterated_loop& l, const future<T>&... values) {
    // The values of a pass that has not run are cancelled, and there is no need of them.
    if(l.runs(pass)) {
      if constexpr(sizeof...(T) != 0)
        *last = std::tuple<std::optional<T>...>(values.get()...);
      if(stop.get() && !detail::is_only_planned)
        l.stop_after(pass);
    }
    l.note_answer(pass);
    detail::tell_end(l, pass);
  };
  if(!of_pass.stop.valid())
    detail::refuse_empty_future(
      loop.where, "iterate", "its body has returned", detail::example_of_ready<bool>());
  std::apply(
    [&](future<T>&... values) {
      detail::refuse_empty_futures([&] { return loop.where; }, "iterate",
        "its body has returned leave_if(...), of which argument", 2, values...);
      launch<false>(named("iterate: stop?", take, loop.where), std::move(of_pass.stop),
        write(loop.answers, loop.where), std::move(values)...);
    },
    of_pass.values);
}

template<detail::loop_body Body>
auto flow::iterate(Body&& body, iterate_options options) ->
  typename detail::loop_result_of<Body>::type {
  using result = detail::loop_result_of<Body>;
  const guard_break here(*this);
  const loop_launches counted(*this);
  const begun_loop begun(*this, options);
  detail::iterated_loop& loop = begun.loop;
  std::shared_ptr<typename result::values> last;
  if constexpr(std::tuple_size_v<typename result::values> != 0)
    last = std::make_shared<typename result::values>();
  detail::loop_pass* const answering = loop.outer != nullptr ? &loop.answering : nullptr;
  for(std::uint64_t pass = 0; loop.may_have(pass) && !has_failed(); ++pass) {
    stay_close(loop, pass);
    decltype(result::of(detail::call_pass(body, pass))) of_pass;
    bool is_last = false;
    const auto call = [&] {
      if(is_any(observed))
        tell_begin(loop, pass);
      auto returned = detail::call_pass(body, pass);
      if constexpr(std::is_same_v<decltype(returned), bool>)
        is_last = returned && options.lag == 0; // nothing is launched in vain
      of_pass = result::of(std::move(returned));
    };
    try {
      if(!launch_unless_in_vain(loop, pass, pass == 0, call)) {
        detail::tell_end(loop, pass); // there will be no answer
        break;
      }
    }
    catch(...) {
      detail::tell_end(loop, pass);
      throw;
    }
    launch_pass(answering, [&] { launch_answer(loop, pass, std::move(of_pass), last); });
    if(is_last)
      break;
  }
  future<std::uint64_t> passes = launch<false>(
    named(
      "iterate: passes", [](const detail::iterated_loop& l) { return l.passes(); }, options.where),
    read(loop.answers, options.where));
  if constexpr(std::tuple_size_v<typename result::values> == 0)
    return passes;
  else {
    // Without a pass there is nothing: then it is in a pass that doesn't run.
    detail::loop_pass* const where = options.max == 0 ? &loop.begin(1) : pass_;
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::make_tuple(std::move(passes), launch_pass(where, [&] {
        return launch<false>(
          named(
            "iterate: what leaves the loop",
            [last](const detail::iterated_loop&) { return *std::get<I>(*last); }, options.where),
          read(loop.answers, options.where));
      })...);
    }(std::make_index_sequence<std::tuple_size_v<typename result::values>>());
  }
}

template<class Body>
void flow::when(future<bool> condition, Body&& body, std::source_location where) {
  when_it_is(true, std::move(condition), body, where);
}

template<class Then, class Else>
void flow::either(
  future<bool> condition, Then&& then, Else&& otherwise, std::source_location where) {
  when_it_is(true, condition, then, where);
  when_it_is(false, std::move(condition), otherwise, where);
}

/// A loop of which one pass runs, or none: pass 1, whose turn comes after the first answer.
template<class Body>
void flow::when_it_is(
  bool expected, future<bool> condition, Body& body, const std::source_location& where) {
  if(!condition.valid())
    detail::refuse_empty_future(
      where, "when", "its condition is", detail::example_of_ready<bool>());
  iterate_options options;
  options.max = 2;
  options.where = where;
  const begun_loop begun(*this, options);
  detail::iterated_loop& loop = begun.loop;
  loop.is_condition = true;
  launch_pass(loop.outer != nullptr ? &loop.answering : nullptr, [&] {
    launch<false>(named(
                    "when: is it so?",
                    [expected](future<bool> answer, detail::iterated_loop& l) {
                      if(!l.runs(0) || answer.get() != expected)
                        l.stop_after(0);
                    },
                    where),
      std::move(condition), write(loop.answers, where));
  });
  launch_unless_in_vain(loop, 1, true, body);
}

} // namespace rondo
