// Cells of unstructured meshes, cut into colors.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "distributed/meshes.hpp"
#include "distributed/ranks.hpp"
#include "distributed/teams.hpp"
#include "pieces.hpp"

#include <catch2/catch.hpp>
#include <rondo/distributed/shares.hpp>
#include <rondo/meshes/cut.hpp>

using namespace rondo;
using meshes::draw;
using pieces::random_begins;

namespace {

using colors_of = std::vector<color_id>;

/// Rank r has the cells begins[r] to begins[r + 1]; returns the colors of all.
colors_of cut_on(const std::vector<std::size_t>& begins, const std::vector<position>& centers,
  color_id colors, const cut_function& cut = cut_by_bisection) {
  colors_of made(centers.size());
  on_team(static_cast<unsigned>(begins.size() - 1), [&](detail::team& all) {
    const std::size_t begin = begins[all.rank()];
    const std::size_t end = begins[all.rank() + 1];
    const auto own = cut(all,
      {static_cast<std::int64_t>(begin), static_cast<std::int64_t>(centers.size()),
        std::span(centers).subspan(begin, end - begin)},
      colors);
    expect(own.size() == end - begin);
    std::ranges::copy(own, made.begin() + static_cast<std::ptrdiff_t>(begin));
  });
  return made;
}

colors_of cut_alone(const std::vector<position>& centers, color_id colors) {
  detail::team one;
  return cut_by_bisection(one, {0, static_cast<std::int64_t>(centers.size()), centers}, colors);
}

std::vector<position> random_centers(std::uint64_t seed, std::size_t n, std::size_t dimension) {
  std::vector<position> made(n);
  for(std::size_t c = 0; c != n; ++c)
    for(std::size_t a = 0; a != dimension; ++a)
      made[c][a] = std::ldexp(static_cast<double>(draw(seed, 3 * c + a, 0, 1 << 30)), -30);
  return made;
}

/// Color c has the share of cells that it is to have: of all the same number, up to one.
bool are_equal_shares(const colors_of& cut, color_id colors) {
  std::vector<std::uint64_t> counts(colors);
  for(const color_id c : cut)
    ++counts.at(c);
  for(color_id c = 0; c != colors; ++c)
    if(counts[c] !=
       detail::share_begin(cut.size(), colors, c + 1) - detail::share_begin(cut.size(), colors, c))
      return false;
  return true;
}

void check_on_ranks(const std::vector<position>& centers, color_id colors, std::uint64_t seed) {
  const colors_of expected = cut_alone(centers, colors);
  CAPTURE(centers.size(), colors, seed);
  CHECK(are_equal_shares(expected, colors));
  for(const unsigned ranks : {1U, 2U, 3U, 5U, 8U}) {
    CAPTURE(ranks);
    CHECK(cut_on(random_begins(seed, ranks, centers.size()), centers, colors) == expected);
  }
}

/// Simplices of a grid, each square in two triangles, or each cube in six tetrahedra.
struct simplices {
  std::vector<position> centers;
  std::vector<std::pair<std::size_t, std::size_t>> sides; ///< Of which two cells.
};

template<std::size_t D>
simplices simplices_of_grid(const std::array<std::int64_t, D>& squares, const position& spacing) {
  simplices made;
  std::map<std::array<std::int64_t, D>, std::size_t> open; // the corners of a side
  std::array<std::int64_t, D> at{};
  const auto number = [&](const std::array<std::int64_t, D>& corner) {
    std::int64_t n = 0;
    for(std::size_t a = D; a-- != 0;)
      n = n * (squares[a] + 1) + corner[a];
    return n;
  };
  for(;;) {
    // From the lowest corner to the highest one, along the axes in any order.
    std::array<std::size_t, D> order;
    for(std::size_t a = 0; a != D; ++a)
      order[a] = a;
    do {
      std::array<std::int64_t, D + 1> corners;
      auto corner = at;
      position center{};
      for(std::size_t k = 0;; ++k) {
        corners[k] = number(corner);
        for(std::size_t a = 0; a != D; ++a)
          center[a] += static_cast<double>(corner[a]) * spacing[a];
        if(k == D)
          break;
        ++corner[order[k]];
      }
      for(double& x : center)
        x /= D + 1;
      for(std::size_t without = 0; without != D + 1; ++without) {
        std::array<std::int64_t, D> side;
        for(std::size_t k = 0; k != D; ++k)
          side[k] = corners[k + (k >= without ? 1 : 0)];
        const auto [other, is_first] = open.emplace(side, made.centers.size());
        if(!is_first)
          made.sides.emplace_back(other->second, made.centers.size());
      }
      made.centers.push_back(center);
    } while(std::ranges::next_permutation(order).found);
    std::size_t a = 0;
    while(a != D && ++at[a] == squares[a])
      at[a++] = 0;
    if(a == D)
      return made;
  }
}

std::size_t sides_cut(const simplices& mesh, const colors_of& cut) {
  return static_cast<std::size_t>(std::ranges::count_if(
    mesh.sides, [&](const auto& side) { return cut[side.first] != cut[side.second]; }));
}

/// As docs/unstructured.md has it: slices of the same thickness, across the first axis.
colors_of cut_into_slices(topo::team& all, const uncut_cells& cells, color_id colors) {
  std::array<double, 2> ends{1e300, 1e300};
  for(const position& at : cells.centers) {
    ends[0] = std::min(ends[0], at[0]);
    ends[1] = std::min(ends[1], -at[0]);
  }
  all.take_least(ends);
  const double first = ends[0], length = -ends[1] - first;
  colors_of made;
  for(const position& at : cells.centers)
    made.push_back(std::min(
      colors - 1, static_cast<color_id>(static_cast<double>(colors) * ((at[0] - first) / length))));
  return made;
}

/// What is wrong, the same on all ranks.
std::string mistake_on(unsigned ranks, const std::vector<position>& centers, color_id colors) {
  std::vector<std::string> said(ranks);
  std::vector<std::size_t> begins{0};
  for(unsigned r = 0; r != ranks; ++r)
    begins.push_back(centers.size() * (r + 1) / ranks);
  on_team(ranks, [&](detail::team& all) {
    const std::size_t begin = begins[all.rank()];
    try {
      static_cast<void>(cut_by_bisection(all,
        {static_cast<std::int64_t>(begin), static_cast<std::int64_t>(centers.size()),
          std::span(centers).subspan(begin, begins[all.rank() + 1] - begin)},
        colors));
    }
    catch(const std::invalid_argument& e) {
      said[all.rank()] = e.what();
    }
  });
  return std::set(said.begin(), said.end()).size() == 1 ? said.front() : "not all say the same";
}

} // namespace

TEST_CASE("a cut is the same on any number of ranks") {
  for(std::uint64_t seed = 0; seed != 12; ++seed) {
    const auto cells = static_cast<std::size_t>(draw(seed, 1, 40, 3000));
    const auto dimension = static_cast<std::size_t>(draw(seed, 2, 1, 3));
    for(const color_id colors : {1, 2, 3, 7, 8, 31, 40})
      check_on_ranks(random_centers(seed, cells, dimension), colors, seed);
  }
}

TEST_CASE("so is one of a program's own whose ranks tell each other where cells end") {
  const std::vector<position> centers = random_centers(5, 500, 2);
  const colors_of expected = cut_on({0, centers.size()}, centers, 7, cut_into_slices);
  CHECK(std::set(expected.begin(), expected.end()).size() == 7);
  for(const unsigned ranks : {2U, 3U, 6U})
    CHECK(cut_on(random_begins(5, ranks, centers.size()), centers, 7, cut_into_slices) == expected);
}

TEST_CASE("so is that of many cells") {
  check_on_ranks(random_centers(1, 60'000, 2), 61, 1);
  check_on_ranks(random_centers(2, 60'000, 3), 1000, 2);
}

TEST_CASE("there may be as many colors as cells") {
  check_on_ranks(random_centers(1, 100, 2), 100, 3);
  check_on_ranks({{.5, .5}}, 1, 4);
}

TEST_CASE("cells may have equal centers") {
  // All of them: by their numbers.
  const std::vector<position> same(20'000, position{1, -0., 3});
  check_on_ranks(same, 5, 1);
  CHECK(std::ranges::is_sorted(cut_alone(same, 5)));
  // Or many: few values, on one axis or on all.
  for(std::uint64_t seed = 0; seed != 6; ++seed) {
    auto centers = random_centers(seed, 15'000, 3);
    for(position& at : centers)
      for(std::size_t a = seed % 2; a != 3; ++a)
        at[a] = std::round(at[a] * 4 - 2); // with zeros of both signs
    check_on_ranks(centers, 12, seed);
  }
}

TEST_CASE("centers may be huge, tiny, or far from 0") {
  for(const double scale : {1e308, 1e-308, std::numeric_limits<double>::denorm_min(), 1.})
    for(const double origin : {0., -1e16}) {
      auto centers = random_centers(5, 9000, 2);
      for(position& at : centers)
        at = {origin + (at[0] * 3 - 1.5) * scale, (at[1] - .5) * scale};
      check_on_ranks(centers, 6, 5);
    }
}

TEST_CASE("a cut goes along lines of the mesh") {
  // Sides of a triangle mesh of squares are cut in straight lines: no diagonal is.
  const auto squares = simplices_of_grid<2>({64, 64}, {1. / 64, 1. / 64});
  CHECK(sides_cut(squares, cut_alone(squares.centers, 2)) == 64);
  CHECK(sides_cut(squares, cut_alone(squares.centers, 4)) == 2 * 64);
  CHECK(sides_cut(squares, cut_alone(squares.centers, 64)) == 2 * 7 * 64);

  // Whatever the last bits of the coordinates are.
  for(const double spacing : {.1, 1. / 3, .7, 1e-3})
    for(const double origin : {0., 100., -.3}) {
      auto mesh = simplices_of_grid<2>({96, 48}, {spacing, spacing});
      for(std::size_t c = 0; c != mesh.centers.size(); ++c)
        for(std::size_t a = 0; a != 2; ++a)
          mesh.centers[c][a] = (mesh.centers[c][a] + origin) *
                               (1 + std::ldexp(static_cast<double>(draw(c, a, -4, 4)), -52));
      CAPTURE(spacing, origin);
      CHECK(sides_cut(mesh, cut_alone(mesh.centers, 2)) == 48);
      CHECK(sides_cut(mesh, cut_alone(mesh.centers, 8)) == 3 * 48 + 96);
    }

  // In 3 dimensions: 2 triangles for each square of the planes.
  const auto cubes = simplices_of_grid<3>({16, 16, 16}, {.1, .1, .1});
  CHECK(sides_cut(cubes, cut_alone(cubes.centers, 2)) == 2 * 16 * 16);
  CHECK(sides_cut(cubes, cut_alone(cubes.centers, 64)) == 2 * 9 * 16 * 16);
}

TEST_CASE("lines that counts don't allow have few steps") {
  // 97 columns in two halves: the cut has one step in it, of a square at most.
  const auto squares = simplices_of_grid<2>({97, 31}, {.01, .01});
  CHECK(sides_cut(squares, cut_alone(squares.centers, 2)) <= 2 * 31 + 2);
  // In 10 parts: 5 by 2 have 4 lines of 31 sides and one of 97. Where a line ends within a column, the other side of
  // each triangle there is cut as well.
  CHECK(sides_cut(squares, cut_alone(squares.centers, 10)) <= 2 * (4 * 31 + 97));
}

TEST_CASE(
  "a column of cells in two halves has one step, whatever the last bits of the coordinates are") {
  constexpr std::size_t columns = 65; // the column in the middle is at just half of the side
  constexpr std::size_t rows = 12;
  for(const double spacing : {1., .1, 1. / 3, 1e-3})
    for(const double origin : {0., 100., -.3}) {
      std::vector<position> centers;
      for(std::size_t k = 0; k != columns * rows; ++k) {
        position at{static_cast<double>(k % columns), static_cast<double>(k / columns)};
        for(std::size_t a = 0; a != 2; ++a)
          at[a] = (origin + at[a] * spacing) *
                  (1 + std::ldexp(static_cast<double>(draw(k, a, -4, 4)), -52));
        centers.push_back(at);
      }
      const colors_of cut = cut_alone(centers, 2);
      CAPTURE(spacing, origin);
      for(std::size_t k = 0; k != cut.size(); ++k) {
        const std::size_t column = k % columns;
        const bool is_behind =
          column == columns / 2 ? k / columns >= rows / 2 : column > columns / 2;
        REQUIRE(cut[k] == (is_behind ? 1 : 0));
      }
    }
}

TEST_CASE("parts are cut across their longest side") {
  std::vector<position> centers;
  for(int k = 0; k != 4000; ++k)
    centers.push_back({0, 1e-9 * (k % 4), 1e-9 * (k / 4)});
  const colors_of cut = cut_alone(centers, 4);
  for(std::size_t k = 0; k != centers.size(); ++k)
    REQUIRE(cut[k] == k / 1000);
}

TEST_CASE("parts may be finer by orders of magnitude than the mesh") {
  // Half of the cells are in a millionth of the length, and there again.
  std::vector<position> centers;
  for(int k = 0; k != 1024; ++k)
    centers.push_back({1 + k / 1024.});
  for(int k = 0; k != 512; ++k)
    centers.push_back({1e-6 * (1 + k / 512.)});
  for(int k = 0; k != 512; ++k)
    centers.push_back({1e-12 * (1 + k / 512.)});
  const colors_of cut = cut_alone(centers, 16);
  for(std::size_t k = 0; k != centers.size(); ++k)
    for(std::size_t other : {k - k % 128, k - k % 128 + 127})
      REQUIRE(cut[k] == cut[other]);
  check_on_ranks(centers, 16, 1);
}

TEST_CASE("what can't be cut is told by all ranks") {
  const auto five = random_centers(1, 5, 2);
  for(const unsigned ranks : {1U, 2U, 3U, 7U}) {
    CHECK(mistake_on(ranks, five, 5).empty());
    CHECK(mistake_on(ranks, five, 8) ==
          "rondo::unstructured: 8 colors of 5 cells; each color needs a cell");
    CHECK(mistake_on(ranks, five, 0) ==
          "rondo::unstructured: 0 colors of 5 cells; each color needs a cell");
    CHECK(mistake_on(ranks, {}, 1) ==
          "rondo::unstructured: 1 colors of 0 cells; each color needs a cell");
    for(const double bad : {std::numeric_limits<double>::quiet_NaN(),
          std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()}) {
      auto centers = random_centers(1, 50, 2);
      centers[17][1] = bad;
      centers[40][2] = bad;
      CHECK(mistake_on(ranks, centers, 5) ==
            "rondo::unstructured: the center of cell 17 is nowhere: a coordinate of it is "
            "infinite, or no number");
    }
  }
}
