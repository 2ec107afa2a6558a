#pragma once

/// \file
/// A picture of a whole run.

#include <string>

#include <rondo/observe/timeline/timeline.hpp>

namespace rondo::report {

/// Lanes one below the other, time from left to right. Its height follows from the number of lanes, up to 8000; then lanes become
/// thinner, and at last several share a row of pixels. Throws std::runtime_error if it can't be written, or if this was built without cairo.
void write_png(const detail::timeline& t, const std::string& file, int width = 1600);

} // namespace rondo::report
