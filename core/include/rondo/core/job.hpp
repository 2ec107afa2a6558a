#pragma once

/// \file
/// The smallest thing an executor can run.

namespace rondo {

class worker;

/// One body to run once, seen from the scheduler: a function pointer and, behind it, whatever
/// the derived type keeps. Deques hold `job*` and never look further, so stack frames of
/// `join`, pooled tasks and lanes of a graph are all scheduled by the same code.
///
/// `run` owns the job while it executes: it destroys, recycles or completes it, and the caller
/// must not touch the job afterwards.
struct job {
  using run_function = void (*)(job*, worker&);
  run_function run;
};

namespace detail::inline core {

/// A job that lies in the frame of the code that offers it to thieves, and waits for it. The thief
/// writes its members, and then runs it.
struct fork_job : job {
  fork_job() = default;
  explicit fork_job(run_function f) : job{f} {}

  bool is_in_task; ///< It is a part of something that `executor::wait` waits for.
};

} // namespace detail::inline core
} // namespace rondo
