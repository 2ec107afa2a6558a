#pragma once

/// \file
/// The time that a timeline is about.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <rondo/observe/timeline/timeline.hpp>

namespace rondo::report {

/// From `begin` to `end`: of everything that it tells of, the end of the recording too. Where clocks differ something may come before 0.
struct time_span {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  [[nodiscard]] std::int64_t length() const noexcept { return end - begin; }
};
time_span span_of(const detail::timeline& t);

/// "1.53 ms"
std::string duration_text(double nanoseconds);

/// Moments of an axis, at round numbers: so many nanoseconds after 0, and how they are called.
std::vector<std::pair<double, std::string>> ticks_of(const time_span& span, double most);

} // namespace rondo::report
