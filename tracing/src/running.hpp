#pragma once

/// \file
/// One launch at a time: it waits, runs the program's code, tells others, and ends. For crews, which say
/// which one is next: there it is compiled, and inlined.

#include <cstdint>
#include <exception>

#include <rondo/core/running_task.hpp>
#include <rondo/tracing/flow.hpp>
#include <rondo/tracing/later.hpp>

#include "crew/flow_crew.hpp"
#include "observed.hpp"
#include "stages.hpp"

namespace rondo::detail::inline tracing {

/// The parts of a flow that launches need when they run.
struct running {
  static const char* name_of(const void* of) { return static_cast<const launch*>(of)->name; }

  /// What runs on this stack, which is written to a variable there before each launch.
  static const char* name_of_current(const void* at) {
    const launch* const l = *static_cast<const launch* const*>(at);
    return l != nullptr ? name_of(l) : nullptr;
  }

  /// A launch of what the crew has claimed, which is simple. Most are.
  static bool can_run_simply(launch& l, const crew& c) {
    // Alone, and nothing is behind: all launches before this one have ended.
    return l.home == c.from && is_simple_now(l) &&
           ((c.alone && c.home->crews_.behind == 0) || may_start_at_once(l));
  }

  /// Before the next one is run. Launches behind it were written by another core, mostly.
  static void prefetch_behind(launch* const* launches, std::uint32_t next, std::uint32_t end) {
    constexpr std::uint32_t ahead = 3;
    if(end - next <= ahead)
      return;
    const auto* const later = reinterpret_cast<const char*>(launches[next + ahead]);
    __builtin_prefetch(later);
    __builtin_prefetch(later + cache_line);
  }

  /// Simple launches that the crew has claimed, from the next one on, as long as they may start and nothing else is to be
  /// done first. `look_after(l)` looks outside, if it is time for that, and returns false if something has come. Returns false
  /// if the crew goes on elsewhere.
  ///
  /// What short tasks cost is mostly what is done here for each; `run_simply` does the same for one.
  template<bool is_alone, class Look>
  static bool run_row(flow_crew& c, const launch*& at, const Look& look_after) {
    crew_room& room = c.home->crews_;
    const executor& ex = c.home->ex_;
    const worker& w = worker_here(); // as long as the crew is on this stack
    launch* const* const launches = c.from->launches;
    // Alone, where nothing is behind: whatever is before the first launch has ended, and so on.
    const bool asks = !is_alone || room.behind != 0;
    std::uint32_t i = c.shared.next;
    const std::uint32_t end = c.shared.end;
    launch* l = launches[i];
    if constexpr(is_alone)
      ++room.behind; // if a body leaves its stack
    worker_here().set_next(&c);
    while(is_simple_now(*l) && (!asks || may_start_at_once(*l))) {
      prefetch_behind(launches, i, end);
      c.shared.next = ++i;
      at = l;
      if(!run_in_row(*l, c, room, w)) [[unlikely]]
        return false;
      tell_others(*l, &c, is_alone);
      ++c.ended;
      if(i == end || c.woken != nullptr || (engine_of(ex).looks_outside() && !look_after(*l)))
        break;
      l = launches[i];
    }
    worker_here().take_next(&c);
    if constexpr(is_alone)
      --room.behind;
    return true;
  }

  /// The same of a lane: those that its crew has claimed there, in their order.
  template<class Look>
  static bool run_row_of_lane(
    flow_crew& c, lane_work& lane, const launch*& at, const Look& look_after) {
    launch* l = lane.next_simple();
    if(l == nullptr)
      return true;
    const crew_room& room = c.home->crews_;
    const executor& ex = c.home->ex_;
    const worker& w = worker_here(); // as long as the crew is on this stack
    worker_here().set_next(&c);
    while(l != nullptr) {
      lane.take(*l);
      at = l;
      if(!run_in_row(*l, c, room, w)) [[unlikely]]
        return false;
      if(l->node->done != nullptr)
        l->node->done->advance(&c);
      ++c.ended;
      if(c.woken != nullptr || (engine_of(ex).looks_outside() && !look_after(*l)))
        break;
      l = lane.next_simple();
    }
    worker_here().take_next(&c);
    return true;
  }

  /// Returns false if the crew goes on elsewhere.
  static bool run_simply(launch& l, crew& c, const launch*& at) {
    worker& w = worker_here();
    crew_room& room = c.home->crews_;
    if(c.alone)
      ++room.behind; // if the body leaves its stack
    w.set_next(&c);  // see leaving_to
    at = &l;
    call_body(l, w);
    if(!worker_here().take_next(&c)) [[unlikely]] {
      end_elsewhere(l);
      return false;
    }
    tell_others(l, &c, c.alone);
    if(c.alone)
      --room.behind;
    ++c.ended;
    return true;
  }

  /// Any launch, which may have run a part of its way already. Returns false if the crew goes on elsewhere.
  [[gnu::noinline]] static bool go(launch& l, crew* c) {
    const bool alone = l.home->home.is_alone_;
    if(alone && !l.is_behind && !l.is_own_job) {
      l.is_behind = true;
      ++l.home->home.crews_.behind;
    }
    if(l.stage < launch_stage::body) {
      if(!may_start(l)) // then it is in that stage
        return c != nullptr;
      // What it waits for outside is there mostly. Then it is a launch like others. Loops have asked before.
      const bool is_now = l.kind->is_ready != nullptr && !l.home->is_closed && !is_not_to_run(l) &&
                          l.kind->is_ready(l);
      later_state* const later = l.kind->later != nullptr && !is_now ? l.kind->later(l) : nullptr;
      if(l.kind->later != nullptr)
        l.home->home.crews_.long_ones.has_asked();
      if(later != nullptr) {
        expect_to_be_told(l);
        later->begin(l);
      }
      leaving_to(c, [&l, is_now] { run_body(l, worker_here(), is_now); });
      // One that was skipped, or has thrown, has told nobody. Any other may be gone after end().
      if(later != nullptr && !l.skipped) {
        if(c != nullptr && alone && !later->is_called())
          c->wait_a_moment(*later);
        if(!later->end())
          return c != nullptr;
      }
      if(later != nullptr)
        note_late_failure(l, *later);
      leave_regions(l, c, alone);
    }
    else if(l.kind->later != nullptr) { // it has been told
      note_late_failure(l, *l.kind->later(l));
      leave_regions(l, c, alone);
    }
    if((l.kind->reducing != 0 || (l.node != nullptr && l.node->folded != nullptr)) &&
       !fold_all(l, c, alone))
      return c != nullptr;
    end(l, c);
    return c != nullptr;
  }

private:
  /// Returns false if it has left its stack. `w` is the worker that the crew was on before.
  [[gnu::always_inline]] static bool run_in_row(
    launch& l, flow_crew& c, const crew_room& room, const worker& w) {
    if(room.first_failed.load(std::memory_order_relaxed) != ~std::uint64_t{0} || w.observed())
      [[unlikely]]
      call_body(l, worker_here());
    else
      run_code(l);
    if(worker_here().is_next(&c)) [[likely]]
      return true;
    end_elsewhere(l);
    return false;
  }

  /// A simple one that has left its stack, and is not the crew's any more.
  [[gnu::noinline]] static void end_elsewhere(launch& l) {
    const bool alone = l.home->home.is_alone_;
    l.is_behind = alone;
    tell_others(l, nullptr, alone);
    end(l, nullptr);
  }

  static void note_late_failure(launch& l, later_state& later) {
    if(const std::exception_ptr why = later.take_failure(); why != nullptr) [[unlikely]]
      fail(l, why);
  }

  static void leave_regions(launch& l, crew* c, bool alone) {
    const launch_kind& k = *l.kind;
    if(k.commuting != 0)
      for(unsigned i = 0; i != k.accesses; ++i)
        if(l.accesses()[i].mode == access_mode::commute)
          l.accesses()[i].to->release(c);
    const auto tell = [&] {
      tell_others(l, c, alone);
      call_stalled(*l.home);
    };
    if(c != nullptr || k.reducing != 0)
      tell();
    else // no more of the program's code: the first one that it lets go on is run next
      worker_here().at_end_of_job(tell);
  }

  static void tell_others(launch& l, crew* c, bool alone) {
    if(l.node != nullptr) {
      if(l.node->done != nullptr)
        advance(*l.node->done, c, alone);
      return;
    }
    for(unsigned i = 0; i != l.kind->accesses; ++i)
      if(const access_entry& a = l.accesses()[i]; a.mode != access_mode::reduce)
        advance(a.to->running(), c, alone);
  }

  /// One after the other. Returns false if it goes on later.
  static bool fold_all(launch& l, crew*& c, bool alone) {
    if(l.stage == launch_stage::body)
      l.begin(launch_stage::folds);
    return l.node == nullptr ? fold_in_turn(l, c, alone) : fold_in_trace(l, c, alone);
  }

  static bool fold_in_turn(launch& l, crew*& c, bool alone) {
    for(; l.index != l.kind->accesses; ++l.index) { // a wait comes back to the same one
      const access_entry& a = l.accesses()[l.index];
      if(a.mode != access_mode::reduce)
        continue;
      if(!await(l, a.to->running(), a.turn))
        return false;
      fold(l, l.index, c);
      advance(a.to->running(), c, alone);
    }
    return true;
  }

  /// All at once: the launch has one event for that.
  static bool fold_in_trace(launch& l, crew*& c, bool alone) {
    const launch_kind& k = *l.kind;
    if(!await_turns(l, launch_stage::folds) ||
       !await_edges(l, launch_stage::fold_edges, l.node->fold_edges, l.node->fold_edge_count))
      return false;
    for(unsigned i = 0; i != k.accesses; ++i)
      if(l.accesses()[i].mode == access_mode::reduce)
        fold(l, i, c);
    advance(*l.node->folded, c, alone);
    call_stalled(*l.home);
    return true;
  }

  static void fold(launch& l, unsigned i, crew*& c) {
    if(!l.skipped)
      leaving_to(c, [&] { fold(l, i); });
  }

  /// Calls the program's code. If it leaves its stack, the crew goes on on another one, and is not
  /// ours any more.
  template<class Body>
  static void leaving_to(crew*& c, Body&& body) {
    if(c != nullptr)
      worker_here().set_next(c);
    body();
    if(c != nullptr && !worker_here().take_next(c))
      c = nullptr;
  }

  static bool has_failed_in_loop(const launch& l) {
    if(!l.home->is_closed)
      return false;
    const closed_loop& loop = static_cast<const closed_batch*>(l.home)->loop;
    return loop.first_failed.load(std::memory_order_relaxed) < loop.place(l.round, *l.node);
  }

  /// Something before it has failed, or the loop is over.
  static bool is_not_to_run(const launch& l) {
    const std::uint64_t failed = l.home->home.crews_.first_failed.load(std::memory_order_relaxed);
    return (failed != ~std::uint64_t{0} && (failed < l.id() || has_failed_in_loop(l))) ||
           is_in_vain(l);
  }
  /// Its pass, or one around that, comes after the end of the loop.
  static bool is_in_vain(const launch& l) { return l.pass != nullptr && !l.pass->runs(); }

  /// For the future of the launch.
  [[gnu::noinline]] static std::exception_ptr why_skipped(const launch& l) {
    return std::make_exception_ptr(
      cancelled(is_in_vain(l) ? l.pass->why_in_vain() : l.home->home.why_skipped()));
  }

  static void run_body(launch& l, worker& w, bool is_now) {
    const running_task here(&name_of, &l);
    call_body(l, w, is_now);
  }

  [[gnu::noinline]] static void skip(launch& l) {
    l.skipped = true;
    if(l.home->is_closed && is_in_vain(l))
      static_cast<closed_batch*>(l.home)->loop.leave_out_passes();
    if(worker_here().observed())
      tell_skipped(l);
    l.kind->skip(l, l.kind->has_result ? why_skipped(l) : nullptr);
  }

  /// `is_now`: nothing outside has to be waited for.
  static void call_body(launch& l, worker& w, bool is_now = false) {
    if(l.kind->run == nullptr)
      return; // no code of the program's
    if(is_not_to_run(l)) [[unlikely]] {
      skip(l);
      return;
    }
    if(w.observed()) [[unlikely]] {
      observe_code(l, w, is_now);
      return;
    }
    run_code(l, is_now);
  }

  [[gnu::noinline]] static void observe_code(launch& l, worker& w, bool is_now) {
    w.observe([&l] { return info_of(l); }, [&l, is_now] { run_code(l, is_now); });
  }

  static void run_code(launch& l, bool is_now = false) {
    try {
      is_now ? l.kind->run_now(l, true) : l.kind->run(l);
    }
    catch(...) {
      fail(l);
    }
  }

  static void fold(launch& l, unsigned i) {
    try {
      l.kind->fold(l, i);
    }
    catch(...) {
      fail(l);
    }
  }

  static void end(launch& l, crew* c) {
    batch& b = *l.home;
    if(l.is_behind)
      --b.home.crews_.behind;
    else if(l.is_own_job) [[unlikely]]
      note_end_of_hinted(l);
    if(!l.kind->ends_by_itself)
      leaving_to(c, [&l] { l.kind->end(l); });
    if(c != nullptr && c->from == &b) {
      ++c->ended;
      return;
    }
    // The crew keeps its own flow, but may have found a launch of another one.
    if(c == nullptr || c->home != &b.home)
      count_as_guest(b);
    else
      count(b, 1);
  }

  /// Where one worker is alone: of the launch and the crew that passes over it, the second one to meet.
  [[gnu::noinline]] static void note_end_of_hinted(const launch& l) {
    batch& b = *l.home;
    if(b.home.is_alone_ && meets(b, l.number_in_batch - 1U))
      --b.home.crews_.behind;
  }
  static bool meets(batch& b, std::uint32_t place) {
    const std::uint64_t bit = std::uint64_t{1} << place;
    if((b.met & bit) != 0)
      return true;
    b.met |= bit;
    return false;
  }

public:
  /// In its place there is a launch with hints, which the executor has got.
  static void pass_over(flow_crew& c, std::uint32_t place) {
    ++c.ended; // one of two ends: flow::publish_hinted
    if(c.alone && !meets(*c.from, place))
      ++c.home->crews_.behind; // it has not ended
  }

  static void fail(launch& l) { fail(l, std::current_exception()); }
  static void fail(launch& l, const std::exception_ptr& why) {
    l.skipped = true;
    l.kind->skip(l, why);
    l.home->home.failed(l, why);
  }

  /// Something has ended that a crew may have left launches for.
  static void call_stalled(batch& b) {
    if(b.is_closed && b.home.is_alone_)
      static_cast<closed_batch&>(b).loop.call_stalled();
  }
  static void count_as_guest(batch& b) {
    const visitor here(b.home.crews_.inside, b.home.ex_);
    count(b, 1);
  }

  static void count(batch& b, std::uint32_t n) {
    if(b.is_closed) {
      auto& closed = static_cast<closed_batch&>(b);
      closed.loop.count(closed, n);
      return;
    }
    crew_room& room = b.home.crews_;
    // seq_cst: either this sees that somebody waits, or that one sees the end. Also release: all
    // that has been done.
    b.ended.fetch_add(n, std::memory_order_seq_cst);
    if(room.awaited.load(std::memory_order_seq_cst) == &b)
      engine_of(b.home.ex_).wake_waiters();
  }
  static executor& home(flow& f) { return f.ex_; }
  /// The code that launches is below us on this thread, so it launches nothing meanwhile.
  static bool is_launched_below(const flow& f) { return f.owner_ == &fiber::of_thread(); }
  static crew_room& room(flow& f) { return f.crews_; }
  static batch& batch_of(flow& f, std::uint64_t id) { return f.batch_at(id / f.batch_size_); }
  static std::uint32_t batch_size(const flow& f) { return f.batch_size_; }
};

} // namespace rondo::detail::inline tracing
