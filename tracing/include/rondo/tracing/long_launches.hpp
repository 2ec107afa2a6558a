#pragma once

/// \file
/// What a crew knows of launches that take long, and the time for which it may wait for a message before it begins
/// one. docs/protocols/poller.md

#include <algorithm>
#include <array>
#include <cstdint>

#include <rondo/core/poll_pace.hpp>

namespace rondo::detail::inline tracing {

struct launch_kind;

/// A message that comes while a long launch runs waits for its end, and so does the rank that the answer goes to. So
/// a crew may wait a moment before a long launch. A core that waits does nothing else, so waits are paid from savings:
/// a sixteenth of the time that long launches take.
class long_launches {
public:
  /// A launch that takes so many ticks is long.
  static constexpr std::uint64_t least = poll_pace::long_job;

  [[nodiscard]] bool is_empty() const { return count_ == 0; }
  [[nodiscard]] bool contain(const launch_kind* kind) const { return place_of(kind) != count_; }

  void has_run_long(const launch_kind* kind, std::uint64_t took) {
    length_ = took;
    savings_ = std::min(savings_ + took / part, most_savings);
    if(contain(kind))
      return;
    kinds_[next_] = kind;
    next_ = (next_ + 1) % most_kinds;
    count_ = std::min(count_ + 1, most_kinds);
  }

  void has_run_short(const launch_kind* kind) {
    const std::uint32_t place = place_of(kind);
    if(place == count_)
      return;
    kinds_[place] = kinds_[--count_];
    next_ = count_;
  }

  /// Ticks, before a long launch; 0: it is to begin at once. To wait for longer than it takes doesn't pay. A rank that
  /// has waited in vain saves until it can wait for as long as one takes, in which any other rank comes to the
  /// end of its own; or answers at once what has come.
  [[nodiscard]] std::uint64_t patience() const {
    const std::uint64_t whole = std::min(length_, most_savings);
    if(!waits_in_vain_ || savings_ >= whole)
      return std::min(savings_, whole);
    return something_came_ ? std::min(savings_, short_wait) : 0;
  }

  void has_waited(std::uint64_t ticks, bool in_vain) {
    savings_ -= std::min(ticks, savings_);
    waits_in_vain_ = in_vain;
    something_came_ = false;
  }
  void has_come() { something_came_ = true; }

private:
  static constexpr std::uint64_t part = 16;
  static constexpr std::uint64_t most_savings = 10'000'000; ///< Some 4 ms.
  static constexpr std::uint64_t short_wait = 100'000;      ///< Another rank's answer takes less.
  static constexpr std::uint32_t most_kinds = 4;            ///< That are remembered.

  /// `count_` if it is not there.
  [[nodiscard]] std::uint32_t place_of(const launch_kind* kind) const {
    const auto end = kinds_.begin() + count_;
    return static_cast<std::uint32_t>(std::find(kinds_.begin(), end, kind) - kinds_.begin());
  }

  std::array<const launch_kind*, most_kinds> kinds_{};
  std::uint32_t count_ = 0;
  std::uint32_t next_ = 0;
  std::uint64_t length_ = 0; ///< Of the last long one.
  std::uint64_t savings_ = most_savings;
  bool waits_in_vain_ = false;  ///< It did so last.
  bool something_came_ = false; ///< Since then.
};

} // namespace rondo::detail::inline tracing
