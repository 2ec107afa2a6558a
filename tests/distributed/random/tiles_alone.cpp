#include "tiles_alone.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace random_programs {

namespace {
using hash = std::uint64_t;
} // namespace

tiles_alone::tiles_alone(const tiling& t)
    : knows_all_around_corners_(!t.over_faces && t.layers != 0) {
  const rondo::mesh_piece p = piece_of(t, 0, 1);
  std::map<std::int64_t, std::size_t> corner;
  std::map<std::set<std::size_t>, std::size_t> side;
  for(std::size_t c = 0; c != p.cells(); ++c) {
    numbers& its = corners_.emplace_back();
    for(const std::int64_t v : p.corners_of(c)) {
      const auto [at, is_new] = corner.try_emplace(v, corner.size());
      if(is_new) {
        ids_of_corners_.push_back(static_cast<hash>(v));
        tiles_of_corner_.emplace_back();
      }
      its.push_back(at->second);
      tiles_of_corner_[at->second].push_back(c);
    }
    // Triangles and tetrahedra: a side has all corners but one.
    numbers& sides = sides_.emplace_back();
    for(const std::size_t without : its) {
      std::set<std::size_t> with(its.begin(), its.end());
      with.erase(without);
      const auto [at, is_new] = side.try_emplace(with, side.size());
      if(is_new) {
        hash key = 0;
        for(const std::size_t v : with)
          key += mix(9, ids_of_corners_[v]);
        keys_of_sides_.push_back(key);
        tiles_of_side_.emplace_back();
      }
      sides.push_back(at->second);
      tiles_of_side_[at->second].push_back(c);
    }
  }
  beside_.resize(corners_.size());
  for(const numbers& both : tiles_of_side_)
    if(both.size() == 2) {
      beside_[both[0]].push_back(both[1]);
      beside_[both[1]].push_back(both[0]);
    }
  for(auto& values : tiles_)
    values.resize(corners_.size());
  on_corners_.resize(ids_of_corners_.size());
  on_sides_.resize(keys_of_sides_.size());
}

std::optional<std::uint64_t> tiles_alone::launch(const op& o, const who& w) {
  auto& tiles = tiles_[o.field];
  const auto sum = [](const numbers& which, const std::vector<hash>& of, hash what) {
    hash all = 0;
    for(const std::size_t n : which)
      all += mix(of[n], what);
    return all;
  };
  switch(o.what) {
  case deed::fill_tiles:
    for(std::size_t c = 0; c != tiles.size(); ++c)
      tiles[c] = w.start(c);
    break;
  case deed::relax_tiles: {
    const auto old = tiles;
    for(std::size_t c = 0; c != tiles.size(); ++c)
      tiles[c] = mix(w.start(c), old[c]) + sum(beside_[c], old, 1);
    break;
  }
  case deed::tiles_by_corners:
    for(std::size_t c = 0; c != tiles.size(); ++c)
      tiles[c] = mix(w.start(c), sum(corners_[c], on_corners_, 2));
    break;
  case deed::corners_by_tiles:
    if(knows_all_around_corners_) {
      for(std::size_t v = 0; v != on_corners_.size(); ++v)
        on_corners_[v] = mix(w.start(ids_of_corners_[v]), sum(tiles_of_corner_[v], tiles, 3));
      break;
    }
    [[fallthrough]];
  case deed::scatter_tiles:
    for(std::size_t c = 0; c != tiles.size(); ++c)
      for(std::size_t k = 0; k != corners_[c].size(); ++k)
        on_corners_[corners_[c][k]] += mix(mix(w.start(c), k), tiles[c]);
    break;
  case deed::sides_by_tiles:
    for(std::size_t f = 0; f != on_sides_.size(); ++f)
      on_sides_[f] = mix(w.start(keys_of_sides_[f]), sum(tiles_of_side_[f], tiles, 4));
    break;
  case deed::tiles_by_sides:
    for(std::size_t c = 0; c != tiles.size(); ++c)
      tiles[c] = mix(w.start(c), sum(sides_[c], on_sides_, 5));
    break;
  case deed::sum_of_tiles: {
    hash all = 0;
    for(std::size_t c = 0; c != tiles.size(); ++c)
      all += mix(w.start(c), tiles[c]);
    for(std::size_t v = 0; v != on_corners_.size(); ++v)
      all += mix(w.start(ids_of_corners_[v]), on_corners_[v]);
    return all;
  }
  default:
    break;
  }
  return std::nullopt;
}

std::vector<std::uint64_t> tiles_alone::digests() const {
  std::vector<hash> all(4);
  for(std::size_t c = 0; c != corners_.size(); ++c)
    for(std::size_t f = 0; f != 2; ++f)
      all[f] += mix(c, tiles_[f][c]);
  for(std::size_t v = 0; v != on_corners_.size(); ++v)
    all[2] += mix(ids_of_corners_[v], on_corners_[v]);
  for(std::size_t f = 0; f != on_sides_.size(); ++f)
    all[3] += mix(keys_of_sides_[f], on_sides_[f]);
  return all;
}

} // namespace random_programs
