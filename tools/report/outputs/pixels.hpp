#pragma once

/// \file
/// A lane as a row of pixels. Each shows by its colour what was done in its share of the time, however many slices there are in it.

#include "colors.hpp"
#include "times.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <rondo/observe/timeline/timeline.hpp>

namespace rondo::report {

/// How long lanes were busy with what, in nanoseconds; without what lies within it.
struct time_of_names {
  std::map<std::string, double> tasks;
  double slept = 0;
  double waited = 0;
};

/// Where nothing is it has the colour `ground`. Adds to `times`.
std::vector<color> pixels_of(const detail::timeline_lane& lane, const color_table& colors,
  const time_span& span, std::size_t width, const color& ground, time_of_names& times);

} // namespace rondo::report
