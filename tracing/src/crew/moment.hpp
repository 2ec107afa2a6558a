#pragma once

/// \file
/// A moment's wait for a message, and whether that is worth it: docs/protocols/poller.md. For alone.cpp.

#include <cstdint>

namespace rondo::detail::inline tracing {

/// What the last waits of a crew say of the next one.
class moment {
public:
  /// Two microseconds: a message between cores of a machine takes a fraction of that.
  static constexpr std::uint64_t ticks = 5'000;

  /// Asked before each. After waits in vain it is not for one launch, for three, for seven.
  [[nodiscard]] bool is_worth_it() {
    if(left_out_ == 0)
      return true;
    --left_out_;
    return false;
  }
  void note(bool has_come) {
    last_left_out_ = has_come                         ? 0
                     : last_left_out_ < most_left_out ? 2 * last_left_out_ + 1
                                                      : most_left_out;
    left_out_ = last_left_out_;
  }

private:
  static constexpr std::uint32_t most_left_out = 63;

  std::uint32_t left_out_ = 0;      ///< So many are still to be left out,
  std::uint32_t last_left_out_ = 0; ///< of this number after the last wait.
};

} // namespace rondo::detail::inline tracing
