#pragma once

/// \file
/// Durations and clocks without the calendars, time zones and streams that <chrono> brings along, which take compilers as long
/// as a fifth of Rondo: <mutex> has them as well, in all standard libraries that Rondo is built with.

#include <mutex>
