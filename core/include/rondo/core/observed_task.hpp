#pragma once

/// \file
/// The task that code belongs to, for observers. Made only where somebody observes.

#include <utility>

#include <rondo/core/observed.hpp>
#include <rondo/core/running_task.hpp>

namespace rondo {

class worker;

namespace detail::inline core {

/// The code on this stack belongs to the task, for as long as this lives. Code that wants to know finds it from there: so
/// where nobody observes nothing is kept.
class known_task : public running_task {
public:
  explicit known_task(const task_info& info) : running_task(&name_of, this), info_(info) {}
  /// As `info()` says: without a copy, which would cost more than the making.
  template<class Info>
  known_task(std::in_place_t, Info&& info) : running_task(&name_of, this), info_(info()) {}

  [[nodiscard]] const task_info& info() const { return info_; }

  /// Of the stack in use; or null: the code there is no task, or began before anybody observed.
  static const known_task* innermost();

protected:
  task_info info_;

private:
  static const char* name_of(const void* of);
};

/// The same for as long as its body runs, which is told.
class observed_task final : public known_task {
public:
  /// As `info()` says. Tells that it begins on this worker.
  template<class Info>
  observed_task(worker& w, Info&& info) : known_task(std::in_place, info) {
    begin(w);
  }
  /// Tells that it ends, on the worker that is here by now.
  ~observed_task();

private:
  void begin(worker& w);
};

} // namespace detail::inline core
} // namespace rondo
