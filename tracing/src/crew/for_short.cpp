// Crews beside launches that do next to nothing: one runs them, the others look from time to time whether it
// does. docs/protocols/flow.md, "Short launches"

#include <algorithm>

#include <rondo/core/pause.hpp>
#include <rondo/core/ticks.hpp>
#include <rondo/tracing/closed.hpp>
#include <rondo/tracing/flow.hpp>

#include "../running.hpp"
#include "flow_crew.hpp"
#include "loop_crew.hpp"
#include "patience.hpp"

namespace rondo::detail::inline tracing {

namespace {

/// A crew that has claimed nothing for so many ticks is busy with something else.
constexpr std::uint64_t worth_leaving = 50'000;
/// It comes for so many launches, or after so long, and goes when for so long there were none.
constexpr std::uint64_t worth_coming_for = 64;
constexpr std::uint64_t worth_collecting = 10'000;
constexpr std::uint64_t worth_expecting = 50'000;
/// Each look takes a cache line from somebody who is about to write to it.
constexpr std::uint64_t between_looks = 8'000;

std::uint64_t next_look(std::uint64_t last) {
  std::uint64_t now = 0;
  do {
    pause();
    now = ticks();
  } while(now - last < between_looks);
  return now;
}

} // namespace

/// `claimed` has changed since the last look, or the last change isn't long ago.
bool crew::goes_on(std::uint64_t claimed_by_now, std::uint64_t now) {
  if(claimed_by_now != seen_claimed_) {
    seen_claimed_ = claimed_by_now;
    seen_at_ = now;
  }
  return now - seen_at_ <= worth_leaving;
}

/// A worker that waits for messages has to look for them.
std::uint64_t crew::time_to_stay() const {
  return engine_of(running::home(*home)).poller_is_wanted() ? worth_collecting : worth_staying;
}

/// Two crews that take turns at short launches are slower than one, since what these work on goes to and fro between
/// two cores: so they are left to the one that has claimed last. And that one, where it is faster than the code that
/// launches, would take each cache line from it while it is being written; so it waits until there are many, or
/// no more are launched.
///
/// Returns true if nothing is to be claimed now.
bool flow_crew::leaves_short_ones(crew_room& room) {
  const executor& ex = running::home(*home);
  if(alone || !room.short_ones.are_for_one_of(ex.workers()))
    return false;
  const std::uint64_t began = ticks();
  for(std::uint64_t now = began;; now = next_look(now)) {
    const std::uint64_t claimed_by_now = room.claimed.load(std::memory_order_relaxed);
    const std::uint64_t launched = room.launched.load(std::memory_order_acquire);
    const bool is_any_left = static_cast<std::int64_t>(launched - claimed_by_now) > 0;
    const batch* const last = room.awaited.load(std::memory_order_acquire);
    if(room.short_ones.are_of(seat)) {
      const std::uint64_t most =
        is_any_left ? worth_collecting : std::min(worth_expecting, time_to_stay());
      if(last != nullptr || now - began > most ||
         (is_any_left && launched - claimed_by_now >= worth_coming_for))
        return false;
      continue;
    }
    if(!is_any_left || !goes_on(claimed_by_now, now))
      return false;
    if(now - began > time_to_stay() ||
       (last != nullptr &&
         last->ended.load(std::memory_order_relaxed) == running::batch_size(*home)))
      break;
  }
  leaves_ = true;
  return true;
}

/// The same in a closed loop without lanes: there nobody launches, and what is claimed lets more be claimed.
bool loop_crew::leaves_short_ones() {
  const closed_loop& of = *loop;
  const executor& ex = running::home(*home);
  if(alone || has_lane() || ex.shares_cores() || of.short_ones.are_of(seat) ||
     !of.short_ones.are_for_one_of(ex.workers()))
    return false;
  const closed_lane& all = of.lane_of(seat);
  const std::uint64_t began = ticks();
  for(std::uint64_t now = began;; now = next_look(now)) {
    const std::uint64_t claimed_by_now = all.claimed.load(std::memory_order_relaxed);
    if(claimed_by_now == all.all || !goes_on(claimed_by_now, now))
      return false;
    if(now - began > time_to_stay())
      break;
  }
  leaves_ = true;
  return true;
}

} // namespace rondo::detail::inline tracing
