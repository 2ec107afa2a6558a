#pragma once

/// \file
/// What somebody waits for, for the report of a deadlock: docs/protocols/fiber.md.

#include <memory>
#include <source_location>
#include <string>

#include <rondo/core/fiber.hpp>

namespace rondo::detail::inline core {

using report_of_deadlock = std::shared_ptr<const std::string>;

/// One such wait.
struct waits_for {
  std::source_location where; ///< The wait. Without a line, what waits is in the words.
  /// In words, to come after "main.cpp:20 ". Where nothing runs any more (`is_still`) it may look at everything; else others may
  /// change, or end, what they are at.
  std::string (*what)(const waits_for& self, bool is_still);
  /// Returns true if that has come: the code is about to go on.
  bool (*over)(const waits_for& self);
  /// Called when nothing else runs, for all before any goes on: what it waits for will not let it go on
  /// any more. Returns false if it has done so already, or can't be given up.
  bool (*give_up)(waits_for& self, const report_of_deadlock& report);
  /// After that: goes on without it.
  void (*go_on)(waits_for& self);
  fiber* who = nullptr;      ///< The stack at rest; null for a thread.
  waits_for* next = nullptr; ///< In the list of those that a report is made of.
  waits_for* before = nullptr;
  bool is_given_up = false;
  bool is_last_resort = false; ///< Given up only if no other wait can be.
};

inline void fiber::begin_rest(waits_for& w) {
  w.who = this;
  why_.store(as_word(w), std::memory_order_release); // release: what it says
}

} // namespace rondo::detail::inline core
