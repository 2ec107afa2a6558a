#include "tile_rows_alone.hpp"

#include "appending.hpp"
#include "ghost_rows.hpp"

namespace random_programs {

namespace {

using hash = std::uint64_t;

/// Rows to append to, as each color has them while its task runs.
class rows_by_color {
public:
  rows_by_color(std::vector<std::vector<hash>>& rows, const std::vector<rondo::color_id>& owners)
      : rows_(rows), owners_(owners) {}

  std::vector<hash>& row_for(rondo::color_id color, std::size_t element) {
    return owners_[element] == color ? rows_[element] : ghosts_.of(color, element);
  }
  void end() {
    ghosts_.append_to([&](std::size_t element) -> auto& { return rows_[element]; });
  }

private:
  std::vector<std::vector<hash>>& rows_;
  const std::vector<rondo::color_id>& owners_;
  ghost_rows<std::size_t> ghosts_;
};

} // namespace

tile_rows_alone::tile_rows_alone(const tiling& t, const tile_links& links)
    : read_{t.cut != 0}, of_tiles_(links.corners.size()), of_corners_(links.ids_of_corners.size()) {
}

void tile_rows_alone::launch(
  deed what, const who& w, const tile_links& links, std::vector<hash>& tiles) {
  const auto sum = [this](const auto& which, const std::vector<row>& of, hash by) {
    hash all = 0;
    for(const std::size_t n : which)
      all += mix(read_(of[n]), by);
    return all;
  };
  switch(what) {
  case deed::fill_tile_rows:
    for(std::size_t c = 0; c != of_tiles_.size(); ++c)
      of_tiles_[c] = next_row(w.start(c), {});
    break;
  case deed::relax_tile_rows: {
    const auto old = of_tiles_;
    for(std::size_t c = 0; c != of_tiles_.size(); ++c) {
      const hash h = mix(w.start(c), read_(old[c])) + sum(links.beside[c], old, 6);
      thin_out(of_tiles_[c], h);
      append_some(of_tiles_[c], mix(h, 6));
    }
    break;
  }
  case deed::append_tile_rows:
    append_beside(w, links);
    break;
  case deed::append_to_corners:
    append_to_corners(w, links);
    break;
  case deed::tiles_by_rows:
    for(std::size_t c = 0; c != tiles.size(); ++c)
      tiles[c] = mix(w.start(c), read_(of_tiles_[c])) + sum(links.beside[c], of_tiles_, 7) +
                 sum(links.corners[c], of_corners_, 8);
    break;
  default:
    break;
  }
}

void tile_rows_alone::append_beside(const who& w, const tile_links& links) {
  std::vector<hash> starts;
  for(std::size_t c = 0; c != of_tiles_.size(); ++c) {
    starts.push_back(mix(w.start(c), read_(of_tiles_[c])));
    thin_out(of_tiles_[c], starts.back());
  }
  rows_by_color rows(of_tiles_, links.colors_of_tiles);
  for(std::size_t c = 0; c != of_tiles_.size(); ++c) {
    const rondo::color_id color = links.colors_of_tiles[c];
    hash h = starts[c];
    append_some(of_tiles_[c], h);
    for(const std::size_t n : links.beside[c])
      append_some(rows.row_for(color, n), h = mix(h, 8));
    append_some(of_tiles_[c], mix(h, 1));
  }
  rows.end();
}

void tile_rows_alone::append_to_corners(const who& w, const tile_links& links) {
  for(row& r : of_corners_)
    r.clear();
  rows_by_color rows(of_corners_, links.colors_of_corners);
  for(std::size_t c = 0; c != of_tiles_.size(); ++c) {
    hash h = mix(w.start(c), read_(of_tiles_[c]));
    for(const std::size_t v : links.corners[c])
      append_some(rows.row_for(links.colors_of_tiles[c], v), h = mix(h, 8));
  }
  rows.end();
}

std::vector<hash> tile_rows_alone::digests(const tile_links& links) const {
  std::vector<hash> all(2);
  for(std::size_t c = 0; c != of_tiles_.size(); ++c)
    all[0] += mix(c, read_(of_tiles_[c]));
  for(std::size_t v = 0; v != of_corners_.size(); ++v)
    all[1] += mix(links.ids_of_corners[v], read_(of_corners_[v]));
  return all;
}

} // namespace random_programs
