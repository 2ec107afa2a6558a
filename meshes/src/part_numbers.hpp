#pragma once

/// \file
/// Faces and edges of some cells, numbered by the vertices that they have.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shapes.hpp"

namespace rondo::detail::inline meshes {

/// Vertices of a face or an edge by their numbers on this rank, in order; -1 where there are no more.
using few_vertices = std::array<std::int32_t, 4>;

/// The vertices at these places in the list of a cell's corners.
inline few_vertices vertices_at(std::span<const std::int32_t> corners, const corner_list& which) {
  few_vertices its{-1, -1, -1, -1};
  for(std::size_t n = 0; n != which.size; ++n) {
    const std::int32_t v = corners[which.at[n]];
    std::size_t at = n;
    for(; at != 0 && its[at - 1] > v; --at)
      its[at] = its[at - 1];
    its[at] = v;
  }
  return its;
}

/// Numbers them in the order in which they come: 0, 1, ...
///
/// Parts with the same first vertex are a list: vertices are numbered as cells come, so what is looked for is near.
class part_numbers {
public:
  /// So many vertices there are from now on.
  void know_vertices(std::size_t count) { first_with_.resize(count, -1); }

  /// Of a new one the next number.
  std::int32_t number(const few_vertices& vertices) {
    std::int32_t& first = first_with_[static_cast<std::size_t>(vertices[0])];
    for(std::int32_t p = first; p != -1;) {
      const entry& its = entries_[static_cast<std::size_t>(p)];
      if(its.vertices == vertices)
        return p;
      p = its.next;
    }
    const auto made = static_cast<std::int32_t>(entries_.size());
    entries_.push_back({vertices, first});
    first = made;
    return made;
  }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] const few_vertices& vertices(std::int32_t number) const {
    return entries_[static_cast<std::size_t>(number)].vertices;
  }

private:
  struct entry {
    few_vertices vertices;
    std::int32_t next; ///< In its list, or -1.
  };

  std::vector<entry> entries_;
  std::vector<std::int32_t> first_with_; ///< For each vertex: the first of the list, or -1.
};

} // namespace rondo::detail::inline meshes
