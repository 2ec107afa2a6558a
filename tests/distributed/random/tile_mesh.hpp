#pragma once

/// \file
/// The unstructured mesh of random programs in Rondo, and what its elements are known by.

#include <cstdint>

#include <rondo/unstructured.hpp>
#include <tracing/random_programs.hpp>

namespace random_programs {

namespace kind = rondo::kind;

using tile_mesh = rondo::unstructured<kind::cells, kind::vertices, kind::faces,
  rondo::links<kind::cells, kind::cells>, rondo::links<kind::vertices, kind::cells>,
  rondo::links<kind::faces, kind::cells>, rondo::links<kind::faces, kind::vertices>>;

inline std::uint64_t number(tile_mesh::view m, rondo::element<kind::cells> c) {
  return static_cast<std::uint64_t>(m.id(c));
}
inline std::uint64_t number(tile_mesh::view m, rondo::element<kind::vertices> v) {
  return static_cast<std::uint64_t>(m.id(v));
}
inline std::uint64_t number(tile_mesh::view m, rondo::element<kind::faces> f) {
  std::uint64_t key = 0;
  for(const auto v : m.vertices_of(f))
    key += mix(9, number(m, v));
  return key;
}

} // namespace random_programs
