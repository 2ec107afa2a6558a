// Elements of a color by their ids in the whole mesh.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/unstructured.hpp>

#include "distributed/ranks.hpp"

#include "random_meshes.hpp"

using namespace rondo;

namespace {

using mesh = unstructured<kind::cells, kind::vertices, links<kind::cells, kind::cells>>;

constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

using ids = std::vector<std::int64_t>;

/// How often a color finds something else than the element that has the id. `known`: the ids of all elements of the whole mesh.
template<class Kind>
std::int64_t mistakes(const mesh::view& m, const ids& known) {
  std::int64_t found = 0;
  std::set<std::int64_t> seen;
  for(const auto range : {m.owned<Kind>(), m.ghosts<Kind>()})
    for(const auto e : range) {
      seen.insert(m.id(e));
      found += m.find<Kind>(m.id(e)) != e;
    }
  for(const std::int64_t id : known)
    for(const std::int64_t near : {id - 1, id, id + 1})
      found += m.find<Kind>(near).has_value() != seen.contains(near);
  for(const std::int64_t none : {least, std::int64_t{-1}, most})
    found += m.find<Kind>(none).has_value();
  return found;
}

namespace task {
std::int64_t mistakes_of_all(mesh::view m, const ids* cells, const ids* vertices) {
  return mistakes<kind::cells>(m, *cells) + mistakes<kind::vertices>(m, *vertices);
}
/// How many of others are found, so that a test knows that there were some.
std::int64_t ghosts(mesh::view m) {
  return m.ghosts<kind::cells>().size() + m.ghosts<kind::vertices>().size();
}
} // namespace task

std::int64_t mistakes_in(scheduler& s, const mesh& m, const ids& cells, const ids& vertices) {
  return s.reduce<task::mistakes_of_all, fold::sum>(m, &cells, &vertices).get();
}

struct walker {
  std::int64_t name;
  std::int64_t cell; ///< Its id.
  std::int64_t steps;
};
using walkers = particles<walker>;

namespace task {
void create(mesh::view m, walkers::accessor<wo> p) {
  for(const auto c : m.owned<kind::cells>())
    for(std::int64_t k = 0; k != m.id(c) % 3; ++k)
      p.push_back({3 * m.id(c) + k, m.id(c), 0});
}
void walk(mesh::view m, walkers::accessor<rw> p) {
  for(walker* w = p.begin(); w != p.end();) {
    const element<kind::cells> here = m.find<kind::cells>(w->cell).value();
    const auto around = m.cells_of(here);
    const auto to = around[static_cast<std::size_t>(w->name + 5 * w->steps++) % around.size()];
    w->cell = m.id(to);
    w = p.move_to(w, to);
  }
}
std::uint64_t where_all_are(mesh::view m, walkers::accessor<ro> p) {
  std::uint64_t all = 0;
  for(const walker& w : p) {
    const auto c = m.find<kind::cells>(w.cell);
    expect(c && *c < m.owned<kind::cells>().size());
    all += meshes::mix(
      static_cast<std::uint64_t>(w.name), static_cast<std::uint64_t>(w.cell + 1000 * w.steps));
  }
  return all;
}
} // namespace task

} // namespace

TEST_CASE("a color finds what it owns and sees by ids, and nothing else", "[unstructured]") {
  for(std::uint64_t seed = 0; seed != 30; ++seed) {
    const auto whole = random_meshes::random_mesh(seed);
    ids cells, vertices;
    for(std::int64_t c = 0; c != std::ssize(whole.cells); ++c)
      cells.push_back(c);
    for(const auto& [id, at] : whole.at)
      vertices.push_back(id);
    std::int64_t seen = 0;
    for(const unsigned ranks : {1U, 3U})
      on_ranks(make_local_transports(ranks), 2, [&](scheduler& s) {
        const mesh m{s,
          [&](unsigned part, unsigned parts) {
            return random_meshes::piece_of(whole, seed, part, parts);
          },
          {.colors = std::min<color_id>(whole.cells.size(), 5),
            .ghosts = static_cast<unsigned>(seed % 3)}};
        expect(mistakes_in(s, m, cells, vertices) == 0);
        const std::int64_t ghosts = s.reduce<task::ghosts, fold::sum>(m).get();
        if(s.rank() == 0)
          seen += ghosts;
      });
    if(seed % 5 == 0 && whole.cells.size() > 5)
      CHECK(seen != 0);
  }
}

TEST_CASE("elements are found by ids after their colors have moved", "[unstructured][balance]") {
  const box_of_triangles box{12, 9};
  ids cells, vertices;
  for(std::int64_t c = 0; c != 2 * box.x * box.y; ++c)
    cells.push_back(c);
  for(std::int64_t v = 0; v != (box.x + 1) * (box.y + 1); ++v)
    vertices.push_back(v);
  std::uint64_t moved = 0;
  on_ranks(make_local_transports(3), 2, [&](scheduler& s) {
    const mesh m{s, box, {.colors = 8}};
    std::uint64_t here = 0;
    for(std::uint64_t round = 0; round != 4; ++round) {
      if(round != 1) // some colors move that have looked, some that haven't
        expect(mistakes_in(s, m, cells, vertices) == 0);
      here += m.balance({.cost = [&](color_id c) { return (c + 3 * round) % 8 < 3 ? 5 : 1; },
                          .least_gain = 0})
                .moved;
    }
    expect(mistakes_in(s, m, cells, vertices) == 0);
    if(s.rank() == 0)
      moved = here;
  });
  CHECK(moved != 0);
}

TEST_CASE("particles remember ids of cells and walk over an unstructured mesh", "[unstructured]") {
  std::vector<std::uint64_t> expected;
  for(const unsigned ranks : {1U, 2U, 3U})
    on_ranks(make_local_transports(ranks), 2, [&](scheduler& s) {
      const mesh m{s, box_of_triangles{10, 7}, {.colors = 6}};
      const walkers p{m, "p"};
      s.execute<task::create>(m, p);
      std::vector<std::uint64_t> seen;
      for(std::uint64_t round = 0; round != 3; ++round) {
        s.repeat(8, [&] { s.execute<task::walk>(m, p); });
        seen.push_back(s.reduce<task::where_all_are, fold::sum>(m, p).get());
        m.balance({.cost = [&](color_id c) { return c == 2 * round ? 5 : 1; }, .least_gain = 0});
      }
      if(ranks == 1)
        expected = seen;
      expect(seen == expected);
    });
  CHECK(std::set<std::uint64_t>(expected.begin(), expected.end()).size() == 3);
}

TEST_CASE("several tasks may be the first to look for an id", "[unstructured]") {
  constexpr unsigned threads = 4;
  for(int round = 0; round != 50; ++round) {
    // The first ids are in order, the others aren't; all are even.
    const ids its{0, 2, 4, 10, 6, 100, 8, 50, 20};
    const detail::elements_by_id by_id;
    std::atomic<unsigned> missing = threads;
    std::atomic<unsigned> mistakes = 0;
    std::vector<std::thread> all;
    for(unsigned t = 0; t != threads; ++t)
      all.emplace_back([&] {
        --missing;
        while(missing != 0)
          std::this_thread::yield();
        for(std::size_t e = 0; e != its.size(); ++e)
          mistakes += by_id.find(its, its[e]) != static_cast<std::int64_t>(e) ||
                      by_id.find(its, its[e] + 1).has_value();
      });
    for(std::thread& t : all)
      t.join();
    CHECK(mistakes == 0);
  }
}

TEST_CASE("an order by ids goes along with its elements", "[unstructured]") {
  detail::color_elements e, other;
  e.ids = {5, 3, 4};
  other.ids = {3, 5};
  CHECK(e.find(3) == 1);
  CHECK(other.find(3) == 0);
  other = std::move(e);
  CHECK(other.find(3) == 1);
  const detail::color_elements last = std::move(other);
  CHECK(last.find(4) == 2);
  CHECK(!last.find(6));
  CHECK(!detail::color_elements{}.find(0));
}
