#include "tiles_together.hpp"

#include <utility>

#include "tasks.hpp"
#include "tile_mesh.hpp"
#include "tile_rows_together.hpp"

namespace random_programs {

namespace {

using namespace rondo;
using hash = std::uint64_t;
using mesh = tile_mesh;
using hashes = field<hash>;

template<class List, class A>
hash sum(const List& which, const A& of, hash what) {
  hash all = 0;
  for(const auto e : which)
    all += mix(of(e), what);
  return all;
}

void fill(mesh::view m, hashes::accessor<wo> to, hash id, hash given) {
  for(const auto c : m.owned<kind::cells>())
    to(c) = who{id, given}.start(number(m, c));
}
void relax(mesh::view m, hashes::accessor<rw, ro> u, hash id, hash given) {
  std::vector<hash> made;
  for(const auto c : m.owned<kind::cells>())
    made.push_back(mix(who{id, given}.start(number(m, c)), u(c)) + sum(m.cells_of(c), u, 1));
  for(const auto c : m.owned<kind::cells>())
    u(c) = made[static_cast<std::size_t>(std::int64_t(c))];
}
void tiles_by_corners(
  mesh::view m, hashes::accessor<wo> to, hashes::accessor<ro, ro> from, hash id, hash given) {
  for(const auto c : m.owned<kind::cells>())
    to(c) = mix(who{id, given}.start(number(m, c)), sum(m.vertices_of(c), from, 2));
}
void corners_by_tiles(
  mesh::view m, hashes::accessor<wo> to, hashes::accessor<ro, ro> from, hash id, hash given) {
  for(const auto v : m.owned<kind::vertices>())
    to(v) = mix(who{id, given}.start(number(m, v)), sum(m.cells_of(v), from, 3));
}
void scatter(mesh::view m, hashes::accessor<rw, fold::sum> to, hashes::accessor<ro> from, hash id,
  hash given) {
  for(const auto c : m.owned<kind::cells>()) {
    hash k = 0;
    for(const auto v : m.vertices_of(c))
      to(v) += mix(mix(who{id, given}.start(number(m, c)), k++), from(c));
  }
}
void sides_by_tiles(
  mesh::view m, hashes::accessor<wo> to, hashes::accessor<ro, ro> from, hash id, hash given) {
  for(const auto f : m.owned<kind::faces>())
    to(f) = mix(who{id, given}.start(number(m, f)), sum(m.cells_of(f), from, 4));
}
void tiles_by_sides(
  mesh::view m, hashes::accessor<wo> to, hashes::accessor<ro, ro> from, hash id, hash given) {
  for(const auto c : m.owned<kind::cells>())
    to(c) = mix(who{id, given}.start(number(m, c)), sum(m.faces_of(c), from, 5));
}
hash sum_of_tiles(
  mesh::view m, hashes::accessor<ro> u, hashes::accessor<ro> x, hash id, hash given) {
  hash all = 0;
  for(const auto c : m.owned<kind::cells>())
    all += mix(who{id, given}.start(number(m, c)), u(c));
  for(const auto v : m.owned<kind::vertices>())
    all += mix(who{id, given}.start(number(m, v)), x(v));
  return all;
}
template<class Kind>
hash digest_of(mesh::view m, hashes::accessor<ro> u) {
  hash all = 0;
  for(const auto e : m.owned<Kind>())
    all += mix(number(m, e), u(e));
  return all;
}

cut_function cut_of(const tiling& t) {
  if(t.cut == 0)
    return cut_refined;
  return [t](detail::team& /*all*/, const uncut_cells& cells, color_id /*colors*/) {
    std::vector<color_id> colors;
    for(std::size_t c = 0; c != cells.centers.size(); ++c)
      colors.push_back(
        color_of(t, static_cast<hash>(cells.first) + c, static_cast<std::uint64_t>(cells.in_all)));
    return colors;
  };
}

} // namespace

struct tiles_together::parts {
  parts(scheduler& s, const tiling& t)
      : knows_all_around_corners(!t.over_faces && t.layers != 0),
        of(s, [&](unsigned part, unsigned of_all) { return piece_of(t, part, of_all); },
          {.colors = t.colors,
            .ghosts = t.layers,
            .over = t.over_faces ? seen_over::faces : seen_over::vertices,
            .cut = cut_of(t)}),
        rows(of, t) {
    tiles.emplace_back(of, "tiles");
    tiles.emplace_back(of, "more tiles");
  }
  bool knows_all_around_corners;
  mesh of;
  std::vector<hashes> tiles;
  hashes corners{of.of<kind::vertices>(), "corners"};
  hashes sides{of.of<kind::faces>(), "sides"};
  tile_rows_together rows;
};

tiles_together::tiles_together(scheduler& s, const tiling& t, std::string file)
    : scheduler_(s), file_(std::move(file)), parts_(std::make_unique<parts>(s, t)) {
  if(!file_.empty())
    save();
}
tiles_together::~tiles_together() = default;

void tiles_together::save() {
  const parts& p = *parts_;
  scheduler_.write(
    file_, p.of, p.tiles[0], p.tiles[1], p.corners, p.rows.of_tiles(), p.rows.of_corners());
}
void tiles_together::load(const op& o) {
  parts& p = *parts_;
  auto& s = scheduler_;
  if(o.loads_only(part::values))
    s.read(file_, p.of, p.corners, p.tiles[1], p.tiles[0]);
  else if(o.loads_only(part::rows))
    s.read(file_, p.of, p.rows.of_tiles(), p.rows.of_corners());
  else
    s.read(file_, p.of, p.rows.of_corners(), p.tiles[0], p.tiles[1], p.rows.of_tiles(), p.corners);
}

template<class Given>
std::optional<future<std::uint64_t>> tiles_together::launch(
  const op& o, std::uint64_t id, const Given& given) {
  auto& s = scheduler_;
  mesh& m = parts_->of;
  hashes& tiles = parts_->tiles[o.field];
  switch(o.what) {
  case deed::fill_tiles:
    s.execute<fill>(m, tiles, id, given);
    break;
  case deed::relax_tiles:
    s.execute<relax>(m, tiles, id, given);
    break;
  case deed::tiles_by_corners:
    s.execute<tiles_by_corners>(m, tiles, parts_->corners, id, given);
    break;
  case deed::corners_by_tiles:
    if(parts_->knows_all_around_corners) {
      s.execute<corners_by_tiles>(m, parts_->corners, tiles, id, given);
      break;
    }
    [[fallthrough]];
  case deed::scatter_tiles:
    s.execute<scatter>(m, parts_->corners, tiles, id, given);
    break;
  case deed::sides_by_tiles:
    s.execute<sides_by_tiles>(m, parts_->sides, tiles, id, given);
    break;
  case deed::tiles_by_sides:
    s.execute<tiles_by_sides>(m, tiles, parts_->sides, id, given);
    break;
  case deed::sum_of_tiles:
    return s.reduce<sum_of_tiles, fold::sum>(m, tiles, parts_->corners, id, given);
  case deed::save_tiles:
    save();
    break;
  case deed::load_tiles:
    load(o);
    break;
  default: // of rows
    parts_->rows.launch(s, o.what, m, tiles, id, given);
    break;
  }
  return std::nullopt;
}

template std::optional<future<hash>> tiles_together::launch(const op&, hash, const hash&);
template std::optional<future<hash>> tiles_together::launch(const op&, hash, const future<hash>&);
template std::optional<future<hash>> tiles_together::launch(const op&, hash, const pass_number&);

const topology& tiles_together::cells() const { return parts_->of; }

std::vector<future<std::uint64_t>> tiles_together::digests() {
  auto& s = scheduler_;
  mesh& m = parts_->of;
  std::vector<future<hash>> all;
  for(hashes& t : parts_->tiles)
    all.push_back(s.reduce<digest_of<kind::cells>, fold::sum>(m, t));
  all.push_back(s.reduce<digest_of<kind::vertices>, fold::sum>(m, parts_->corners));
  all.push_back(s.reduce<digest_of<kind::faces>, fold::sum>(m, parts_->sides));
  for(auto& d : parts_->rows.digests(s, m))
    all.push_back(std::move(d));
  return all;
}

} // namespace random_programs
