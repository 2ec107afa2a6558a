#pragma once

/// \file
/// A task that observers are told of, for as long as its body runs. Made only where somebody observes.

#include <rondo/core/observed.hpp>
#include <rondo/core/running_task.hpp>

namespace rondo {

class worker;

namespace detail::inline core {

/// Lies on the task's stack, and is found from there by whoever leaves that stack at rest: so begin, rest and end are told
/// of the same task, and where nobody observes nothing is kept.
class observed_task final : public running_task {
public:
  /// Tells that it begins on this worker.
  observed_task(worker& w, const task_info& info);
  /// Tells that it ends, on the worker that is here by now.
  ~observed_task();

  [[nodiscard]] const task_info& info() const { return info_; }

  /// Of the stack in use; or null.
  static const observed_task* innermost();

private:
  static const char* name_of(const void* of);

  task_info info_;
};

} // namespace detail::inline core
} // namespace rondo
