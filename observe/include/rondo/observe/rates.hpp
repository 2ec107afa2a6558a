#pragma once

/// \file
/// Rates and times left, as lines have them that say how far a loop is.

#include <string>

namespace rondo::detail::inline observe {

/// "812", "12.4 k", "851 M".
std::string with_prefix(double x);
/// Seconds: "0:23", "1:02:03".
std::string clock_text(double seconds);

} // namespace rondo::detail::inline observe
