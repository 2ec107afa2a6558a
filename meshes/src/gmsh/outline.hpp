#pragma once

/// \file
/// What is where in a Gmsh file: a few words for each block of it.

#include <cstdint>
#include <vector>

#include "gmsh/element_kind.hpp"
#include "gmsh/groups.hpp"

namespace rondo::detail::gmsh {

/// Nodes in a row. Format 4 has all their numbers before all their coordinates, format 2 has them in turns, and both places are the same.
struct node_block {
  std::int64_t nodes;
  unsigned reals; ///< Of each node: three coordinates, and parameters on curves and surfaces.
  const char* numbers;
  const char* coordinates;
};

/// Elements of one dimension in a row. Long rows become several stretches, so that a part is soon at the first one of its elements.
struct stretch {
  unsigned dimension;
  const element_kind* kind;  ///< Format 4; format 2, binary: as below.
  std::int64_t elements = 0; ///< Each once, see version_2.hpp.
  const char* at;

  tag entity{}; ///< Format 4.

  std::int64_t records = 0;       ///< Format 2: with those that repeat elements.
  std::int64_t left_in_block = 0; ///< Format 2, binary: behind `at`, before there is another head.
  std::int64_t tags = 0;          ///< Format 2, binary: as the head has said.
};
inline constexpr std::int64_t longest_stretch = 1 << 16;

struct outline {
  std::vector<node_block> nodes;
  std::vector<stretch> elements;
  groups physical;
};

/// An element, as it is read.
struct element {
  std::int64_t number;
  const element_kind* kind;
  std::span<const std::int64_t> groups;
  std::span<const std::int64_t> corners;
  bool repeats; ///< It is the last one once more, for another group of it.
  const char* at;
};

/// Numbers of nodes and elements are at least 1.
inline std::int64_t checked_number(
  const input& file, const char* at, const char* of, std::int64_t number) {
  if(number < 1)
    file.fail(at, std::to_string(number) + " is no number of " + of + ": they begin with 1");
  return number;
}

} // namespace rondo::detail::gmsh
