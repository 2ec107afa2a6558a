#pragma once

/// \file
/// All variables that Rondo knows, in whatever part: docs/configuration.md explains them.

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rondo::detail::inline core {

struct setting {
  std::string_view variable;
  std::string_view what;    ///< In a few words, with the value if it is not set.
  long least = 0, most = 0; ///< Of a number; both 0: it is none.
  bool is_whole = true;
  std::string_view words = {}; ///< Values, with spaces between; empty: any text.
};
/// All of them, in the order in which they are told.
std::span<const setting> settings();
/// Of a number: the least and the most.
std::pair<long, long> limits_of(std::string_view variable);

/// A line for each variable that begins with RONDO_ and that nobody knows. `environment` ends with
/// null.
std::vector<std::string> unknown_variables(const char* const* environment);

/// The line for a RONDO_OBSERVE that nothing in this program looks at; empty if there is none.
std::string unheard_wish(const char* observe, bool is_anyone_there);

/// Prints these lines: once in a process, and of the ranks that mpirun has started only the first one.
void warn_of_variables_without_effect();

} // namespace rondo::detail::inline core
