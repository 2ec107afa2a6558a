#pragma once

/// \file
/// Sections of a Gmsh file, whose begin and end are lines of text, in binary files too: `$Nodes` and `$EndNodes`.

#include <string>
#include <string_view>

#include "gmsh/cursor.hpp"
#include "gmsh/groups.hpp"

namespace rondo::detail::gmsh {

struct format {
  bool is_version_4; ///< 4.1, or else 2.2.
  bool is_binary;
};

/// Reads on to the end of `$MeshFormat`, which is the first section but for comments. Places behind it are counted in bytes if the file is binary.
format read_format(input& file, cursor& c);

/// The name of the next section without the $, and goes on to the line behind it; nothing at the end of the file.
std::string next_section(cursor& c);

/// Goes on behind the end of a section that Rondo makes no use of.
void skip_section(cursor& c, std::string_view name);

/// `$PhysicalNames` up to its end.
void read_names(cursor& c, groups& to);

} // namespace rondo::detail::gmsh
