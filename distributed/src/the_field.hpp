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

} // namespace rondo::detail::inline distributed
