#pragma once

/// \file
/// All variables that Rondo knows, in whatever part: docs/configuration.md explains them.

#include <string>
#include <vector>

namespace rondo::detail::inline core {

/// A line for each variable that begins with RONDO_ and that nobody knows. `environment` ends with
/// null.
std::vector<std::string> unknown_variables(const char* const* environment);

/// Prints these lines: once in a process, and of the ranks that mpirun has started only the first one.
void warn_of_unknown_variables();

} // namespace rondo::detail::inline core
