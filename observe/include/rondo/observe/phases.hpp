#pragma once

/// \file
/// Listeners, which are told of phases of the program (`rondo::phase`).

#include <cstdint>

#include <rondo/core/function_ref.hpp>

namespace rondo::detail::inline observe {

/// In a list while it listens.
class phase_listener {
public:
  phase_listener();
  virtual ~phase_listener() = default;
  phase_listener(const phase_listener&) = delete;
  phase_listener& operator=(const phase_listener&) = delete;

  /// To be called by those that derive from it, when they are whole, and before they are none any more.
  void listen();
  void listen_no_more();

  /// Each has a number, and no other one has had it.
  [[nodiscard]] std::uint64_t number() const { return number_; }
  /// The work of its workers so far, in ticks, if it knows.
  [[nodiscard]] virtual std::uint64_t worked() const { return 0; }
  /// By the thread on which the phase ends. `worked_before` was asked for when it began.
  virtual void phase_ended(
    const char* name, std::uint64_t began, std::uint64_t ended, std::uint64_t worked_before) = 0;

  /// Calls it for all that listen. They live until it returns.
  static void each(function_ref<void(phase_listener&)> f);
  static bool are_any();

private:
  const std::uint64_t number_;
};

} // namespace rondo::detail::inline observe
