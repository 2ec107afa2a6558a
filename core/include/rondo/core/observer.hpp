#pragma once

/// \file
/// Being told what an executor does, and the flows and schedulers on it.
///
/// \code
///   struct counter : rondo::observer {
///     std::atomic<long> tasks{0};
///     void task_begin(unsigned, const rondo::task_info&) noexcept override { ++tasks; }
///   };
///
///   rondo::executor ex;
///   counter c;
///   ex.attach(c);
///   ex.run([] { rondo::join_n(100, [](std::size_t) {}); });
///   ex.detach(c);
/// \endcode
///
/// Functions with a worker are called on it, several workers at the same time; the others on whatever thread it happens.
/// So they must be thread-safe, and they should be quick, since what they speak of waits for them. None of them may launch,
/// wait, attach or detach. Times are the observer's own affair: it looks at a clock, or does not. With no observer attached
/// the cost is one predictable branch a task.
///
/// What is told when, and in which order: docs/protocols/observing.md.

#include <rondo/core/observed.hpp>

namespace rondo {

class observer {
public:
  virtual ~observer() = default;

  /// Returns false if the observer does without `launched`, `pass_begun`, `pass_ended` and `pass_in_vain`, so that they cost launches
  /// nothing. It is asked when it is attached, and told of them all the same while another observer wants them.
  [[nodiscard]] virtual bool follows_launches() const noexcept { return true; }

  /// A body begins and ends on worker `worker`. Forks that were not stolen are function calls,
  /// and are not told.
  virtual void task_begin(unsigned /*worker*/, const task_info&) noexcept {}
  virtual void task_end(unsigned /*worker*/, const task_info&) noexcept {}

  /// A task is left at rest to wait, and goes on, perhaps on another worker. With it rest those that it was begun
  /// within, on the same stack.
  virtual void suspend(unsigned /*worker*/, const task_info&) noexcept {}
  virtual void resume(unsigned /*worker*/, const task_info&) noexcept {}

  /// The task of a launch is not run: something before it has failed, or its pass was launched in vain.
  virtual void task_skipped(unsigned /*worker*/, const task_info&) noexcept {}

  /// By the code that launches, before the task can begin.
  virtual void launched(const launch_info&) noexcept {}

  /// A pass is about to be launched; or, in `repeat`, all of them are about to run.
  virtual void pass_begun(const pass_info&) noexcept {}
  /// With a guard: it has been launched. In `iterate`: it has run, and it is known whether another one follows. In
  /// `repeat`: all that run have.
  virtual void pass_ended(const pass_info&) noexcept {}
  /// It does not run, though it was launched, or was to: the loop has ended before it.
  virtual void pass_in_vain(const pass_info&) noexcept {}

  /// A message between two ranks is under way. Of a scheduler.
  virtual void message(const message_info&) noexcept {}

  /// Told on the thread that waited, outside of tasks: of the main thread, say, or of the body of `executor::run(f)`, which is
  /// no task. The wait in `executor::run` itself is told where that runs a graph, and not where it runs a function.
  virtual void waited(const wait_info&) noexcept {}

  /// `thief` took work from `victim`.
  virtual void steal(unsigned /*thief*/, unsigned /*victim*/) noexcept {}

  /// A worker goes to sleep in the kernel, and is back.
  virtual void park(unsigned /*worker*/) noexcept {}
  virtual void wake(unsigned /*worker*/) noexcept {}
};

} // namespace rondo
