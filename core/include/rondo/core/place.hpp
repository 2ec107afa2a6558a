#pragma once

/// \file
/// How messages name a place in a program.

#include <source_location>
#include <string>

namespace rondo::detail::inline core {

/// "solver.cpp:40".
inline std::string place(const std::source_location& where) {
  if(where.line() == 0)
    return "an unknown place";
  std::string all = where.file_name();
  all += ':';
  return all += std::to_string(where.line());
}

} // namespace rondo::detail::inline core
