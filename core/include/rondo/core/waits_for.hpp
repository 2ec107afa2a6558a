#pragma once

/// \file
/// The value that somebody in `get()` waits for, for the report of a deadlock: docs/protocols/fiber.md.

#include <memory>
#include <source_location>
#include <string>

#include <rondo/core/fiber.hpp>

namespace rondo::detail::inline core {

using report_of_deadlock = std::shared_ptr<const std::string>;

/// One such wait.
struct waits_for {
  std::source_location where;    ///< The wait.
  const char* name;              ///< Of the task whose value it waits for.
  std::source_location launched; ///< Where that task was launched, or the promise was made.
  /// Returns true if the value is there: the stack is about to go on.
  bool (*over)(const waits_for& self);
  /// Called when nothing else runs, for all before any goes on: the value will not let it go on
  /// any more. Returns false if it has done so already.
  bool (*give_up)(waits_for& self, const report_of_deadlock& report);
  /// After that: goes on without the value.
  void (*go_on)(waits_for& self);
  fiber* who = nullptr;      ///< The stack at rest; null for a thread.
  waits_for* next = nullptr; ///< In the list of those that a report is made of.
  waits_for* before = nullptr;
  bool is_given_up = false;
};

inline void fiber::begin_rest(waits_for& w) {
  w.who = this;
  why_.store(as_word(w), std::memory_order_release); // release: what it says
}

} // namespace rondo::detail::inline core
