#pragma once

/// \file
/// What names of topologies say of them only where they are made: with which options. In a list of what a launch uses it would be in the way.

#include <cstddef>
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

/// Calls `f(piece, is_aside)` for each, in their order.
template<class F>
void each_piece(std::string_view names, const F& f) {
  for(bool is_aside = false;; is_aside = !is_aside) {
    const std::size_t end = names.find(aside_mark);
    f(names.substr(0, end), is_aside);
    if(end == names.npos)
      return;
    names.remove_prefix(end + 1);
  }
}

/// "mesh 16x16".
inline std::string without_asides(std::string_view names) {
  std::string text;
  each_piece(names, [&text](std::string_view piece, bool is_aside) {
    if(!is_aside)
      text += piece;
  });
  return text;
}

/// "mesh 16x16 (halo 2, periodic along axis 0)".
inline std::string with_asides(std::string_view names) {
  std::string text;
  each_piece(names, [&text](std::string_view piece, bool is_aside) {
    text.append(is_aside ? " (" : "").append(piece).append(is_aside ? ")" : "");
  });
  return text;
}

} // namespace rondo::detail::inline distributed
