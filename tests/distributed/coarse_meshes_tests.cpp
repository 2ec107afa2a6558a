// Meshes and coarser ones of the same colors, in one launch.

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/rondo.hpp>

#include "ranks.hpp"

using namespace rondo;

namespace {

using grid = structured<2>;
using numbers = field<double>;

double value_at(std::int64_t i, std::int64_t j) { return static_cast<double>(1000 * i + j); }

namespace task {
void fill(grid::view m, numbers::accessor<wo> u) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      u(i, j) = value_at(i, j);
}
/// The fine mesh is given first: the task runs over it.
void inject(grid::view /*fine*/, grid::view coarse, numbers::accessor<ro> u,
  numbers::accessor<wo> c, std::int64_t by) {
  for(const auto j : coarse.owned(1))
    for(const auto i : coarse.owned(0))
      c(i, j) = u(by * i, by * j);
}
/// Linear in both directions.
void interpolate(grid::view fine, grid::view coarse, numbers::accessor<wo> u,
  numbers::accessor<ro, ro> c, std::int64_t by) {
  const auto last = coarse.mesh().hi;
  for(const auto j : fine.owned(1))
    for(const auto i : fine.owned(0)) {
      const std::int64_t x = i / by, y = j / by;
      const std::int64_t right = std::min(x + 1, last[0] - 1), above = std::min(y + 1, last[1] - 1);
      const double a = static_cast<double>(i % by), b = static_cast<double>(j % by);
      const auto n = static_cast<double>(by);
      double sum = (n - a) * (n - b) * c(x, y);
      if(i % by != 0)
        sum += a * (n - b) * c(right, y);
      if(j % by != 0)
        sum += (n - a) * b * c(x, above);
      if(i % by != 0 && j % by != 0)
        sum += a * b * c(right, above);
      u(i, j) = sum / (n * n);
    }
}
double wrong(grid::view m, numbers::accessor<ro> u, std::int64_t spacing) {
  double sum = 0;
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      sum += u(i, j) != value_at(spacing * i, spacing * j) ? 1 : 0;
  return sum;
}
double points(grid::view m) { return static_cast<double>(m.owned().size()); }
void add_owned(grid::view m, numbers::accessor<rw> n) { n() += double(m.owned().size()); }
double number(topo::index::view /*c*/, numbers::accessor<ro> n) { return n(); }
void count(structured<1>::view m, numbers::accessor<rw> u) {
  for(const auto i : m.owned(0))
    u(i) += static_cast<double>(i + 1);
}
void take(structured<1>::view /*m*/, structured<1>::view coarse, numbers::accessor<ro> u,
  numbers::accessor<wo> c) {
  for(const auto i : coarse.owned(0))
    c(i) = u(3 * i);
}
void give(structured<1>::view m, structured<1>::view coarse, numbers::accessor<wo> v,
  numbers::accessor<ro, ro> c) {
  for(const auto i : m.owned(0))
    v(i) = c(i / 3) + c(std::min(i / 3 + 1, coarse.mesh().hi[0] - 1));
}
double wrong_sum(structured<1>::view m, numbers::accessor<ro> v, int times) {
  double wrong = 0;
  for(const auto i : m.owned(0)) {
    const std::int64_t low = 3 * (i / 3), high = std::min<std::int64_t>(low + 3, 9);
    wrong += v(i) != static_cast<double>(times * (low + 1 + high + 1)) ? 1 : 0;
  }
  return wrong;
}
} // namespace task

void go_down_and_up(scheduler& s, std::int64_t n, std::int64_t by) {
  std::vector<grid> mesh;
  std::vector<numbers> u;
  mesh.emplace_back(
    s, structured_options<2>{.extents = {n, n}, .colors = {4, 3}, .diagonals = true});
  u.emplace_back(mesh[0], "u");
  s.execute<task::fill>(mesh[0], u[0]);
  for(std::size_t k = 0; mesh[k].coloring().mesh().size() > 1; ++k) {
    mesh.push_back(mesh[k].coarsened(by));
    u.emplace_back(mesh[k + 1], "coarse u");
    s.execute<task::inject>(mesh[k], mesh[k + 1], u[k], u[k + 1], by);
  }
  std::int64_t spacing = 1;
  for(std::size_t k = 0; k != mesh.size(); ++k, spacing *= by) {
    const std::int64_t m = (n + spacing - 1) / spacing;
    expect(s.reduce<task::points, fold::sum>(mesh[k]).get() == static_cast<double>(m * m));
    expect(s.reduce<task::wrong, fold::sum>(mesh[k], u[k], spacing).get() == 0);
  }
  if((n - 1) % by == 0) { // else the last points have nothing beyond them
    s.execute<task::interpolate>(mesh[0], mesh[1], u[0], u[1], by);
    expect(s.reduce<task::wrong, fold::sum>(mesh[0], u[0], std::int64_t{1}).get() == 0);
  }
}

} // namespace

TEST_CASE("a launch takes fields of a mesh and of its coarser levels, down to one point") {
  for(const unsigned ranks : {1U, 2U, 3U, 5U})
    on_ranks(make_local_transports(ranks), 2, [](scheduler& s) {
      for(const std::int64_t n : {17, 33, 20})
        for(const std::int64_t by : {2, 3})
          go_down_and_up(s, n, by);
      go_down_and_up(s, 28, 3);
    });
}

TEST_CASE("a coarse mesh outlives the one that it was made of, and has its colors") {
  on_ranks(make_local_transports(2), 1, [](scheduler& s) {
    grid coarse = grid(s, {.extents = {40, 9}, .colors = {5, 2}}).coarsened({4, 1});
    expect(coarse.colors() == 10);
    expect(coarse.coloring().mesh() == box<2>{{0, 0}, {10, 9}});
    numbers u(coarse, "u");
    s.execute<task::fill>(coarse, u);
    expect(s.reduce<task::wrong, fold::sum>(coarse, u, std::int64_t{1}).get() == 0);
    grid coarser = coarse.coarsened(2);
    const topo::index colors(coarse);
    numbers owned(colors, "owned");
    s.execute<task::add_owned>(coarse, owned);
    s.execute<task::add_owned>(coarser, owned);
    expect(s.reduce<task::number, fold::sum>(colors, owned).get() == 90 + 25);
    const grid other(s, {.extents = {20, 5}, .colors = {5, 2}});
    numbers v(other, "v");
    const std::string why =
      thrown_by([&] { s.execute<task::inject>(other, coarser, v, u, std::int64_t{2}); });
    expect(
      why.find("not cut into the same colors") != why.npos && why.find("coarsened(2)") != why.npos);
  });
}

TEST_CASE("meshes whose colors have no points are written to files, and read") {
  const std::filesystem::path at = std::filesystem::temp_directory_path() / "rondo-coarse.vti";
  for(const unsigned ranks : {1U, 3U})
    for(const unsigned readers : {2U, 5U}) {
      on_ranks(make_local_transports(ranks), 1, [&](scheduler& s) {
        const grid m = grid(s, {.extents = {9, 9}, .colors = {3, 3}}).coarsened(4);
        numbers u(m, "u");
        s.execute<task::fill>(m, u);
        s.write(at.string(), m, u);
      });
      on_ranks(make_local_transports(readers), 1, [&](scheduler& s) {
        const grid m = grid(s, {.extents = {17, 17}, .colors = {5, 1}}).coarsened(8);
        numbers u(m, "u");
        s.read(at.string(), m, u);
        expect(s.reduce<task::wrong, fold::sum>(m, u, std::int64_t{1}).get() == 0);
      });
    }
  std::filesystem::remove(at);
}

TEST_CASE(
  "what a color sees on a coarse level may belong to one that is some layers of a wave away") {
  for(const unsigned ranks : {1U, 2U, 3U})
    on_ranks(make_local_transports(ranks), 2, [](scheduler& s) {
      const structured<1> m(s, {.extents = {12}, .colors = {12}, .stages = 4});
      const structured<1> coarse = m.coarsened(3);
      numbers u(m, "u"), v(m, "v"), c(coarse, "c");
      for(int times = 1; times != 5; ++times) {
        s.execute<task::count>(m, u);
        s.execute<task::take>(m, coarse, u, c);
        s.execute<task::give>(m, coarse, v, c);
        expect(s.reduce<task::wrong_sum, fold::sum>(m, v, times).get() == 0);
      }
    });
}
