#pragma once

/// \file
/// How messages name what is in a program.

#include <source_location>
#include <string>
#include <string_view>

namespace rondo::detail::inline core {

/// "solver.cpp:40".
inline std::string place(const std::source_location& where) {
  if(where.line() == 0)
    return "an unknown place";
  std::string all = where.file_name();
  all += ':';
  return all += std::to_string(where.line());
}

/// Of the same compilation: names of files are compared as they are, without a look at their letters.
inline bool is_same_place(const std::source_location& a, const std::source_location& b) {
  return a.line() == b.line() && a.column() == b.column() && a.file_name() == b.file_name();
}

/// "region 'pressure'", or "a region without a name".
inline std::string quoted(const char* kind, const char* name) {
  if(*name == '\0')
    return std::string("a ") + kind + " without a name";
  return std::string(kind) + " '" + name + '\'';
}

/// As a string in the language of Graphviz.
inline std::string escaped(std::string_view text) {
  std::string all;
  for(const char c : text) {
    if(c == '"' || c == '\\')
      all += '\\';
    all += c;
  }
  return all;
}

} // namespace rondo::detail::inline core
