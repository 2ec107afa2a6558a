#pragma once

/// \file
/// The time between two tasks of a worker that come at once one after the other. It is much the same each time, so most of the
/// clock's looks at it are saved: one look, at the end of a task, is that at the begin of the next as well.

#include <cstdint>

namespace rondo::detail::inline observe {

/// \code
///   if(gap.can_be_guessed())              // of tasks that come at once
///     began = ended_before + gap.guess();
///   else
///     gap.note(now - ended_before);
/// \endcode
class usual_gap {
public:
  /// One of so many is measured: a prime, lest it be the same place in a loop each time.
  static constexpr unsigned measured_of = 13;

  /// Returns false if the next one is to be measured.
  bool can_be_guessed() {
    if(left_ == 0)
      return false;
    --left_;
    return true;
  }
  [[nodiscard]] std::uint64_t guess() const { return guess_; }
  /// So many have been guessed since one was measured.
  [[nodiscard]] std::uint64_t guessed() const { return guess_ == 0 ? 0 : measured_of - 1 - left_; }

  /// Has been measured.
  void note(std::uint64_t gap) {
    left_ = measured_of - 1;
    if(guess_ == 0)
      guess_ = gap + (gap == 0 ? 1 : 0);
    else if(gap <= 4 * guess_)
      guess_ = (7 * guess_ + gap) / 8;
    else
      ++guess_; // the core was taken away, which is no rule; or all were uncommonly short so far
  }

private:
  std::uint64_t guess_ = 0; ///< 0 if none has been measured.
  std::uint32_t left_ = 0;
};

} // namespace rondo::detail::inline observe
