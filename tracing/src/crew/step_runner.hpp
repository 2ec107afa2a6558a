#pragma once

/// \file
/// A launch of what a crew has claimed of a closed loop: whether it is ready, that it runs, and whom it tells. Which
/// one is next: window.hpp.

#include <bit>
#include <cstdint>

#include <rondo/core/executor.hpp>
#include <rondo/core/running_task.hpp>
#include <rondo/core/ticks.hpp>
#include <rondo/tracing/closed.hpp>
#include <rondo/tracing/flow.hpp>

#include "../observed.hpp"
#include "../running.hpp"
#include "../stages.hpp"
#include "loop_crew.hpp"
#include "run_crew.hpp"

namespace rondo::detail::inline tracing {

class step_runner {
protected:
  using claimed = claimed_pieces::one;

  struct run_options {
    std::uint64_t last_round;
    bool is_quiet; ///< Events may be advanced as if nobody parked: lane_events.hpp.
  };

  explicit step_runner(loop_crew& c)
      : c_(c), room_(running::room(*c.home)), ex_(engine_of(running::home(*c.home))) {}

  static std::uint32_t next_of(std::uint64_t left) {
    return static_cast<std::uint32_t>(std::countr_zero(left));
  }
  static std::uint64_t bit_of(std::uint32_t i) { return std::uint64_t{1} << i; }
  static bool is_ready(const closed_step& s) {
    return s.is_ready == nullptr || s.is_ready(*s.prototype);
  }

  /// Asked last: only a crew that has seen the end of what came before sees its failure.
  [[nodiscard]] bool has_failed_before(const closed_batch& b) const {
    return room_.first_failed.load(std::memory_order_relaxed) <=
           b.runs_before.load(std::memory_order_relaxed);
  }

  /// The word it waits for was mostly written by another core, and takes as long to come from there as a short
  /// launch to run.
  static void prefetch_events(const edge* first, const edge* last) {
    for(; first != last; ++first)
      __builtin_prefetch(&first->from());
  }

  template<bool is_alone>
  run_options options_of(const closed_batch& b) const {
    return {.last_round = b.loop.passes - 1, .is_quiet = is_alone || is_quiet_in(b)};
  }

  // ---- messages ---------------------------------------------------------------------------------

  [[nodiscard]] bool awaited_is_there() const {
    return c_.awaited_ != nullptr && c_.awaited_->is_ready(*c_.awaited_->prototype);
  }

  /// Others count on what a message lets go on, and on what they are sent in return: that goes first.
  [[nodiscard]] bool is_time_to_poll(unsigned since_poll, const closed_step& next) const {
    return since_poll >= c_.between_polls_ && next.is_ready == nullptr;
  }
  /// Returns true if something has come.
  bool poll() {
    c_.since_poll_ = 0;
    if(c_.awaited_ == nullptr)
      return ex_.look_outside_now(worker_here());
    ex_.poll();
    return awaited_is_there();
  }

  /// Launches take a while, or some of them do: the clock tells when to look, and not their number.
  [[nodiscard]] bool looks_by_clock() const { return c_.looks_by_clock_; }

  /// One of them has run.
  void look_after(const closed_step& ran) {
    if(!looks_by_clock()) {
      c_.since_poll_ += c_.looks_of_launch_;
      return;
    }
    if(ran.is_ready != nullptr)
      room_.long_ones.has_asked();
    c_.look_outside(ran.prototype->kind, true, [this] { return poll(); });
    if(c_.looks_in_stock_)
      begin_with_oldest();
  }

  /// One that has gone its own way (`go`), and began then, has run, or waits on its own: that it took little says nothing.
  void look_after_go(const closed_step& ran, std::uint64_t began) {
    if(ran.is_ready != nullptr)
      room_.long_ones.has_asked();
    const std::uint64_t now = ticks();
    if(now - began < long_launches::least)
      return;
    room_.long_ones.has_run_long(ran.prototype->kind, now - began, now);
    if(poll()) {
      room_.long_ones.has_come();
      begin_with_oldest();
    }
  }

  [[nodiscard]] bool is_known_long(const closed_step& s) const {
    return looks_by_clock() && room_.long_ones.contain(s.prototype->kind);
  }
  /// The step takes long, and somebody waits for messages.
  [[nodiscard]] bool is_long_beside_messages(const closed_step& s) const {
    return is_known_long(s) && (c_.awaited_ != nullptr || ex_.poller_is_wanted());
  }
  /// Returns true if a step that takes long is not to run now, since launches in the stock of the worker are short, and may send what
  /// others wait for.
  [[nodiscard]] bool comes_after_stock() {
    if(!worker_here().has_task())
      return false;
    begin_with_oldest();
    return c_.has_older();
  }
  /// Returns true if the step is not to run now, since a message that somebody waits for has come before it.
  [[nodiscard]] bool comes_before_long() {
    const auto look = [this] {
      if(c_.awaited_ == nullptr)
        return ex_.look_outside_now(worker_here());
      const bool has_come =
        ex_.poll_and_compare(); // for others; what is awaited here is not counted
      return awaited_is_there() || has_come;
    };
    c_.since_poll_ = 0;
    if(!c_.comes_before_long(look))
      return false;
    begin_with_oldest();
    return true;
  }

  /// Something has come. The launches that it lets go on may be in the stock of the worker.
  void begin_with_oldest() {
    starts_again_ = true;
    if(launch* const l = c_.next_of_stock(); l != nullptr)
      c_.add_woken(*l);
  }

  // ---- launches that take long ------------------------------------------------------------------

  static bool takes_long(const closed_batch& b, std::uint32_t i) {
    return (b.long_ones.load(std::memory_order_relaxed) & bit_of(i)) != 0;
  }

  /// The crew is not alone, and what else it has does not wait for the end of this one. Returns false if it goes on elsewhere.
  bool begin_long(claimed& p, std::uint32_t i) {
    c_.go_away();
    if(!leave_all_but(&p, bit_of(i)) || !c_.leave_woken())
      return false;
    began_long_ = ticks();
    return true;
  }
  void end_long(const closed_step& s) {
    c_.come_back();
    c_.loop->note_length(s.node->index, ticks() - began_long_);
  }

  // ---- what others are to run ------------------------------------------------------------------

  /// All that is claimed but this one, before a crew that is not alone runs something long. Returns false if the crew goes on
  /// elsewhere.
  bool leave_all_but(const claimed* p, std::uint64_t kept_back) {
    for(unsigned k = 0; k != c_.claimed.count; ++k) {
      claimed& other = c_.claimed.pieces[k];
      for(std::uint64_t left = other.pending & ~(&other == p ? kept_back : 0); left != 0;
          left &= left - 1) {
        const std::uint32_t i = next_of(left);
        const closed_step& s = other.of->steps[i];
        const bool is_long = takes_long(*other.of, i) || room_.long_ones.contain(s.prototype->kind);
        const bool is_ready_and_long = is_long && s.may_start(other.round + s.pass);
        if(is_ready_and_long && c_.has_lane())
          continue; // it keeps nobody waiting, and stays in its lane
        if(is_ready_and_long)
          give_out(other, i);
        else if(!go(other, i))
          return false;
      }
    }
    return true;
  }

  // ---- running it -------------------------------------------------------------------------------

  /// It is asked no more: whether it is ready it finds out by itself, and its next pass may not be due yet when it has.
  void part_with(claimed& p, std::uint32_t i) {
    p.pending &= ~bit_of(i);
    p.is_in_order = false;
    if(c_.awaited_ == &p.of->steps[i])
      c_.awaited_ = nullptr;
  }

  /// It goes the way of all launches, and may park. Returns false if the crew goes on elsewhere.
  bool go(claimed& p, std::uint32_t i) {
    part_with(p, i);
    return running::go(p.of->wake_up(i, p.round), &c_);
  }

  /// For any worker.
  void give_out(claimed& p, std::uint32_t i) {
    part_with(p, i);
    c_.leave_to_all(p.of->wake_up(i, p.round));
  }

  /// Several steps of it, one after the other; none behind one that fails. Alone, the caller has
  /// counted what runs as behind. Returns false if the crew goes on elsewhere.
  ///
  /// The cost of short tasks is mostly the work that is done here for each.
  template<bool is_alone>
  bool run_row(claimed& p, const closed_step* s, std::uint32_t n, const run_options& how) {
    // If a launch leaves its stack the crew is elsewhere afterwards, and what it has claimed, too.
    closed_batch& b = *p.of;
    loop_crew& c = c_;
    worker& w = worker_here();
    const bool is_observed = w.observed();
    const std::uint64_t last_pass = how.last_round - p.round;
    std::uint64_t bit = bit_of(static_cast<std::uint32_t>(s - b.steps));
    w.set_next(&c);
    for(;; ++s, bit <<= 1) {
      p.pending &= ~bit;
      at_ = s;
      if(is_observed) [[unlikely]] // asked here as well: the name is in a line of its own
        observe_call(b, *s, p.round, s->pass == last_pass);
      else
        call(b, *s, p.round, s->pass == last_pass);
      if(!worker_here().is_next(&c)) [[unlikely]]
        break;
      if(s->done != nullptr)
        advance(*s->done, &c, how.is_quiet);
      ++p.ended;
      if(--n == 0 || has_failed_before(b)) {
        worker_here().take_next(&c);
        return true;
      }
    }
    end_elsewhere<is_alone>(b, *s);
    return false;
  }

  /// Nothing is left of this one.
  void tell_ended(unsigned i) {
    const claimed p = c_.claimed.pieces[i];
    c_.claimed.remove(i);
    if(p.is_in_order)
      c_.lane->ended_before = p.end;
    if(p.ended != 0)
      running::count(*p.of, p.ended);
  }

  loop_crew& c_;
  crew_room& room_;
  engine& ex_;
  bool starts_again_ = false; ///< From the oldest of what is claimed.

private:
  static const char* name_of(const void* at) {
    const closed_step* const s = *static_cast<const closed_step* const*>(at);
    return s != nullptr ? s->node->name : nullptr;
  }

  [[gnu::noinline]] static void observe_call(
    closed_batch& b, const closed_step& s, std::uint64_t first_round, bool is_last_time) {
    worker_here().observe([&] { return info_of(b, s, first_round + s.pass); },
      [&] { call(b, s, first_round, is_last_time); });
  }

  static void call(
    closed_batch& b, const closed_step& s, std::uint64_t first_round, bool is_last_time) {
    try {
      s.run(*s.prototype, is_last_time);
    }
    catch(...) {
      running::fail(b.wake_up(static_cast<std::uint32_t>(&s - b.steps), first_round));
    }
  }

  /// It has left its stack, and is not the crew's any more. Launches behind it, alone, are counted right here.
  template<bool is_alone>
  [[gnu::noinline]] void end_elsewhere(closed_batch& b, const closed_step& s) {
    if(s.done != nullptr)
      advance(*s.done, nullptr, false);
    if constexpr(is_alone)
      --room_.behind;
    running::call_stalled(b);
    running::count_as_guest(b);
  }

  [[nodiscard]] bool is_quiet_in(const closed_batch& b) const {
    return c_.has_lane() && b.lane == c_.seat && c_.lane->events->are_quiet();
  }

  /// What runs on this stack: a store for each launch, all else once.
  const closed_step* at_ = nullptr;
  std::uint64_t began_long_ = 0; ///< When the launch that runs began, if it takes long.
  const running_task here_{&name_of, &at_};
};

} // namespace rondo::detail::inline tracing
