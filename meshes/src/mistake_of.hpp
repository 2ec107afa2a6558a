#pragma once

/// \file
/// Which mesh or matrix a mistake is about.

#include <source_location>
#include <string>
#include <string_view>

namespace rondo::detail::inline meshes {

/// The mistake `what` with the name of the thing and where it is made in front. Others are left as they are: `what` has to begin as Rondo's
/// own mistakes in meshes and matrices do, and then begins as `kind` says, "rondo::sparse: " for instance.
[[nodiscard]] std::string mistake_of(std::string_view kind, const std::string& name,
  const std::source_location& where, const std::string& what);

} // namespace rondo::detail::inline meshes
