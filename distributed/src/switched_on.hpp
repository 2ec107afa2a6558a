#pragma once

/// \file
/// Parts of Rondo that the environment leaves out.

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

namespace rondo::detail::inline distributed {

/// By a variable that is 0 or 1; 1 if it is not set. Throws std::invalid_argument if it is something else.
inline bool is_switched_on(const char* variable) {
  const char* const text = std::getenv(variable);
  const std::string_view s = text == nullptr ? "" : text;
  if(s != "" && s != "0" && s != "1")
    throw std::invalid_argument(
      "rondo: " + std::string(variable) + "=" + std::string(s) + ": expected 0 or 1");
  return s != "0";
}

} // namespace rondo::detail::inline distributed
