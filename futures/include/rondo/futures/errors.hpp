#pragma once

/// \file
/// What can go wrong with a value that is not there yet.

#include <stdexcept>
#include <string>

#include <rondo/core/deadlock_error.hpp>

namespace rondo {

/// A promise was destroyed before it was kept.
class broken_promise : public std::runtime_error {
public:
  broken_promise()
      : std::runtime_error("rondo::promise: destroyed without a value; every path of the code that "
                           "makes a promise has to keep it, with set_value, set_exception or "
                           "set_cancelled") {}
};

/// The task was not run because its stop token said so, or a promise was cancelled; or a future
/// among the arguments was.
class cancelled : public std::runtime_error {
public:
  cancelled() : std::runtime_error("rondo: cancelled") {}
  /// With the reason.
  explicit cancelled(const std::string& why) : std::runtime_error("rondo: cancelled: " + why) {}
};

} // namespace rondo
