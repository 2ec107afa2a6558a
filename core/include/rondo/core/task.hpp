#pragma once

/// \file
/// Detached tasks: a body on the heap of an executor, to be run once by any worker.

#include <cstddef>
#include <new>
#include <stop_token>
#include <type_traits>
#include <utility>

#include <rondo/core/job.hpp>
#include <rondo/core/running_task.hpp>
#include <rondo/core/worker.hpp>

namespace rondo {

/// High before anything else; low only when nothing else is left.
///
/// *Which one is next.* A worker runs the newest of its own tasks first, whose data are in its caches; then those sent to
/// it, those that other threads have submitted, the oldest first, and what it can take from others. No task waits for
/// ever behind newer ones of its priority: after 61 of its own tasks, or after some 100 ms of them, a worker looks first
/// at the oldest of them, or at what was submitted, in turns; and its own tasks and those sent to it take turns.
/// Priorities are kept always, so high tasks that renew themselves keep the others waiting.
enum class priority : unsigned char { high, normal, low };

struct task_options {
  rondo::priority priority = rondo::priority::normal;
  /// The worker whose caches hold the data. It runs the task unless another one is idle.
  int worker = -1;
  /// The task is skipped if a stop was requested before it started.
  std::stop_token stop = {};
  /// Shown by observers. Must outlive the task; usually a literal.
  const char* name = "";
};

/// Where a task reports that it has ended. Both functions run on the worker that ran the task.
class task_owner {
public:
  virtual void task_failed(worker&) noexcept = 0; ///< Called while the exception is handled.
  virtual void task_ended(worker&) noexcept = 0;  ///< The last thing a task does.

protected:
  ~task_owner() = default;
};

/// A detached task as its executor sees it.
struct detached_task : job {
  task_owner* owner;
};

namespace detail::inline core {

struct plain_task {
  static constexpr const char* name = "";
  static bool skipped() { return false; }
  /// While a body of this task runs.
  struct running {
    explicit running(const plain_task&) {}
  };
};

struct task_extras {
  const char* name;
  std::stop_token stop;
  [[nodiscard]] bool skipped() const { return stop.stop_requested(); }
  struct running : running_task {
    explicit running(const task_extras& e) : running_task(&name_of, &e) {}
    static const char* name_of(const void* e) { return static_cast<const task_extras*>(e)->name; }
  };
};

template<class F, class Extras>
struct task_of final : detached_task {
  [[no_unique_address]] Extras extras;
  F body;

  template<class Fn>
  task_of(task_owner& o, Extras e, Fn&& f)
      : detached_task{{&run_task}, &o}, extras(std::move(e)), body(std::forward<Fn>(f)) {}

  static void run_task(job* j, worker& w) {
    auto* const self = static_cast<task_of*>(j);
    task_owner* const owner = self->owner;
    w.begin_task();
    if(!self->extras.skipped())
      w.observe(
        [&] {
          return task_info{task_info::kind_type::task, self->extras.name};
        },
        [&] {
          try {
            [[maybe_unused]] const typename Extras::running here(self->extras);
            self->body();
          }
          catch(...) {
            owner->task_failed(worker_here());
          }
        });
    self->~task_of();
    // The body may have waited, and moved; and so may destructors of what it held.
    worker& last = worker_here();
    last.end_task();
    last.deallocate(self);
    owner->task_ended(last);
  }
};

} // namespace detail::inline core
} // namespace rondo
