// Loops whose passes are launched ahead of the answers that end them: docs/protocols/loops.md.

#include <rondo/tracing/loop.hpp>

#include <algorithm>

#include <rondo/core/place.hpp>
#include <rondo/tracing/flow.hpp>
#include <rondo/tracing/trace.hpp>

#include "told_wait.hpp"

namespace rondo {

namespace detail::inline tracing {

void iterated_loop::begin_loop(const iterate_options& o, const loop_pass* around,
  std::size_t passes_in_flight, std::uint64_t launches_before, loop_lengths& of_place) {
  first_launch = launches_before;
  lag = o.max == 0 ? 1 : o.lag; // what would be in its first pass waits for nothing
  max = o.max;
  most = o.max == 0 ? 0 : o.max - 1;
  last.store(most, std::memory_order_relaxed);
  certain = o.certain;
  where = o.where;
  outer = around;
  if(around != nullptr)
    answering.begin_like(*around);
  turns_before = answers.entered();
  is_in_use = true;
  is_condition = false;
  runs_ahead = false;
  lengths = &of_place;
  expected_passes = of_place.expected();
  blocks_.resize(std::max(blocks_.size(), (passes_in_flight + in_block - 1) / in_block));
}

loop_pass& iterated_loop::begin(std::uint64_t pass) {
  auto& block = blocks_[pass / in_block % blocks_.size()];
  if(block == nullptr)
    block = std::make_unique<loop_pass[]>(in_block);
  loop_pass& p = block[pass % in_block];
  if(pass > lag || outer == nullptr)
    p.begin(*this, pass, answers.running(), pass > lag ? turns_before + pass - lag : 0);
  else
    p.begin(*this, pass, outer->answers(), outer->turn());
  return p;
}

void loop_pass::begin(
  iterated_loop& loop, std::uint64_t which, progress& answers, std::uint64_t turn) {
  of = &loop;
  number = which;
  answers_ = &answers;
  turn_ = turn;
  runs_always_ = 0;
  // Relaxed: code that comes here has got the pass with a launch of it.
  parked_.store(nullptr, std::memory_order_relaxed);
}

void loop_pass::begin_like(const loop_pass& p) {
  begin(*p.of, p.number, *p.answers_, p.turn_);
  runs_always_ = 1;
}

namespace {
/// Stands for the list of those that wait once the answers are known.
turn_wait known{};

void tell(turn_wait* first, crew* here) {
  while(first != nullptr) {
    turn_wait* const after = first->next;
    first->go_on(*first, here);
    first = after;
  }
}
} // namespace

bool loop_pass::park(turn_wait& w) {
  turn_wait* newest = parked_.load(std::memory_order_acquire);
  do {
    if(newest == &known)
      return false;
    w.next = newest;
    // Release: the one who takes the list may let it go on. Acquire, where it is `known`: the answers.
  } while(!parked_.compare_exchange_weak(
    newest, &w, std::memory_order_acq_rel, std::memory_order_acquire));
  if(newest != nullptr)
    return true;
  // The first one: now the pass itself waits. From here on `w` may go on, unless the answers are known already: nobody but this
  // one then takes the list.
  go_on = &let_go_on;
  if(answers_->park(*this, turn_))
    return true;
  tell(take_parked()->next, nullptr); // all but `w`, which came first
  return false;
}

/// All that wait, the oldest first. No more come, since the answers are known. acq_rel: those who come now acquire these.
turn_wait* loop_pass::take_parked() {
  turn_wait* newest = parked_.exchange(&known, std::memory_order_acq_rel);
  turn_wait* oldest = nullptr;
  while(newest != nullptr) {
    turn_wait* const older = std::exchange(newest->next, oldest);
    oldest = std::exchange(newest, older);
  }
  return oldest;
}

/// The answers are there. When the last launch has been told the pass may be another one.
void loop_pass::let_go_on(turn_wait& self, crew* here) {
  tell(static_cast<loop_pass&>(self).take_parked(), here);
}

std::string iterated_loop::why_not(std::uint64_t pass) const {
  if(is_condition)
    return "it is in the body of the when at " + place(where) + ", whose condition is not so";
  if(max == 0)
    return "the loop at " + place(where) + " has no pass: its max is 0";
  std::string why = "pass " + std::to_string(pass) + " of the loop at " + place(where);
  why += " was launched ahead, and is not run, since the loop has ended after pass ";
  return why + std::to_string(last.load(std::memory_order_relaxed)) +
         "; a pass returns values for the code behind the loop by leave_if(stop, value), and only "
         "tasks in its body are given the future";
}

std::string loop_pass::why_in_vain() const {
  const loop_pass* p = this;
  while(p->outer() != nullptr && p->number <= p->of->last.load(std::memory_order_relaxed))
    p = p->outer();
  return p->of->why_not(p->number);
}

namespace {

/// So many launches may always be ahead of the answers, and of a long loop a part of those that were launched.
constexpr std::uint64_t least_ahead = 64;
constexpr std::uint64_t part_ahead = 8;

void raise(answer_wait& w) { engine_of(*w.home).raise_and_wake(w.over); }
void park(answer_wait& w) {
  if(!w.answers->park(w, w.turn))
    raise(w);
}

} // namespace
} // namespace detail::inline tracing

detail::iterated_loop& flow::begin_loop(const iterate_options& options) {
  check_caller();
  launch_gathered();
  open_closed();
  retire();
  const std::uint64_t all_ended = first_batch_ * batch_size_;
  auto found = std::find_if(loops_.begin(), loops_.end(),
    [all_ended](const auto& l) { return !l->is_in_use && l->last_launch <= all_ended; });
  if(found == loops_.end())
    found = loops_.insert(loops_.end(), std::make_unique<detail::iterated_loop>(*this));
  // Every pass has at least one launch, so no more are in flight, but for those that lag.
  detail::loop_lengths& lengths =
    loop_lengths_[detail::loop_lengths::slot(options.where, loop_lengths_.size())];
  lengths.be_of(options.where);
  (*found)->begin_loop(options, pass_,
    batch_size_ * limit_ + std::min<std::uint64_t>(options.lag, 4096) + 2, next_id_, lengths);
  // One that begins with another one is a number of its own as well.
  (*found)->number = last_loop_ = std::max(next_id_, last_loop_ + 1);
  return **found;
}

void flow::end_loop(detail::iterated_loop& loop) {
  loop.last_launch = next_id_;
  loop.is_in_use = false;
}

/// Passes beyond the end are launched in vain. So the code that launches does not run ahead of the answers by more than
/// it takes to keep all workers busy, and helps until some are there.
void flow::stay_close(detail::iterated_loop& loop, std::uint64_t pass) {
  const std::uint64_t launched = next_id_ - loop.first_launch;
  if(pass < loop.expected_passes || pass <= loop.lag + 1 || launched <= detail::least_ahead ||
     loop.runs_ahead)
    return;
  const std::uint64_t ahead = std::max(detail::least_ahead, launched / detail::part_ahead);
  const std::uint64_t passes = std::max(loop.lag + 2, ahead * pass / launched);
  if(passes >= pass || loop.knows(pass - passes))
    return;
  // Half of them: the way there and back is paid once for many passes.
  const std::uint64_t turn =
    loop.turns_before + pass - std::max<std::uint64_t>(loop.lag + 1, passes / 2);
  const told_wait here(*this, wait_info::kind_type::window, loop.where);
  detail::answer_wait& w = loop.wait;
  w.over.store(false, std::memory_order_relaxed);
  w.home = &ex_;
  w.answers = &loop.answers.running();
  w.turn = turn;
  w.run = [](job* self, worker&) { detail::park(static_cast<detail::answer_wait&>(*self)); };
  w.go_on = [](detail::turn_wait& self, detail::crew*) {
    detail::raise(static_cast<detail::answer_wait&>(self));
  };
  call_missing_crews();
  // Where one worker is alone, nobody else touches what it counts.
  if(is_alone_)
    engine_of(ex_).enqueue(&w);
  else
    detail::park(w);
  const auto done = [&w](detail::wait_phase) { return w.over.load(std::memory_order_seq_cst); };
  // Answers may wait for what this code does later.
  loop.runs_ahead = !engine_of(ex_).help_while_possible(done);
}

} // namespace rondo
