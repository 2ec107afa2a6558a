#pragma once

/// \file
/// What names of topologies say of them only where they are made: with which options. In a list of what a launch uses it would be in the way.

#include <string>
#include <string_view>
#include <vector>

namespace rondo::detail::inline distributed {

/// Around it in the name that `scheduler::note_made` is given.
inline constexpr char aside_mark = '\x1f';

inline std::string with_aside(std::string name, const std::vector<std::string>& options) {
  if(options.empty())
    return name;
  name += aside_mark;
  for(const std::string& o : options)
    name.append(&o == &options.front() ? "" : ", ").append(o);
  return name += aside_mark;
}

/// "mesh 16x16".
inline std::string without_asides(std::string_view names) {
  std::string text;
  bool is_aside = false;
  for(const char c : names)
    if(c == aside_mark)
      is_aside = !is_aside;
    else if(!is_aside)
      text += c;
  return text;
}

/// "mesh 16x16 (halo 2, periodic along axis 0)".
inline std::string with_asides(std::string_view names) {
  std::string text;
  bool is_aside = false;
  for(const char c : names)
    if(c == aside_mark) {
      text += is_aside ? ")" : " (";
      is_aside = !is_aside;
    }
    else
      text += c;
  return text;
}

} // namespace rondo::detail::inline distributed
