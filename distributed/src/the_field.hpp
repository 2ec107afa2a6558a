#pragma once

/// \file
/// Fields in messages.

#include <string>

#include <rondo/core/place.hpp>

namespace rondo::detail::inline distributed {

/// "the field 'u'", or "a field without a name".
inline std::string the_field(const char* name, const char* kind = "field") {
  return (*name == '\0' ? "" : "the ") + quoted(kind, name);
}

/// What is wrong, without the kind of thing that it is said of: "a halo of -1; take 0 for none" of "rondo::structured: a halo of ...".
/// For somebody who says which one it is.
inline std::string without_kind(const std::string& what) {
  const std::size_t end = what.find(": ");
  return what.starts_with("rondo::") && end != std::string::npos ? what.substr(end + 2) : what;
}

} // namespace rondo::detail::inline distributed
