// Meshes with points beyond their ends: what is to be seen there is data.

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/rondo.hpp>

#include "ranks.hpp"

using namespace rondo;

namespace {

using grid = structured<2>;
using numbers = field<double>;

double start_at(std::int64_t i, std::int64_t j) {
  return static_cast<double>((7 * i + 3 * j) % 11);
}

namespace task {
void start(grid::view m, numbers::accessor<wo> u) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      u(i, j) = start_at(i, j);
}
/// A fixed value below axis 0, the one beside the end above it; along axis 1 the other way round, with the corners.
void walls(grid::view m, numbers::accessor<rw> u) {
  for(const auto j : m.owned(1)) {
    for(const auto i : m.below(0))
      u(i, j) = 5;
    for(const auto i : m.above(0))
      u(i, j) = u(m.mesh().hi[0] - 1, j);
  }
  for(const auto i : m.all(0)) {
    for(const auto j : m.below(1))
      u(i, j) = u(i, 0);
    for(const auto j : m.above(1))
      u(i, j) = -2;
  }
}
void smooth(grid::view m, numbers::accessor<wo> v, numbers::accessor<ro, ro> u, bool has_corners) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0)) {
      v(i, j) = u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1);
      if(has_corners)
        v(i, j) += u(i - 1, j - 1) * 2 + u(i + 1, j + 1);
      v(i, j) /= 8;
    }
}
/// Points beyond the ends of the neighbours along an axis are seen as their other points are.
double seen_beside(grid::view m, numbers::accessor<ro, ro> u) {
  double wrong = 0;
  for(const auto i : m.below(0))
    for(const auto j : {m.owned(1).first() - 1, m.owned(1).last()})
      wrong += j >= 0 && j < m.mesh().hi[1] && u(i, j) != 5 ? 1 : 0;
  return wrong;
}
double sum(grid::view m, numbers::accessor<ro> u) {
  double all = 0;
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      all += u(i, j) * static_cast<double>(1 + i % 5 + 10 * (j % 3));
  return all;
}
double beyond(grid::view m, numbers::accessor<ro> u) {
  double all = 0;
  for(const auto j : m.all(1))
    for(const auto i : m.all(0))
      all += m.owned().contains(point<2>{i, j}) ? 0 : u(i, j);
  return all;
}
} // namespace task

/// The same on one array.
double expected(std::int64_t nx, std::int64_t ny, bool has_corners, int passes) {
  const std::int64_t row = nx + 2;
  std::vector<double> u(static_cast<std::size_t>(row * (ny + 2))), v = u;
  const auto at = [row](std::vector<double>& a, std::int64_t i, std::int64_t j) -> double& {
    return a[static_cast<std::size_t>((j + 1) * row + i + 1)];
  };
  for(std::int64_t j = 0; j != ny; ++j)
    for(std::int64_t i = 0; i != nx; ++i)
      at(u, i, j) = start_at(i, j);
  for(int pass = 0; pass != passes; ++pass) {
    for(std::int64_t j = 0; j != ny; ++j) {
      at(u, -1, j) = 5;
      at(u, nx, j) = at(u, nx - 1, j);
    }
    for(std::int64_t i = -1; i != nx + 1; ++i) {
      at(u, i, -1) = at(u, i, 0);
      at(u, i, ny) = -2;
    }
    for(std::int64_t j = 0; j != ny; ++j)
      for(std::int64_t i = 0; i != nx; ++i) {
        at(v, i, j) = at(u, i - 1, j) + at(u, i + 1, j) + at(u, i, j - 1) + at(u, i, j + 1);
        if(has_corners)
          at(v, i, j) += at(u, i - 1, j - 1) * 2 + at(u, i + 1, j + 1);
        at(v, i, j) /= 8;
      }
    std::swap(u, v);
  }
  double all = 0;
  for(std::int64_t j = 0; j != ny; ++j)
    for(std::int64_t i = 0; i != nx; ++i)
      all += at(u, i, j) * static_cast<double>(1 + i % 5 + 10 * (j % 3));
  return all;
}

} // namespace

TEST_CASE("a stencil without branches sees what is kept beyond the ends, on any ranks") {
  for(const bool has_corners : {false, true})
    for(const unsigned ranks : {1U, 2U, 3U, 4U})
      for(const std::size_t stages : {1U, 4U})
        on_ranks(make_local_transports(ranks), 2, [&](scheduler& s) {
          const grid m{s, {.extents = {19, 13},
                            .colors = {2, 4},
                            .diagonals = has_corners,
                            .beyond = 1,
                            .stages = stages}};
          numbers u{m, "u"}, v{m, "v"};
          s.execute<task::start>(m, u);
          for(int pass = 0; pass != 10; ++pass) {
            s.execute<task::walls>(m, u);
            s.execute<task::smooth>(m, v, u, has_corners);
            if(pass == 0)
              expect(s.reduce<task::seen_beside, fold::sum>(m, u).get() == 0);
            std::swap(u, v);
          }
          const double x = s.reduce<task::sum, fold::sum>(m, u).get();
          expect(std::abs(x - expected(19, 13, has_corners, 10)) < 1e-9 * std::abs(x));
        });
}

TEST_CASE("what is beyond the ends stays there; files and copies have the points of the mesh") {
  const std::string file = (std::filesystem::temp_directory_path() / "rondo-beyond.vti").string();
  for(const unsigned ranks : {1U, 3U})
    on_ranks(make_local_transports(ranks), 1, [&](scheduler& s) {
      const grid m{
        s, {.extents = {8, 6}, .colors = {2, 3}, .periodic = {true, false}, .beyond = 2}};
      const grid plain{s, {.extents = {8, 6}, .colors = {3, 1}}};
      numbers u{m, "u"}, v{m, "v"}, w{plain, "w"};
      s.execute<task::start>(m, u);
      s.execute<task::walls>(m, u); // below axis 1 what is at its end, and -2 above
      const double kept = s.reduce<task::beyond, fold::sum>(m, u).get();
      expect(kept != 0);
      s.execute<task::start>(m, u);
      expect(s.reduce<task::beyond, fold::sum>(m, u).get() == kept);
      s.copy(u, w);
      expect(s.reduce<task::sum, fold::sum>(plain, w).get() ==
             s.reduce<task::sum, fold::sum>(m, u).get());
      s.copy(w, v);
      expect(s.reduce<task::beyond, fold::sum>(m, v).get() == 0);
      s.write(file, m, u);
      numbers again{m, "u"}, elsewhere{plain, "u"};
      s.execute<task::walls>(m, again);
      const double before = s.reduce<task::beyond, fold::sum>(m, again).get();
      s.read(file, m, again);
      s.read(file, plain, elsewhere);
      expect(s.reduce<task::beyond, fold::sum>(m, again).get() == before);
      for(const double x : {s.reduce<task::sum, fold::sum>(m, again).get(),
            s.reduce<task::sum, fold::sum>(plain, elsewhere).get()})
        expect(x == s.reduce<task::sum, fold::sum>(m, u).get());
    });
  std::filesystem::remove(file);
}

TEST_CASE("a coarser mesh has points beyond its ends as well, beside its last points") {
  for(const unsigned ranks : {1U, 4U})
    on_ranks(make_local_transports(ranks), 1, [](scheduler& s) {
      const grid m{s, {.extents = {16, 16}, .colors = {4, 4}, .beyond = 1}};
      for(const std::int64_t by : {2, 4, 8, 16}) {
        const grid coarse = m.coarsened(by);
        numbers u{coarse, "u"}, v{coarse, "v"};
        s.execute<task::start>(coarse, u);
        s.execute<task::walls>(coarse, u);
        s.execute<task::smooth>(coarse, v, u, false);
        const double x = s.reduce<task::sum, fold::sum>(coarse, v).get();
        expect(std::abs(x - expected(16 / by, 16 / by, false, 1)) < 1e-9);
      }
    });
}
