#pragma once

/// \file
/// When a worker, which runs the newest of its own tasks first, looks at what may starve behind them.

#include <cstdint>

#include <rondo/core/ticks.hpp>
#include <rondo/core/two_numbers.hpp>

namespace rondo::detail::inline core {

/// Of one worker. Tasks last from a tenth of a microsecond to minutes, so neither their number nor the time
/// is enough: it is time after so many of them, or after so long, whatever comes first. The clock is read before each
/// task, or before every eighth where they are short.
///
/// \code
///   if(pace.is_time())
///     look_at_the_oldest();
///   else if(!take_the_newest())
///     pace.begin(); // nothing of its own is there that others could wait behind
/// \endcode
class neglect_pace {
public:
  static constexpr std::uint32_t most_tasks = 61;
  /// Some 50 to 250 ms. Newest first keeps what they work on in the cache, and recursions small; so it is given up
  /// seldom.
  static constexpr std::uint64_t most_ticks = 250'000'000;

  /// Called before each own task. Returns true if one that has waited for long is to come first.
  [[nodiscard]] bool is_time() {
    if(++tasks_ <= most_tasks && !(--left_ == 0 && look_at(ticks())))
      return false;
    begin();
    return true;
  }
  void begin() {
    tasks_ = 0;
    // The time begins at the next look at the clock: one here would cost more than a short task.
    has_begun_ = false;
  }

  /// Returns true if the first look since it has begun is too long ago.
  [[nodiscard]] bool look_at(std::uint64_t now) {
    between_ = now - looked_ > most_ticks / 64 ? 1 : smaller_of(2 * between_, most_between);
    looked_ = now;
    left_ = between_;
    if(!has_begun_) {
      has_begun_ = true;
      began_ = now;
    }
    return now - began_ >= most_ticks;
  }

private:
  static constexpr std::uint32_t most_between = 8;

  std::uint64_t began_ = 0;
  std::uint64_t looked_ = 0;  ///< At the clock.
  std::uint32_t tasks_ = 0;   ///< Since it was time.
  std::uint32_t left_ = 1;    ///< Until it looks at the clock again.
  std::uint32_t between_ = 1; ///< Tasks between two looks at it.
  bool has_begun_ = false;
};

} // namespace rondo::detail::inline core
