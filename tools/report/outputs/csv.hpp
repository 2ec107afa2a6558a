#pragma once

/// \file
/// Timelines as tables, for spreadsheets and scripts: tasks.csv, launches.csv, messages.csv, waits.csv. The first line has the names of the
/// columns; times are in seconds since the run began, and a place without text is not known.

#include <string>

#include <rondo/observe/timeline/timeline.hpp>

namespace rondo::report {

/// Makes the folder if it is not there. Throws std::runtime_error if something can't be written.
void write_csv(const detail::timeline& t, const std::string& folder);

} // namespace rondo::report
