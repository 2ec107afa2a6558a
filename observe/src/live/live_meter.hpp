#pragma once

/// \file
/// What a live line says, from how far a program is at times.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "loops_under_way.hpp"

namespace rondo::detail::inline observe {

/// Times are in seconds, from anywhere.
class live_meter {
public:
  explicit live_meter(double begin) : begin_(begin) {}

  /// What there is to say now; nothing while nothing has been launched. It is for the rates that this be called at the times of the
  /// lines only.
  std::string line(const loop_now& loop, std::uint64_t launches, double now);
  /// And when all is over.
  [[nodiscard]] std::string end(const loop_now& loop, std::uint64_t launches, double now) const;

private:
  struct sample {
    double time;
    std::uint64_t count; ///< Passes; launches where there is no loop.
  };
  /// Since some lines ago.
  double rate(const sample& here);

  double begin_;
  std::uint64_t of_ = 0;    ///< The loop that the samples are of.
  std::uint64_t loops_ = 0; ///< How many it was at the last line.
  std::array<sample, 8> last_{};
  std::size_t samples_ = 0;
};

} // namespace rondo::detail::inline observe
