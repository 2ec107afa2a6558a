#pragma once

/// \file
/// The file that a digest goes to: RONDO_OBSERVE=digest=FILE.json.

#include <string>

namespace rondo::detail::inline observe {

/// A program that has run for hours should not learn at its end that the file can't be written. The digest of another run is not left
/// there to be taken for this one's. Throws std::runtime_error.
void begin_digest_file(const std::string& name);

/// Returns whether it is written; else the user has been told why not.
bool write_digest_file(const std::string& name, const std::string& text);

} // namespace rondo::detail::inline observe
