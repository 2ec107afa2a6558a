#pragma once

/// \file
/// Physical groups of a Gmsh file: their names, and which entities belong to them.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace rondo::detail::gmsh {

/// The dimension of a group or an entity, and its number among those.
using tag = std::pair<std::int64_t, std::int64_t>;

struct groups {
  std::map<tag, std::string> names;
  std::map<tag, std::vector<std::int64_t>> of_entities; ///< Numbers of groups; format 4 has them.

  [[nodiscard]] std::string name(tag group) const {
    const auto named = names.find(group);
    return named != names.end() && !named->second.empty()
             ? named->second
             : "physical " + std::to_string(group.second);
  }
  [[nodiscard]] std::span<const std::int64_t> of_entity(tag entity) const {
    const auto found = of_entities.find(entity);
    return found != of_entities.end() ? std::span(found->second) : std::span<const std::int64_t>();
  }
};

} // namespace rondo::detail::gmsh
