#pragma once

/// \file
/// The arrays of an unstructured mesh in a file: how long they are, and how a rank writes its part of them.

#include <cstdint>

#include <rondo/distributed/file_mesh.hpp>
#include <rondo/distributed/stored.hpp>

#include "bundles.hpp"
#include "format.hpp"

namespace rondo::detail::inline distributed {

/// Of an element of an array.
[[nodiscard]] stored_type type_of(mesh_array what, unsigned vertices_of_face);
[[nodiscard]] std::int64_t count_of(mesh_array what, const mesh_counts& of);
/// What a file has of that: faces and edges only if there are fields of these.
[[nodiscard]] bool has_array(mesh_array what, const mesh_contents& c);
/// By what elements of a kind are known.
[[nodiscard]] mesh_array ids_of(stored_for what);

/// What a bundle has of all arrays, each in one piece.
void write_mesh(
  const system_file& to, const mesh_contents& in, const stored_mesh& m, const bundle& b);

} // namespace rondo::detail::inline distributed
