#pragma once

/// \file
/// How far a loop is, and how fast, from passes and values at times: what a progress line says.

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include <rondo/distributed/progress_line.hpp>

namespace rondo::detail::inline distributed {

/// Times are in seconds, from anywhere.
class progress_meter {
public:
  progress_meter(progress_options options, double begin);

  /// A pass is over; the value is not a number if it has none.
  void pass(double value);
  /// What there is to say now. It is for the rates that this be called at the times of the lines only.
  std::string line(double now);
  /// And when all is over.
  [[nodiscard]] std::string end(double now) const;
  [[nodiscard]] bool has_begun() const { return passes_ != 0; }

private:
  struct sample {
    double time;
    std::uint64_t passes;
    double value;
  };
  [[nodiscard]] std::string value() const;
  [[nodiscard]] std::string rates(double passes_per_second) const;
  /// Seconds, as far as that can be known; else not a number.
  [[nodiscard]] double left(const sample& before, double now) const;
  [[nodiscard]] bool has_begun_anew(double x) const;

  progress_options options_;
  double begin_;
  std::uint64_t passes_ = 0;
  double value_ = std::numeric_limits<double>::quiet_NaN();
  double farthest_ = std::numeric_limits<double>::quiet_NaN(); ///< Value, since it began anew.
  std::array<sample, 8> last_{}; ///< Of the last lines, the oldest one first.
  std::size_t samples_ = 0;
};

} // namespace rondo::detail::inline distributed
