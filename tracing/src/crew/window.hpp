#pragma once

/// \file
/// What a crew has claimed of a closed loop. It runs whatever of that may run, the oldest first, without
/// an object for each launch: the prototype, the node and the round say all. Only what has to wait for
/// long gets one, and goes the way of all launches. For loop_crew.cpp. docs/protocols/trace.md

#include <algorithm>
#include <cstdint>
#include <utility>

#include <rondo/core/executor.hpp>
#include <rondo/core/pause.hpp>
#include <rondo/core/ticks.hpp>
#include <rondo/tracing/closed.hpp>
#include <rondo/tracing/flow.hpp>

#include "patience.hpp"
#include "step_runner.hpp"

namespace rondo::detail::inline tracing {

class window : step_runner {
public:
  explicit window(loop_crew& c) : step_runner(c) {}

  /// Until nothing of it may run, or something else comes first. Returns false if the crew goes on elsewhere,
  /// and is not looked at any more.
  bool run() {
    if(looks_by_clock())
      worker_here().pace.begin(ticks());
    bool any = true;
    while(any && !c_.claimed.is_empty() && !c_.has_older()) {
      any = false;
      c_.awaited_ = nullptr;
      for(unsigned i = 0; i < c_.claimed.count && !c_.has_older(); ++i) {
        if(!(c_.alone ? run_of<true>(i, any) : run_of<false>(i, any)))
          return false;
        if(c_.claimed.pieces[i].pending == 0)
          tell_ended(i--);
        if(std::exchange(starts_again_, false)) {
          any = true;
          break;
        }
      }
    }
    return true;
  }

  /// Launches behind all claimed ones may be able to run before some of these.
  [[nodiscard]] bool may_lead_further() const {
    return c_.alone && c_.claimed.count != claimed_pieces::most &&
           has_led_on(c_.claimed.pieces[c_.claimed.count - 1]);
  }

  /// The words that are missing may be about to come. Returns true if some launch may run by now.
  bool wait() {
    if(c_.shares_ && is_run_elsewhere())
      return comes_in_time();
    if(c_.awaited_ != nullptr)
      return comes_within(c_.alone && !running::home(*c_.home).shares_cores()
                            ? patience_of_one_alone
                            : patience_for_messages);
    return !c_.alone && claims_many() && comes_within_looks();
  }

  /// Launches that can't run now wait on their own, and tell when they may. Where there is one worker, only
  /// those that wait for something outside do: the rest stays, and what ends calls the crew. Returns false if the
  /// crew goes on elsewhere. `any`: it may have run at once after all, so that it is worth another time.
  bool park(bool& any) {
    any = false;
    answer();
    for(unsigned i = 0; i < c_.claimed.count; ++i) {
      claimed& p = c_.claimed.pieces[i];
      for(std::uint64_t left = p.pending; left != 0; left &= left - 1) {
        const std::uint32_t k = next_of(left);
        if(c_.alone && !waits_outside(p, k))
          continue;
        any = true;
        if(!go(p, k))
          return false;
      }
      if(p.pending == 0)
        tell_ended(i--);
    }
    return true;
  }

  /// For others, before something long that is none of it. Returns false if the crew goes on elsewhere.
  bool leave_all() {
    if(!leave_all_but(nullptr, 0))
      return false;
    for(unsigned i = 0; i != c_.claimed.count;)
      c_.claimed.pieces[i].pending == 0 ? tell_ended(i) : void(++i);
    return true;
  }

private:
  /// Looking for messages takes as long as looking at so many launches, at least; where it means calls of
  /// the system, and more of them, at most. It is to take a part of the time only.
  static constexpr std::uint64_t least_between_polls = 4;
  static constexpr std::uint64_t most_between_polls = 64;
  /// Ticks: a message between cores of a machine takes a fraction of this.
  static constexpr std::uint64_t patience_for_messages = 5'000;
  /// A crew that is alone, on a core that nobody else wants, has nothing better to do; and to go on from here is
  /// faster than to be called. Between machines a message takes about this.
  static constexpr std::uint64_t patience_of_one_alone = 100'000;
  /// A crew that waits answers others that have asked what has ended: but first it looks whether it has to wait.
  static constexpr unsigned looks_before_answer = 3;

  /// Launches whose like in the pass before is not pending, too: `before` is the piece before, or null.
  static std::uint64_t candidates(const claimed& p, const claimed* before) {
    const std::uint32_t n = p.of->of_pass;
    if(n >= batch::most)
      return p.pending;
    std::uint64_t blocked = p.pending << n;
    if(before != nullptr && before->of->size >= n)
      blocked |= before->pending >> (before->of->size - n);
    return p.pending & ~blocked;
  }
  /// Some of it may run before anything else of what is claimed has.
  static bool has_led_on(const claimed& p) {
    const std::uint32_t n = p.of->of_pass;
    const std::uint32_t size = p.of->size;
    return n >= size || (p.pending >> (size - n)) != bit_of(n) - 1;
  }

  template<bool is_alone>
  bool run_of(unsigned i, bool& any) {
    claimed& p = c_.claimed.pieces[i];
    if(i == 0 && !run_in_order<is_alone>(p))
      return false;
    return p.pending == 0 || c_.has_older() || starts_again_ ||
           look_through<is_alone>(p, i == 0 ? nullptr : &p - 1, any);
  }

  /// Runs launches before which nothing of their lane is missing, one after the other: what they need of
  /// the lane need not be asked.
  template<bool is_alone>
  [[gnu::noinline]] bool run_in_order(claimed& p) {
    closed_batch& b = *p.of;
    loop_crew& c = c_;
    crew_room& room = room_;
    const run_options how = options_of<is_alone>(b);
    std::uint32_t behind = 0;
    if constexpr(is_alone) {
      // The launch that runs, and perhaps the gate at the end of the loop, which comes after all of these.
      behind = b.loop.end->is_behind ? 2 : 1;
      ++room.behind;
    }
    unsigned since_poll = c.since_poll_;
    while(p.pending != 0 && (is_alone ? room.behind == behind : p.is_in_order)) {
      const closed_step& s = b.steps[next_of(p.pending)];
      if(is_time_to_poll(++since_poll, s)) {
        since_poll = 0;
        if(poll())
          break;
      }
      const std::uint64_t round = p.round + s.pass;
      // The first pass waits for turns. Alone, the lane is all there is.
      if(round == 0 || !(is_alone || s.others_let_start(round)) || !s.is_simple ||
         has_failed_before(b) || !is_ready(s))
        break;
      const bool is_beside_messages = is_long_beside_messages(s);
      if(is_beside_messages && comes_before_long())
        break;
      bool is_long = false;
      if constexpr(!is_alone) {
        is_long = is_beside_messages || takes_long(b, next_of(p.pending));
        if(is_long && !begin_long(p, next_of(p.pending)))
          return false;
      }
      const std::uint32_t n = row_from(p, s);
      since_poll += n - 1;
      if constexpr(!is_alone)
        prefetch_behind(p, s, n);
      if(!run_row<is_alone>(p, &s, n, how))
        return false;
      if constexpr(!is_alone)
        if(is_long)
          end_long(s);
      c.since_poll_ = since_poll;
      look_after(s);
      since_poll = c.since_poll_;
      if(c.has_older() || starts_again_)
        break;
    }
    c.since_poll_ = since_poll;
    if constexpr(is_alone)
      --room.behind;
    return true;
  }

  /// How many run one after the other without a look at anything else: where launches are so short that to
  /// look takes as long as to run some of them.
  [[nodiscard]] std::uint32_t row_from(const claimed& p, const closed_step& first) const {
    if(first.followers == 0 || c_.looks_of_launch_ != 0 || looks_by_clock())
      return 1;
    const std::uint64_t long_ones = p.of->long_ones.load(std::memory_order_relaxed);
    const auto pending = static_cast<std::uint32_t>(
      std::countr_one((p.pending & ~long_ones) >> (&first - p.of->steps)));
    const std::uint32_t most = ex_.poller_is_wanted() ? c_.between_polls_ : batch::most;
    return std::clamp(std::min(pending, first.followers + 1U), 1U, most);
  }

  static void prefetch_behind(const claimed& p, const closed_step& first, std::uint32_t n) {
    const std::uint32_t last = static_cast<std::uint32_t>(&first - p.of->steps) + n - 1;
    if(const std::uint64_t left = p.pending & (~std::uint64_t{1} << last); left != 0) {
      const closed_step& next = p.of->steps[next_of(left)];
      prefetch_events(next.edges_of_others(), next.edges_end);
    }
  }

  /// All once. `any`: it is worth another time, since something has come, or since other workers may have
  /// ended something meanwhile. A launch run here only lets go on those behind it.
  template<bool is_alone>
  bool look_through(claimed& p, const claimed* before, bool& any) {
    closed_batch& b = *p.of;
    loop_crew& c = c_;
    const std::uint32_t of_pass = b.of_pass;
    const run_options how = options_of<is_alone>(b);
    for(std::uint64_t left = candidates(p, before); left != 0;) {
      const std::uint32_t i = next_of(left);
      left &= left - 1;
      const closed_step& s = b.steps[i];
      if(is_time_to_poll(++c.since_poll_, s) && poll()) {
        any = true;
        return true;
      }
      const std::uint64_t round = p.round + s.pass;
      if(round != 0 && !s.may_start(round))
        continue;
      if(round == 0 || !s.is_simple || has_failed_before(b)) [[unlikely]] {
        any = true; // it may wait, and be woken
        const bool is_long = round == 0 && is_known_long(s);
        if(is_long && (comes_after_stock() || (is_long_beside_messages(s) && comes_before_long())))
          return true;
        if constexpr(!is_alone)
          if(is_long && !begin_long(p, i))
            return false;
        const std::uint64_t began = looks_by_clock() ? ticks() : 0;
        if(!go(p, i))
          return false;
        if constexpr(!is_alone)
          if(is_long) {
            c_.come_back();
            left &= p.pending;
          }
        if(looks_by_clock())
          look_after_go(s, began);
      }
      else if(!is_ready(s)) {
        if(c.awaited_ == nullptr)
          c.awaited_ = &s;
        continue;
      }
      else {
        const bool is_beside_messages = is_long_beside_messages(s);
        if(is_beside_messages && comes_before_long())
          return true;
        bool is_long = false;
        if constexpr(!is_alone) {
          is_long = is_beside_messages || takes_long(b, i);
          if(is_long) {
            if(!begin_long(p, i))
              return false;
            left &= p.pending;
          }
        }
        if(!is_alone && c.has_lane() && left != 0) {
          const closed_step& next = b.steps[next_of(left)];
          prefetch_events(next.edges, next.edges_end);
        }
        if constexpr(is_alone)
          ++room_.behind;
        if(!run_row<is_alone>(p, &s, 1, how))
          return false;
        if constexpr(is_alone)
          --room_.behind;
        else if(is_long)
          end_long(s);
        look_after(s);
      }
      if constexpr(!is_alone)
        any = true;
      if(c.has_older() || starts_again_)
        return true;
      if(i + of_pass < batch::most) // that of the next pass doesn't wait for this one any more
        left |= p.pending & bit_of(i + of_pass);
    }
    return true;
  }

  static bool waits_outside(const claimed& p, std::uint32_t i) {
    const closed_step& s = p.of->steps[i];
    return s.is_ready != nullptr && s.may_start(p.round + s.pass);
  }

  /// Relaxed: what is learned guards nothing.
  bool comes_in_time() {
    const std::uint32_t in_vain = room_.waits_in_vain.load(std::memory_order_relaxed);
    if(comes_within(c_.patience_ >> in_vain)) {
      if(in_vain != 0)
        room_.waits_in_vain.store(0, std::memory_order_relaxed);
      return true;
    }
    if(c_.has_older()) // what was handed over is no sign that the rest does not come
      return false;
    c_.patience_ = 0; // until it claims again
    if(in_vain != most_halvings)
      room_.waits_in_vain.store(in_vain + 1, std::memory_order_relaxed);
    return false;
  }

  /// Another crew is running what is missing. But a crew that waits for messages has to look for them.
  [[nodiscard]] bool is_run_elsewhere() const {
    return c_.loop->at_work.is_any_but(c_.seat, c_.loop->crews.size()) &&
           (c_.awaited_ != nullptr || !ex_.poller_is_wanted());
  }

  void answer() {
    if(c_.has_lane())
      c_.lane->events->answer(&c_);
  }

  [[nodiscard]] bool any_may_start() const {
    for(unsigned k = 0; k != c_.claimed.count; ++k) {
      const claimed& p = c_.claimed.pieces[k];
      for(std::uint64_t left = candidates(p, nullptr); left != 0; left &= left - 1) {
        const closed_step& s = p.of->steps[next_of(left)];
        const std::uint64_t round = p.round + s.pass;
        // One that goes its own way is not asked whether it is ready: it may send something when it is.
        if(s.may_start(round) && (round == 0 || has_failed_before(*p.of) || is_ready(s)))
          return true;
      }
    }
    return false;
  }

  bool comes_within(std::uint64_t most) {
    const std::uint64_t began = ticks();
    std::uint64_t now = began;
    std::uint64_t of_a_look = ~std::uint64_t{0};
    for(unsigned looks = 1; !c_.has_older() && now - began < most; ++looks) {
      if(c_.awaited_ == nullptr)
        pause();
      else {
        ex_.poll_patiently();
        if(awaited_is_there()) {
          room_.long_ones.has_come();
          end_wait(now - began, of_a_look);
          return true;
        }
      }
      if(looks == looks_before_answer)
        answer();
      // Alone, nobody else runs anything; what was parked comes as a job.
      if(c_.alone ? is_called_away() : any_may_start()) {
        end_wait(now - began, of_a_look);
        return !c_.alone;
      }
      const std::uint64_t before = std::exchange(now, ticks());
      of_a_look = std::min(of_a_look, now - before);
    }
    end_wait(now - began, of_a_look);
    return false;
  }
  void end_wait(std::uint64_t took, std::uint64_t of_a_look) {
    c_.has_waited(took);
    if(c_.awaited_ == nullptr)
      return;
    c_.since_poll_ = 0;
    if(of_a_look != ~std::uint64_t{0})
      c_.between_polls_ = static_cast<unsigned>(
        std::clamp(of_a_look / ticks_of_a_look, least_between_polls, most_between_polls));
  }

  [[nodiscard]] bool is_called_away() const {
    worker& w = worker_here();
    job* const other = w.has_task() ? w.pop_task() : nullptr;
    if(other == nullptr)
      return false;
    if(other->run == &run_launch)
      c_.add_woken(*static_cast<launch*>(other));
    else
      w.push_task(other);
    return true;
  }

  [[nodiscard]] bool claims_many() const {
    return c_.loop->lane_of(c_.seat).at_a_time.most() >= batch::most / 2;
  }
  [[nodiscard]] bool comes_within_looks() const {
    constexpr unsigned looks = 64;
    for(unsigned i = 0; i != looks; ++i) {
      pause();
      if(any_may_start())
        return true;
    }
    return false;
  }
};

} // namespace rondo::detail::inline tracing
