#pragma once

#include <cstddef>
#include <vector>

#include <rondo/distributed/stored.hpp>

#include "element_places.hpp"
#include "format.hpp"

namespace rondo::detail::inline distributed {

/// Reads the values of local color `c` to where the fields have them. Throws std::runtime_error if they are not there.
void read_color(const system_file& from, const file_contents& contents, const stored_mesh& m,
  std::size_t c, const std::vector<stored_field>& fields, const element_places& places);

/// The same of what all ranks have.
void read_global(
  const system_file& from, const file_contents& contents, const std::vector<stored_field>& fields);

} // namespace rondo::detail::inline distributed
