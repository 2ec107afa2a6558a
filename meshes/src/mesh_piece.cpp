#include <rondo/meshes/mesh_piece.hpp>

#include <algorithm>

namespace rondo {

void mesh_piece::name(std::string_view set, std::span<const std::int64_t> its_corners) {
  auto at = std::ranges::find(sets, set, &named::name);
  if(at == sets.end())
    at = sets.insert(at, {.name = std::string(set), .corners = {}});
  at->corners.insert(at->corners.end(), its_corners.begin(), its_corners.end());
  at->begins.push_back(static_cast<std::int64_t>(at->corners.size()));
}

} // namespace rondo
