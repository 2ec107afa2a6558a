#pragma once

/// \file
/// Files that single ranks leave when the program has not ended well, each its own: `run.rondo.rank-3` next to `run.rondo`.

#include <string>

namespace rondo::detail::inline distributed {

/// A program on one rank has no parts: its file is the whole.
std::string name_of_part(const std::string& whole, unsigned rank, unsigned ranks);

/// Parts that another run has left, which would be taken for this one's.
void remove_parts(const std::string& whole);

} // namespace rondo::detail::inline distributed
