#include "tile_links.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <tracing/random_programs.hpp>

namespace random_programs {

tile_links::tile_links(const tiling& t) {
  const rondo::mesh_piece p = piece_of(t, 0, 1);
  std::map<std::int64_t, std::size_t> corner;
  std::map<std::set<std::size_t>, std::size_t> side;
  for(std::size_t c = 0; c != p.cells(); ++c) {
    numbers& its = corners.emplace_back();
    for(const std::int64_t v : p.corners_of(c)) {
      const auto [at, is_new] = corner.try_emplace(v, corner.size());
      if(is_new) {
        ids_of_corners.push_back(static_cast<std::uint64_t>(v));
        tiles_of_corner.emplace_back();
      }
      its.push_back(at->second);
      tiles_of_corner[at->second].push_back(c);
    }
    // Triangles and tetrahedra: a side has all corners but one.
    numbers& its_sides = sides.emplace_back();
    for(const std::size_t without : its) {
      std::set<std::size_t> with(its.begin(), its.end());
      with.erase(without);
      const auto [at, is_new] = side.try_emplace(with, side.size());
      if(is_new) {
        std::uint64_t key = 0;
        for(const std::size_t v : with)
          key += mix(9, ids_of_corners[v]);
        keys_of_sides.push_back(key);
        tiles_of_side.emplace_back();
      }
      its_sides.push_back(at->second);
      tiles_of_side[at->second].push_back(c);
    }
  }
  beside.resize(corners.size());
  for(const numbers& both : tiles_of_side)
    if(both.size() == 2) {
      beside[both[0]].push_back(both[1]);
      beside[both[1]].push_back(both[0]);
    }
  for(numbers& those : beside)
    std::ranges::sort(those);
  for(std::size_t c = 0; c != corners.size(); ++c)
    colors_of_tiles.push_back(t.cut == 0 ? 0 : color_of(t, c, corners.size()));
  for(const numbers& those : tiles_of_corner) {
    rondo::color_id first = t.colors;
    for(const std::size_t c : those)
      first = std::min(first, colors_of_tiles[c]);
    colors_of_corners.push_back(first);
  }
}

} // namespace random_programs
