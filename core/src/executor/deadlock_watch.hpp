#pragma once

/// \file
/// Noticing that nothing can ever go on, in all executors of the process together: docs/protocols/fiber.md,
/// "Deadlocks".

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include <rondo/core/engine.hpp>

namespace rondo::detail::inline core {

class deadlock_watch {
public:
  using clock = std::chrono::steady_clock;

  /// The one watch of the process.
  static deadlock_watch& here();

  /// A worker that slept so long in vain shall look.
  static clock::duration first_patience(const executor_options& options) {
    return std::max<clock::duration>(options.deadlock_after / 4, std::chrono::milliseconds(1));
  }

  /// Called by a worker that searches and has slept in vain, for `patience` at the most. A deadlock that is certain ends
  /// all waits in `get()` by an exception, and makes launches fail that wait for futures; one that is not is printed. Returns the patience from now on.
  clock::duration look(engine& caller, clock::duration patience);

  /// What code waits for that is at rest in `get()`, or waits for launches: "main.cpp:20 waits for ..."
  static std::vector<std::string> describe_waits();

  /// The process has no threads but workers and those that wait for executors: nobody else may do something.
  static bool are_workers_alone();

private:
  class all_executors;
  class all_at_rest;

  enum class finding : std::uint8_t { none, told_before, told };
  finding find(engine& caller);
  bool is_quiet(const all_executors& all, clock::duration wanted);

  std::mutex mutex_;              ///< One looks at a time.
  std::uint64_t activity_ = 0;    ///< As it was when something was last seen to happen,
  clock::time_point quiet_since_; ///< and when that was.
  std::vector<std::size_t> told_; ///< Waits that were printed, as hashes; sorted.
  std::uint64_t told_when_ = 0;   ///< So many executors had been made then.
};

} // namespace rondo::detail::inline core
