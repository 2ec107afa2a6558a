#pragma once

/// \file
/// Timelines for https://ui.perfetto.dev, which opens them in a browser and sends them nowhere.

#include <string>

#include <rondo/observe/timeline/timeline.hpp>

namespace rondo::report {

/// Throws std::runtime_error if the file can't be written.
void write_perfetto(const detail::timeline& t, const std::string& file);

} // namespace rondo::report
