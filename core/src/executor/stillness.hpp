#pragma once

/// \file
/// Whether an executor is still, for the look for deadlocks and for waits that end when nothing can come any more. It is decided
/// here and nowhere else, from
///
///   - the notifier: who sleeps;
///   - queues, stocks and inboxes: what there is to run;
///   - the poller's post: whether a message is waited for;
///   - `prospects`: what may yet come from elsewhere;
///   - the seat: whether it is empty, and whose thread sits in it.
///
/// Here it is of one executor; `deadlock_watch.cpp` asks all of them, twice. docs/protocols/fiber.md, "Deadlocks".

#include <chrono>
#include <cstddef>
#include <cstdint>

#include <pthread.h>

#include <rondo/core/engine.hpp>

namespace rondo::detail::inline core {

struct stillness {
  using time_point = std::chrono::steady_clock::time_point;

  /// It is at rest, and no wait there will end by itself because of that.
  static bool of(const engine& ex, bool caller_searches);
  /// All who could do something for it sleep, but for the caller if that is one of its workers; there is nothing to be
  /// had, and nothing is expected from outside.
  static bool is_at_rest(const engine& ex, bool caller_searches);
  /// For a worker that is about to sleep, or a thread that is none: all workers sleep, there is nothing to be had, nor
  /// expected from outside, and the other executors have ended all that was begun there, or are at rest: of two waits in two
  /// executors that end by themselves, neither waits for the other.
  static bool is_left_alone(const engine& ex);
  /// A number that changes whenever a job begins or the last of a row of them ends, and whenever a wait does.
  static std::uint64_t activity(const engine& ex);
  /// The conditions that nobody announces were asked since then, all in vain.
  static bool has_looked_since(const engine& ex, time_point t);
  /// A thread waits for it, or in its seat.
  static bool is_awaited(const engine& ex);
  /// Threads of its own and those that wait for it, each counted once, whatever other executors they work for.
  static std::size_t threads(const engine& ex);

  /// Calls `f(index, thread)` for each worker that has a thread of its own. None of them ends meanwhile.
  static void each_thread(engine& ex, function_ref<void(unsigned, pthread_t)> f);

  static const executor_options& options(const engine& ex) { return ex.options_; }
  static resting_threads& resting(engine& ex) { return ex.resting_; }
  static stack_pool& stacks(engine& ex) { return ex.stacks_; }

private:
  /// Workers with a thread that acts for it, and for no other executor on top of that.
  static unsigned workers_here(const engine& ex);
};

} // namespace rondo::detail::inline core
