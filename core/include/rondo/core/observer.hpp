#pragma once

/// \file
/// Being told what an executor does.
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
/// All functions are called on the worker they speak of, several workers at the same time, so
/// they must be thread-safe, and they should be quick. With no observer attached the cost is
/// one predictable branch a task.

#include <chrono>
#include <cstdint>
#include <source_location>

namespace rondo {

/// What is known of a body that runs.
struct task_info {
  enum class kind_type : std::uint8_t { task, fork, node };
  kind_type kind;
  const char* name; ///< Never null; empty if it was given no name.
};

/// A thread that was no task waited for a value.
struct wait_info {
  std::source_location where;    ///< The call that waited.
  std::chrono::nanoseconds time; ///< How long, including the tasks that the thread ran meanwhile.
  const char* name;              ///< Of the task whose value it was; empty if it has none.
  std::source_location launched; ///< Where that task was launched, or the promise made.
};

class observer {
public:
  virtual ~observer() = default;

  /// A body begins and ends on worker `worker`. Forks that were not stolen are function calls,
  /// and are not told.
  virtual void task_begin(unsigned /*worker*/, const task_info&) noexcept {}
  virtual void task_end(unsigned /*worker*/, const task_info&) noexcept {}

  /// A task is left at rest to wait, and goes on, perhaps on another worker.
  virtual void suspend(unsigned /*worker*/) noexcept {}
  virtual void resume(unsigned /*worker*/) noexcept {}

  /// Told on the thread that waited, in `get()` or `wait()` outside of tasks.
  virtual void waited(const wait_info&) noexcept {}

  /// `thief` took work from `victim`.
  virtual void steal(unsigned /*thief*/, unsigned /*victim*/) noexcept {}

  /// A worker goes to sleep in the kernel, and is back.
  virtual void park(unsigned /*worker*/) noexcept {}
  virtual void wake(unsigned /*worker*/) noexcept {}
};

} // namespace rondo
