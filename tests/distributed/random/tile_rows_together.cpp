#include "tile_rows_together.hpp"

#include <algorithm>
#include <cstddef>

#include "appending.hpp"

namespace random_programs {

namespace {

using namespace rondo;
using hash = std::uint64_t;
using mesh = tile_mesh;
using hashes = field<hash>;
using lists = field<ragged<hash>>;

/// Own tiles are numbered as Rondo likes it; `alone` takes them by their ids.
std::vector<element<kind::cells>> by_ids(mesh::view m) {
  std::vector<element<kind::cells>> all;
  for(const auto c : m.owned<kind::cells>())
    all.push_back(c);
  std::ranges::sort(all, {}, [&](auto c) { return m.id(c); });
  return all;
}

template<class List, class A>
hash sum(row_reader read, const List& which, const A& of, hash by) {
  hash all = 0;
  for(const auto e : which)
    all += mix(read(of(e)), by);
  return all;
}

void fill(mesh::view m, lists::accessor<wo> to, hash id, hash given) {
  for(const auto c : m.owned<kind::cells>())
    to(c).assign(next_row(who{id, given}.start(number(m, c)), {}));
}
void relax(mesh::view m, lists::accessor<rw, ro> u, row_reader read, hash id, hash given) {
  std::vector<hash> made;
  for(const auto c : m.owned<kind::cells>())
    made.push_back(
      mix(who{id, given}.start(number(m, c)), read(u(c))) + sum(read, m.cells_of(c), u, 6));
  auto h = made.begin();
  for(const auto c : m.owned<kind::cells>()) {
    thin_out(u(c), *h);
    append_some(u(c), mix(*h++, 6));
  }
}
void append(
  mesh::view m, lists::accessor<rw, fold::append> u, row_reader read, hash id, hash given) {
  const auto all = by_ids(m);
  std::vector<hash> starts;
  for(const auto c : all) {
    starts.push_back(mix(who{id, given}.start(number(m, c)), read(u(c))));
    thin_out(u(c), starts.back());
  }
  auto start = starts.begin();
  for(const auto c : all) {
    hash h = *start++;
    append_some(u(c), h);
    for(const auto n : m.cells_of(c))
      append_some(u(n), h = mix(h, 8));
    append_some(u(c), mix(h, 1));
  }
}
void append_to_corners(mesh::view m, lists::accessor<wo, fold::append> to, lists::accessor<ro> from,
  row_reader read, hash id, hash given) {
  for(const auto v : m.owned<kind::vertices>())
    to(v).clear();
  for(const auto c : by_ids(m)) {
    hash h = mix(who{id, given}.start(number(m, c)), read(from(c)));
    for(const auto v : m.vertices_of(c))
      append_some(to(v), h = mix(h, 8));
  }
}
void tiles_by_rows(mesh::view m, hashes::accessor<wo> to, lists::accessor<ro, ro> tiles,
  lists::accessor<ro, ro> corners, row_reader read, hash id, hash given) {
  for(const auto c : m.owned<kind::cells>())
    to(c) = mix(who{id, given}.start(number(m, c)), read(tiles(c))) +
            sum(read, m.cells_of(c), tiles, 7) + sum(read, m.vertices_of(c), corners, 8);
}
template<class Kind>
hash digest_of(mesh::view m, lists::accessor<ro> u, row_reader read) {
  hash all = 0;
  for(const auto e : m.owned<Kind>())
    all += mix(number(m, e), read(u(e)));
  return all;
}

} // namespace

tile_rows_together::tile_rows_together(const tile_mesh& m, const tiling& t)
    : read_{t.cut != 0}, of_tiles_(m, "rows of tiles"),
      of_corners_(m.of<kind::vertices>(), "rows of corners") {}

template<class Given>
void tile_rows_together::launch(scheduler& s, deed what, const tile_mesh& m,
  const field<hash>& tiles, hash id, const Given& given) {
  switch(what) {
  case deed::fill_tile_rows:
    return s.execute<fill>(m, of_tiles_, id, given);
  case deed::relax_tile_rows:
    return s.execute<relax>(m, of_tiles_, read_, id, given);
  case deed::append_tile_rows:
    return s.execute<append>(m, of_tiles_, read_, id, given);
  case deed::append_to_corners:
    return s.execute<append_to_corners>(m, of_corners_, of_tiles_, read_, id, given);
  case deed::tiles_by_rows:
    return s.execute<tiles_by_rows>(m, tiles, of_tiles_, of_corners_, read_, id, given);
  default:
    return;
  }
}

template void tile_rows_together::launch(
  scheduler&, deed, const tile_mesh&, const field<hash>&, hash, const hash&);
template void tile_rows_together::launch(
  scheduler&, deed, const tile_mesh&, const field<hash>&, hash, const future<hash>&);
template void tile_rows_together::launch(
  scheduler&, deed, const tile_mesh&, const field<hash>&, hash, const pass_number&);

std::vector<future<hash>> tile_rows_together::digests(scheduler& s, const tile_mesh& m) {
  std::vector<future<hash>> all;
  all.push_back(s.reduce<digest_of<kind::cells>, fold::sum>(m, of_tiles_, read_));
  all.push_back(s.reduce<digest_of<kind::vertices>, fold::sum>(m, of_corners_, read_));
  return all;
}

} // namespace random_programs
