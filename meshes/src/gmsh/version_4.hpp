#pragma once

/// \file
/// Format 4.1: blocks of nodes and of elements, each of one entity, with the groups of entities in a section of their own.

#include <algorithm>
#include <array>
#include <cstdlib>

#include "gmsh/outline.hpp"

namespace rondo::detail::gmsh {

template<class Cursor>
struct version_4 {
  using cursor_type = Cursor;
  static constexpr bool has_entities = true;

  /// `$Entities`, or `$PartitionedEntities`, in which each has a parent and partitions as well.
  static void entities(Cursor& c, groups& to, bool are_partitioned) {
    if(are_partitioned) {
      c.size();                      // partitions
      c.skip_integers(2 * c.size()); // ghosts
    }
    std::array<std::int64_t, 4> counts{};
    for(auto& count : counts)
      count = c.size();
    for(std::int64_t dimension = 0; dimension != 4; ++dimension)
      for(std::int64_t n = counts[static_cast<std::size_t>(dimension)]; n > 0; --n) {
        const tag entity{dimension, c.integer()};
        if(are_partitioned) {
          c.skip_integers(2);
          c.skip_integers(c.size());
        }
        c.skip_reals(dimension == 0 ? 3 : 6);
        for(std::int64_t physical = c.size(); physical > 0; --physical)
          to.of_entities[entity].push_back(std::abs(c.integer())); // the sign is an orientation
        if(dimension != 0)
          c.skip_integers(c.size());
      }
  }

  static void nodes(Cursor& c, outline& to) {
    std::int64_t blocks = c.size();
    const char* const of_all_at = c.next();
    const std::int64_t of_all = c.size();
    c.skip_sizes(2);
    std::int64_t found = 0;
    for(; blocks > 0; --blocks) {
      const char* const head = c.next();
      const std::int64_t dimension = checked_dimension(c, head);
      c.skip_integers(1);
      const char* const parametric_at = c.next();
      const std::int64_t is_parametric = c.integer();
      if(is_parametric != 0 && is_parametric != 1)
        c.file().fail(parametric_at, "nodes have parameters (1) or none (0), and here it says " +
                                       std::to_string(is_parametric));
      node_block block{.nodes = c.size(),
        .reals = static_cast<unsigned>(3 + is_parametric * dimension),
        .numbers = nullptr,
        .coordinates = nullptr};
      if(block.nodes > of_all - found)
        fail_count(c, head, "node", of_all);
      found += block.nodes;
      if(block.nodes == 0)
        continue;
      block.numbers = c.next();
      c.skip_sizes(block.nodes);
      block.coordinates = c.next();
      c.skip_reals(block.nodes * block.reals);
      to.nodes.push_back(block);
    }
    if(found != of_all)
      fail_count(c, of_all_at, "node", of_all);
  }

  static void elements(Cursor& c, outline& to) {
    std::int64_t blocks = c.size();
    const char* const of_all_at = c.next();
    const std::int64_t of_all = c.size();
    c.skip_sizes(2);
    std::int64_t found = 0;
    for(; blocks > 0; --blocks) {
      const char* const head = c.next();
      const std::int64_t dimension = checked_dimension(c, head);
      const tag entity{dimension, c.integer()};
      const char* const type_at = c.next();
      const std::int64_t type = c.integer();
      std::int64_t left = c.size();
      if(left > of_all - found)
        fail_count(c, head, "element", of_all);
      found += left;
      if(left == 0)
        continue;
      const std::int64_t first = Cursor(c).size(); // looked at, to name it if need be
      const element_kind& kind = kind_of(c.file(), type_at, type, first);
      while(left > 0) {
        const std::int64_t length = std::min(left, longest_stretch);
        to.elements.push_back({.dimension = kind.dimension,
          .kind = &kind,
          .elements = length,
          .at = c.next(),
          .entity = entity});
        c.skip_sizes(length * (1 + kind.corners));
        left -= length;
      }
    }
    if(found != of_all)
      fail_count(c, of_all_at, "element", of_all);
  }

  /// Calls wanted(number, place) for each node, and take(position) for those that are.
  template<class Wanted, class Take>
  static void read_nodes(
    const input& file, const node_block& block, const Wanted& wanted, const Take& take) {
    Cursor numbers(file, block.numbers);
    Cursor coordinates(file, block.coordinates);
    for(std::int64_t n = block.nodes; n > 0; --n) {
      const char* const at = numbers.next();
      if(!wanted(checked_number(file, at, "a node", numbers.size()), at)) {
        coordinates.skip_reals(block.reals);
        continue;
      }
      const double x = coordinates.real(), y = coordinates.real(), z = coordinates.real();
      take({x, y, z});
      coordinates.skip_reals(block.reals - 3);
    }
  }

  /// Calls visit(element) for those from `from` to before `to` of a stretch.
  template<class Visit>
  static void read_elements(const input& file, const groups& physical, const stretch& row,
    std::int64_t from, std::int64_t to, const Visit& visit) {
    Cursor c(file, row.at);
    c.skip_sizes(from * (1 + row.kind->corners));
    const auto its_groups = physical.of_entity(row.entity);
    std::array<std::int64_t, 8> corners{};
    const std::span its_corners(corners.data(), row.kind->corners);
    for(std::int64_t i = from; i != to; ++i) {
      const char* const at = c.next();
      const std::int64_t number = checked_number(file, at, "an element", c.size());
      for(auto& corner : its_corners) {
        const char* const corner_at = c.next();
        corner = checked_number(file, corner_at, "a node", c.size());
      }
      visit(element{number, row.kind, its_groups, its_corners, false, at});
    }
  }

private:
  static std::int64_t checked_dimension(Cursor& c, const char* at) {
    const std::int64_t dimension = c.integer();
    if(dimension < 0 || dimension > 3)
      c.file().fail(at, std::to_string(dimension) + " is no dimension of an entity");
    return dimension;
  }

  [[noreturn]] static void fail_count(
    const Cursor& c, const char* at, const char* of, std::int64_t of_all) {
    c.file().fail(at, "the blocks don't have the " + std::to_string(of_all) + " " + of +
                        "s that the section says it has");
  }
};

} // namespace rondo::detail::gmsh
