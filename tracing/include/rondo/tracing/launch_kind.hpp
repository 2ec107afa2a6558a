#pragma once

/// \file
/// What all launches of one type have in common: what is done with them, and what their accesses are.

#include <cstdint>
#include <exception>
#include <string>

#include <rondo/tracing/hints.hpp>
#include <rondo/tracing/region.hpp>

namespace rondo::detail {

inline namespace futures {
class state_base;
} // namespace futures

inline namespace tracing {

class later_state;
struct launch;
struct future_wait;

/// A future among the arguments of a launch, and what the launch waits for it with.
struct awaited_future {
  state_base* value;
  future_wait* wait;
};

/// What all launches of one type have in common.
struct launch_kind {
  void (*run)(launch& l) = nullptr; ///< If null, nothing is run.
  /// Instead of `run`, after an earlier launch has failed.
  void (*skip)(launch& l, const std::exception_ptr& why) = nullptr;
  void (*fold)(launch& l, unsigned access) = nullptr;
  void (*end)(launch& l) noexcept = nullptr;
  /// Returns false if `who`, mostly the launch, is told later that its i-th future is ready.
  bool (*await)(launch& l, unsigned i, launch& who) = nullptr;
  /// Null, or gives the i-th of these futures. Not to be asked once the launch has ended.
  awaited_future (*future)(launch& l, unsigned i) = nullptr;
  /// `run` as often as one likes: keeps the arguments, and the result only the last time. Null if
  /// an argument can't be copied.
  void (*run_again)(launch& l, bool is_last_time) = nullptr;
  /// Null, or gives what says that the launch has ended: later.hpp.
  later_state* (*later)(launch& l) = nullptr;
  /// Null, or: where that is true `run_now`, like `run_again`, does all of it, and it ends at once.
  bool (*is_ready)(launch& l) = nullptr;
  void (*run_now)(launch& l, bool is_last_time) = nullptr;
  /// Null, or: where that is true it would only wait, and what comes after it may do so itself.
  bool (*does_nothing)(const launch& l) = nullptr;
  /// Null, or what the function says of the launch, such as the color it is for: for messages.
  std::string (*details)(const launch& l) = nullptr;
  /// Null, or what the program has said of when and where the launch is to run.
  launch_hints (*hints)(const launch& l) = nullptr;
  const access_mode* modes = nullptr; ///< Of the accesses.
  std::uint16_t futures = 0;
  std::uint16_t accesses = 0;
  std::uint16_t commuting = 0;
  std::uint16_t reducing = 0;
  bool is_plain = false;       ///< All that it waits for is its turns.
  bool ends_by_itself = false; ///< `end` would do nothing.
  bool has_result = false;
  /// Null, or another one whose launches do the same: an instance of a closed loop does what its prototype does.
  const launch_kind* like = nullptr;
  std::uint64_t signature = 0; ///< Of the modes of a list of accesses: kinds_by_modes.hpp.

  /// The kind by which its launches are known, where some are remembered.
  [[nodiscard]] const launch_kind* identity() const { return like != nullptr ? like : this; }
  /// Of a launch without anything special, that is all there is to do: wait, run, tell.
  [[nodiscard]] constexpr bool is_simple() const { return is_plain && ends_by_itself; }
};

} // namespace tracing
} // namespace rondo::detail
