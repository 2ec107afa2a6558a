// Values that wander over the cells of an unstructured mesh, by fold::append.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/unstructured.hpp>

#include "distributed/meshes.hpp"
#include "distributed/ranks.hpp"

#include "mesh_oracle.hpp"

using namespace rondo;

namespace {

using mesh = unstructured<kind::cells, links<kind::cells, kind::cells>>;
using lists = field<ragged<std::uint64_t>>;

namespace task {
void fill(mesh::view m, lists::accessor<wo> u) {
  for(const auto c : m.owned<kind::cells>())
    u(c).assign(
      meshes::mix(static_cast<std::uint64_t>(m.id(c)), 3) % 4, static_cast<std::uint64_t>(m.id(c)));
}
/// Each goes over a face that it chooses itself, or stays.
void wander(mesh::view m, lists::accessor<ro> from, lists::accessor<wo, fold::append> to) {
  for(const auto c : m.owned<kind::cells>())
    to(c).clear();
  for(const auto c : m.owned<kind::cells>()) {
    std::vector<element<kind::cells>> ways{c};
    for(const auto n : m.cells_of(c))
      ways.push_back(n);
    std::ranges::sort(ways, {}, [&](auto n) { return m.id(n); }); // the same in any color
    for(const std::uint64_t x : from(c))
      to(ways[x % ways.size()]).push_back(meshes::mix(x, 5));
  }
}
std::uint64_t bits(mesh::view m, lists::accessor<ro> u) {
  std::uint64_t h = 0;
  for(const auto c : m.owned<kind::cells>())
    for(const std::uint64_t x : u(c))
      h += meshes::mix(x, static_cast<std::uint64_t>(m.id(c)));
  return h;
}
std::size_t count(mesh::view /*m*/, lists::accessor<ro> u) { return u.total(); }
} // namespace task

} // namespace

TEST_CASE("what wanders over cells is the same in any number of colors") {
  for(const std::uint64_t seed : {5U, 6U, 7U, 8U, 9U}) { // of each kind of cells
    const random_meshes::whole_mesh w = random_meshes::random_mesh(seed);
    std::size_t in_all = 0;
    for(std::uint64_t c = 0; c != w.cells.size(); ++c)
      in_all += meshes::mix(c, 3) % 4;
    std::vector<std::uint64_t> results;
    for(const auto& [ranks, colors] : {std::pair{1U, 1U}, {1U, 5U}, {2U, 4U}, {3U, 7U}})
      on_ranks(make_local_transports(ranks), 2, [&, colors = colors](scheduler& s) {
        const mesh m{s,
          [&](unsigned part, unsigned parts) {
            return random_meshes::piece_of(w, seed, part, parts);
          },
          {.colors = std::min<color_id>(colors, w.cells.size()), .over = seen_over::faces}};
        const lists u{m, "u"};
        const lists v{m, "v"};
        s.execute<task::fill>(m, u);
        s.repeat(10, [&] {
          s.execute<task::wander>(m, u, v);
          s.execute<task::wander>(m, v, u);
        });
        expect(s.reduce<task::count, fold::sum>(m, u).get() == in_all);
        const std::uint64_t found = s.reduce<task::bits, fold::sum>(m, u).get();
        if(s.rank() == 0)
          results.push_back(found);
      });
    for(const std::uint64_t r : results)
      CHECK(r == results[0]);
  }
}
