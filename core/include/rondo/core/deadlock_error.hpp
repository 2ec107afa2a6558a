#pragma once

/// \file
/// What a wait throws that can never end.

#include <stdexcept>

namespace rondo {

/// Nothing runs, and nothing will ever run again: tasks wait for each other in a circle, or for a promise that nobody is left to keep.
class deadlock_error : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

} // namespace rondo
