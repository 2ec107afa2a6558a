// Particles that wander between the cells of a mesh.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/rondo.hpp>

#include "meshes.hpp"
#include "ranks.hpp"

using namespace rondo;

namespace {

using grid = structured<2>;

struct walker {
  std::uint64_t name;
  std::int64_t x;
  std::int64_t y;
  std::uint64_t steps;
};
using walkers = particles<walker>;

constexpr std::int64_t width = 24;
constexpr std::int64_t height = 18;

/// As many in each cell as its number says, and of many steps.
std::vector<walker> born_in(std::int64_t x, std::int64_t y) {
  std::vector<walker> all;
  const auto cell = static_cast<std::uint64_t>(y * width + x);
  for(std::uint64_t k = 0; k != meshes::mix(cell, 5) % 4; ++k)
    all.push_back({cell * 8 + k, x, y, 0});
  return all;
}
/// Up to two cells away along both axes, in a way that only the walker knows.
void step(walker& w) {
  const std::uint64_t h = meshes::mix(w.name, w.steps++);
  w.x += static_cast<std::int64_t>(h % 5) - 2;
  w.y += static_cast<std::int64_t>(h / 5 % 5) - 2;
}
void wrap(walker& w) {
  w.x = (w.x + width) % width;
  w.y = (w.y + height) % height;
}
std::uint64_t bits_of(const walker& w) {
  return meshes::mix(
    meshes::mix(w.name, w.steps), static_cast<std::uint64_t>(w.y * width + w.x) + 7);
}

namespace task {
void create(grid::view m, walkers::accessor<wo> p) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      for(const walker& w : born_in(i, j))
        p.push_back(w);
}
void walk(grid::view /*m*/, walkers::accessor<rw> p) {
  for(walker* w = p.begin(); w != p.end();) {
    step(*w);
    const point<2> to{w->x, w->y};
    wrap(*w);
    w = p.move_to(w, to[0], to[1]);
  }
}
std::uint64_t bits(grid::view m, walkers::accessor<ro> p) {
  std::uint64_t h = 0;
  for(const walker& w : p) {
    expect(m.owned().contains(point<2>{w.x, w.y}));
    h += bits_of(w);
  }
  return h;
}
/// Also the order in which the color has them.
std::uint64_t bits_in_order(grid::view m, walkers::accessor<ro> p) {
  std::uint64_t h = 0;
  for(std::size_t k = 0; k != p.size(); ++k)
    h += meshes::mix(bits_of(p[k]), k * 1000 + m.color());
  return h;
}
void forget_some(grid::view /*m*/, walkers::accessor<rw> p) {
  for(walker* w = p.begin(); w != p.end();)
    w = w->name % 5 == 0 ? p.erase(w) : w + 1;
}
void run_away(grid::view m, walkers::accessor<rw> p) {
  for(walker* w = p.begin(); w != p.end();)
    w = m.color() == 3 ? p.move_to(w, w->x, w->y + 9) : w + 1;
}
std::size_t count(grid::view /*m*/, walkers::accessor<ro> p) { return p.size(); }
} // namespace task

/// The same with a row of walkers in each cell.
using cells = field<ragged<walker>>;

namespace task {
void settle(grid::view m, cells::accessor<wo> c) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      c(i, j).assign(born_in(i, j));
}
void go(grid::view m, cells::accessor<ro> from, cells::accessor<wo, fold::append> to) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      to(i, j).clear();
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      for(walker w : from(i, j)) {
        step(w);
        const point<2> cell{w.x, w.y};
        wrap(w);
        to(cell[0], cell[1]).push_back(w);
      }
}
/// Also of what neighbours have: as many as are there.
std::uint64_t bits_of_rows(grid::view m, cells::accessor<ro, ro> c) {
  std::uint64_t h = 0;
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0)) {
      for(const walker& w : c(i, j)) {
        expect(w.x == i && w.y == j);
        h += bits_of(w);
      }
      for(const walker& w : c(i + 1, j + 2))
        h += bits_of(w) * 3;
    }
  return h;
}
} // namespace task

structured_options<2> options(const point<2>& colors = {4, 3}) {
  return {.extents = {width, height},
    .colors = colors,
    .halo = 2,
    .periodic = {true, true},
    .diagonals = true};
}

} // namespace

namespace {

constexpr int passes = 30;

/// All that are born, after these passes.
std::vector<walker> all_walkers() {
  std::vector<walker> all;
  for(std::int64_t y = 0; y != height; ++y)
    for(std::int64_t x = 0; x != width; ++x)
      for(const walker& w : born_in(x, y))
        all.push_back(w);
  for(int pass = 0; pass != passes; ++pass)
    for(walker& w : all) {
      step(w);
      wrap(w);
    }
  return all;
}

// Few colors for each rank, and more than have a part in one launch of a message.
constexpr point<2> ways_to_cut[] = {{4, 3}, {8, 5}};

} // namespace

TEST_CASE("particles are with the color that owns their cell") {
  std::vector<walker> all = all_walkers();
  std::erase_if(all, [](const walker& w) { return w.name % 5 == 0; });
  std::uint64_t expected = 0;
  for(const walker& w : all)
    expected += bits_of(w);

  for(const point<2>& colors : ways_to_cut) {
    std::vector<std::uint64_t> orders;
    for(const unsigned ranks : {1U, 2U, 3U})
      for(const bool in_repeat : {false, true})
        on_ranks(make_local_transports(ranks), 2, [&](scheduler& s) {
          const grid m{s, options(colors)};
          walkers p{m, "p"};
          s.execute<task::create>(m, p);
          if(in_repeat)
            s.repeat(passes, [&] { s.execute<task::walk>(m, p); });
          else
            for(int pass = 0; pass != passes; ++pass)
              s.execute<task::walk>(m, p);
          s.execute<task::forget_some>(m, p);
          expect(s.reduce<task::count, fold::sum>(m, p).get() == all.size());
          expect(s.reduce<task::bits, fold::sum>(m, p).get() == expected);
          const std::uint64_t order = s.reduce<task::bits_in_order, fold::sum>(m, p).get();
          if(s.rank() == 0)
            orders.push_back(order);
        });
    for(const std::uint64_t o : orders)
      CHECK(o == orders[0]);
  }
}

TEST_CASE("what wanders from row to row is in the row of its cell") {
  std::uint64_t expected = 0;
  for(const walker& w : all_walkers())
    expected += bits_of(w) * 4;
  for(const point<2>& colors : ways_to_cut)
    for(const unsigned ranks : {1U, 2U, 3U})
      on_ranks(make_local_transports(ranks), 2, [&](scheduler& s) {
        const grid m{s, options(colors)};
        cells a{m, "a"};
        cells b{m, "b"};
        s.execute<task::settle>(m, a);
        s.repeat(passes / 2, [&] {
          s.execute<task::go>(m, a, b);
          s.execute<task::go>(m, b, a);
        });
        expect(s.reduce<task::bits_of_rows, fold::sum>(m, a).get() == expected);
      });
}

TEST_CASE("a particle that goes too far is told") {
  on_ranks(make_local_transports(1), 1, [](scheduler& s) {
    const grid m{s, options()};
    walkers p{m, "p"};
    s.execute<task::create>(m, p);
    s.execute<task::run_away>(m, p);
    CHECK_THAT(thrown_by([&] { s.wait(); }),
      Catch::Contains("particles 'p': one of color 3 has moved to the cell (") &&
        Catch::Contains("deeper halo"));
  });
}
