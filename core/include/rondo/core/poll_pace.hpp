#pragma once

/// \file
/// How often a worker that runs one job after the other looks at what is outside of the executor: by the
/// clock, since jobs last from a tenth of a microsecond to seconds.

#include <cstdint>

#include <rondo/core/ticks.hpp>
#include <rondo/core/two_numbers.hpp>

namespace rondo::detail::inline core {

/// Of one worker. The clock is read after each job, or after a few where jobs are short, so that what it costs
/// is little beside them.
///
/// \code
///   for(job& j : jobs) {
///     j.run();
///     if(poller_is_wanted() && pace.is_time())
///       poll();
///   }
/// \endcode
class poll_pace {
public:
  /// Ticks between two looks at messages, at the most, but for the job that runs: 20 to 50 us.
  static constexpr std::uint64_t interval = 100'000;
  /// A change from short jobs to long ones is noticed after so many at the latest.
  static constexpr std::uint32_t most_between = 8;
  /// A job that takes so long is worth knowing by name: for the next ones the clock is read after each, though they be
  /// short.
  static constexpr std::uint64_t long_job = 4 * interval;

  /// A job has ended, and another one may follow. Returns true if the caller is to poll.
  [[nodiscard]] bool is_time() {
    last_ = 0;
    return --left_ == 0 && look_at(ticks());
  }

  /// The same at that time.
  [[nodiscard]] bool look_at(std::uint64_t now) {
    const std::uint64_t took = now - looked_;
    looked_ = now;
    last_ = between_ == 1 ? took : 0;
    if(took >= long_job)
      careful_ = looks_after_long_job;
    else if(careful_ != 0)
      --careful_;
    if(took > interval / 8)
      between_ = 1;
    else if(took < interval / 32 && careful_ == 0)
      between_ = smaller_of(2 * between_, most_between);
    left_ = between_;
    if(now - polled_ < interval)
      return false;
    polled_ = now;
    return true;
  }

  [[nodiscard]] std::uint64_t since_look(std::uint64_t now) const { return now - looked_; }
  /// A job begins now, and what was before is nobody's time.
  void begin(std::uint64_t now) { looked_ = now; }
  /// Ticks that the job took after which `is_time` was asked last; 0: it was too short to be looked at alone.
  [[nodiscard]] std::uint64_t last_job() const { return last_; }

private:
  static constexpr std::uint32_t looks_after_long_job = 128; // less than a hundredth of its time

  std::uint64_t looked_ = 0; ///< At the clock.
  std::uint64_t polled_ = 0;
  std::uint64_t last_ = 0;
  std::uint32_t left_ = 1; ///< Jobs until it looks at the clock again.
  std::uint32_t between_ = 1;
  std::uint32_t careful_ = 0; ///< So many looks more with one job between them.
};

} // namespace rondo::detail::inline core
