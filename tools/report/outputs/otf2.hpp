#pragma once

/// \file
/// Timelines for readers of OTF2, such as Vampir and Scalasca.

#include <string>

#include <rondo/observe/timeline/timeline.hpp>

namespace rondo::report {

/// Writes the archive `traces.otf2` in a folder that is not there yet, or empty. Throws std::runtime_error if that can't be done, or if
/// this was built without OTF2.
void write_otf2(const detail::timeline& t, const std::string& folder);

} // namespace rondo::report
