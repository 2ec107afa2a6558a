#include "tiles_alone.hpp"

namespace random_programs {

namespace {
using hash = std::uint64_t;
} // namespace

tiles_alone::tiles_alone(const tiling& t)
    : knows_all_around_corners_(!t.over_faces && t.layers != 0), links_(t), rows_(t, links_),
      saved_{{}, {}, rows_} {
  for(auto& values : tiles_)
    values.resize(links_.corners.size());
  on_corners_.resize(links_.ids_of_corners.size());
  on_sides_.resize(links_.keys_of_sides.size());
  saved_ = {tiles_, on_corners_, rows_};
}

std::optional<std::uint64_t> tiles_alone::launch(const op& o, const who& w) {
  auto& tiles = tiles_[o.field];
  const auto sum = [](const tile_links::numbers& which, const std::vector<hash>& of, hash what) {
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
      tiles[c] = mix(w.start(c), old[c]) + sum(links_.beside[c], old, 1);
    break;
  }
  case deed::tiles_by_corners:
    for(std::size_t c = 0; c != tiles.size(); ++c)
      tiles[c] = mix(w.start(c), sum(links_.corners[c], on_corners_, 2));
    break;
  case deed::corners_by_tiles:
    if(knows_all_around_corners_) {
      for(std::size_t v = 0; v != on_corners_.size(); ++v)
        on_corners_[v] =
          mix(w.start(links_.ids_of_corners[v]), sum(links_.tiles_of_corner[v], tiles, 3));
      break;
    }
    [[fallthrough]];
  case deed::scatter_tiles:
    for(std::size_t c = 0; c != tiles.size(); ++c)
      for(std::size_t k = 0; k != links_.corners[c].size(); ++k)
        on_corners_[links_.corners[c][k]] += mix(mix(w.start(c), k), tiles[c]);
    break;
  case deed::sides_by_tiles:
    for(std::size_t f = 0; f != on_sides_.size(); ++f)
      on_sides_[f] = mix(w.start(links_.keys_of_sides[f]), sum(links_.tiles_of_side[f], tiles, 4));
    break;
  case deed::tiles_by_sides:
    for(std::size_t c = 0; c != tiles.size(); ++c)
      tiles[c] = mix(w.start(c), sum(links_.sides[c], on_sides_, 5));
    break;
  case deed::sum_of_tiles: {
    hash all = 0;
    for(std::size_t c = 0; c != tiles.size(); ++c)
      all += mix(w.start(c), tiles[c]);
    for(std::size_t v = 0; v != on_corners_.size(); ++v)
      all += mix(w.start(links_.ids_of_corners[v]), on_corners_[v]);
    return all;
  }
  case deed::save_tiles:
    saved_ = {tiles_, on_corners_, rows_};
    break;
  case deed::load_tiles:
    if(!o.loads_only(part::rows)) {
      tiles_ = saved_.tiles;
      on_corners_ = saved_.on_corners;
    }
    if(!o.loads_only(part::values))
      rows_ = saved_.rows;
    break;
  default: // of rows
    rows_.launch(o.what, w, links_, tiles);
    break;
  }
  return std::nullopt;
}

std::vector<std::uint64_t> tiles_alone::digests() const {
  std::vector<hash> all(4);
  for(std::size_t c = 0; c != links_.corners.size(); ++c)
    for(std::size_t f = 0; f != 2; ++f)
      all[f] += mix(c, tiles_[f][c]);
  for(std::size_t v = 0; v != on_corners_.size(); ++v)
    all[2] += mix(links_.ids_of_corners[v], on_corners_[v]);
  for(std::size_t f = 0; f != on_sides_.size(); ++f)
    all[3] += mix(links_.keys_of_sides[f], on_sides_[f]);
  for(const hash h : rows_.digests(links_))
    all.push_back(h);
  return all;
}

} // namespace random_programs
