// Cells, and what is between them, in one launch.

#include <array>
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

double value_at(std::int64_t i, std::int64_t j) { return static_cast<double>(1000 * i + j); }

namespace task {
void fill(grid::view m, numbers::accessor<wo> u) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      u(i, j) = value_at(i, j);
}
double wrong(grid::view m, numbers::accessor<ro> u) {
  double sum = 0;
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      sum += u(i, j) != value_at(i, j) ? 1 : 0;
  return sum;
}
double points(grid::view m) { return static_cast<double>(m.owned().size()); }
double all_points(grid::view m) { return static_cast<double>(m.all().size()); }

/// Diffusion: through the faces flows what differs between cells, and nothing through the ends of the mesh.
template<std::size_t A>
void flow(grid::view faces, numbers::accessor<wo> flux, numbers::accessor<ro, ro> u) {
  for(const auto j : faces.owned(1))
    for(const auto i : faces.owned(0)) {
      const std::int64_t at = A == 0 ? i : j;
      const bool is_end =
        !faces.periodic(A) && (at == faces.mesh().lo[A] || at == faces.mesh().hi[A] - 1);
      flux(i, j) = is_end ? 0 : (u(i - (A == 0), j - (A == 1)) - u(i, j)) / 8;
    }
}
void balance(
  grid::view m, numbers::accessor<rw> u, numbers::accessor<ro, ro> x, numbers::accessor<ro, ro> y) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      u(i, j) += (x(i, j) - x(i + 1, j)) + (y(i, j) - y(i, j + 1));
}
/// Each corner has what its four cells have, as far as these are there.
void gather(
  grid::view corners, grid::view cells, numbers::accessor<wo> c, numbers::accessor<ro, ro> u) {
  for(const auto j : corners.owned(1))
    for(const auto i : corners.owned(0)) {
      c(i, j) = 0;
      for(const std::int64_t y : {j - 1, j})
        for(const std::int64_t x : {i - 1, i})
          if(cells.mesh().contains(point<2>{x, y}))
            c(i, j) += u(x, y);
    }
}
double of_corners(grid::view m, numbers::accessor<ro, ro> c) {
  double sum = 0;
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      sum += c(i, j) + c(i + 1, j) + c(i, j + 1) + c(i + 1, j + 1);
  return sum;
}
double sum(grid::view m, numbers::accessor<ro> u) {
  double all = 0;
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      all += u(i, j) * static_cast<double>(1 + (i * i + 3 * j) % 7);
  return all;
}
double total(grid::view m, numbers::accessor<ro> u) {
  double all = 0;
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      all += u(i, j);
  return all;
}
} // namespace task

/// Weighted sums after some steps, with the mesh's own colors. Bits depend on the order of summation, and thus on the colors.
double diffuse(scheduler& s, const grid& m) {
  const grid across = m.faces(0), along = m.faces(1);
  numbers u{m, "u"}, x{across, "x"}, y{along, "y"};
  s.execute<task::fill>(m, u);
  const double before = s.reduce<task::total, fold::sum>(m, u).get();
  s.repeat(12, [&] {
    s.execute<task::flow<0>>(across, x, u);
    s.execute<task::flow<1>>(along, y, u);
    s.execute<task::balance>(m, u, x, y);
  });
  const double after = s.reduce<task::total, fold::sum>(m, u).get();
  expect(std::abs(before - after) < 1e-9 * before); // nothing is lost
  return s.reduce<task::sum, fold::sum>(m, u).get();
}

} // namespace

TEST_CASE("what flows through faces is lost by one cell and got by the other one, on any ranks") {
  for(const std::array<bool, 2> periodic : {std::array{false, false}, std::array{true, false}}) {
    double one_rank = 0;
    for(const unsigned ranks : {1U, 2U, 3U, 5U}) {
      std::vector<double> sums(ranks);
      on_ranks(make_local_transports(ranks), 2, [&](scheduler& s) {
        const auto with = [&](std::size_t stages, bool diagonals) {
          return diffuse(s, grid(s, {.extents = {17, 12},
                                      .colors = {4, 3},
                                      .periodic = periodic,
                                      .diagonals = diagonals,
                                      .stages = stages}));
        };
        sums[s.rank()] = with(1, false);
        expect(with(4, false) == sums[s.rank()]); // worked on in waves
        expect(with(1, true) == sums[s.rank()]);  // colors for themselves
      });
      if(ranks == 1)
        one_rank = sums[0];
      for(const double x : sums)
        CHECK(x == one_rank);
    }
  }
}

TEST_CASE("corners see the cells around, and cells their corners") {
  for(const unsigned ranks : {1U, 2U, 4U})
    on_ranks(make_local_transports(ranks), 2, [](scheduler& s) {
      const grid m{s, {.extents = {9, 8}, .colors = {3, 2}, .diagonals = true}};
      const grid corners = m.corners();
      expect(corners.coloring().mesh() == box<2>{{0, 0}, {10, 9}});
      numbers u{m, "u"}, c{corners, "c"};
      s.execute<task::fill>(m, u);
      s.execute<task::gather>(corners, m, c, u);
      // Each cell is in its four corners, and these are in up to four cells.
      double all = 0;
      for(std::int64_t j = 0; j != 8; ++j)
        for(std::int64_t i = 0; i != 9; ++i)
          for(const std::int64_t y : {j - 1, j, j + 1})
            for(const std::int64_t x : {i - 1, i, i + 1})
              if(m.coloring().mesh().contains(point<2>{x, y}))
                all += value_at(x, y) * (x == i ? 2 : 1) * (y == j ? 2 : 1);
      expect(s.reduce<task::of_corners, fold::sum>(m, c).get() == all);
    });
}

TEST_CASE("faces, edges and corners are meshes of their own with the colors of the cells") {
  on_ranks(make_local_transports(2), 1, [](scheduler& s) {
    const structured<3> m{
      s, {.extents = {5, 6, 7}, .colors = {2, 1, 2}, .periodic = {false, true, false}}};
    const auto extents = [](const structured<3>& of) { return of.coloring().shape().extents; };
    expect(extents(m.faces(0)) == point<3>{6, 6, 7});
    expect(extents(m.faces(1)) == point<3>{5, 6, 7}); // periodic: as many as cells
    expect(extents(m.edges(0)) == point<3>{5, 6, 8});
    expect(extents(m.corners()) == point<3>{6, 6, 8});
    expect(extents(m.corners().faces(2)) == point<3>{5, 6, 8});
    expect(extents(m.coarsened(2).corners()) == point<3>{4, 3, 5});
    expect(extents(m.corners().coarsened(2)) == point<3>{4, 3, 5});
    expect(thrown_by([&] { static_cast<void>(m.faces(3)); }) ==
           "rondo::structured: faces across axis 3 of a mesh of 3 dimensions; axes count from 0");

    const grid faces = grid(s, {.extents = {8, 6}, .colors = {2, 2}, .beyond = 1}).faces(1);
    expect(s.reduce<task::points, fold::sum>(faces).get() == 8 * 7);
    expect(s.reduce<task::all_points, fold::sum>(faces).get() == 10 * 9);
    const grid other{s, {.extents = {8, 7}, .colors = {2, 2}}};
    numbers u{other, "u"}, v{faces, "v"};
    s.execute<task::fill>(faces, v);
    expect(thrown_by([&] {
      s.execute<task::gather>(faces, other, v, u);
    }).find("not cut into the same colors") != std::string::npos);
    s.copy(v, u);
    expect(s.reduce<task::wrong, fold::sum>(other, u).get() == 0);
  });
}

TEST_CASE("fields of faces are written to files, and read on other ranks") {
  const std::string file = (std::filesystem::temp_directory_path() / "rondo-faces.vti").string();
  on_ranks(make_local_transports(3), 1, [&](scheduler& s) {
    const grid faces = grid(s, {.extents = {9, 9}, .colors = {3, 3}}).faces(0);
    numbers x{faces, "x"};
    s.execute<task::fill>(faces, x);
    s.write(file, faces, x);
  });
  on_ranks(make_local_transports(2), 1, [&](scheduler& s) {
    const grid faces = grid(s, {.extents = {9, 9}, .colors = {1, 5}}).faces(0);
    numbers x{faces, "x"};
    s.read(file, faces, x);
    expect(s.reduce<task::wrong, fold::sum>(faces, x).get() == 0);
  });
  std::filesystem::remove(file);
}
