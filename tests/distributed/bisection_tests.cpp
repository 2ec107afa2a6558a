// Boxes of colors for any number of ranks.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <vector>

#include "meshes.hpp"

#include <catch2/catch.hpp>
#include <rondo/distributed/bisection.hpp>
#include <rondo/distributed/color_grid.hpp>
#include <rondo/distributed/coloring.hpp>
#include <rondo/distributed/structured_points.hpp>

using namespace rondo;
using namespace rondo::detail;
using meshes::draw;

namespace {

std::uint64_t colors_in(const box<3>& b) { return static_cast<std::uint64_t>(b.size()); }

cut_mesh random_mesh(std::uint64_t seed, std::int64_t most) {
  cut_mesh mesh;
  for(std::size_t a = 0; a != 3; ++a) {
    mesh.colors[a] = draw(seed, a, 1, most);
    mesh.extents[a] = mesh.colors[a] * draw(seed, 10 + a, 1, 9) + draw(seed, 20 + a, 0, 5);
  }
  return mesh;
}

/// Which colors are where.
template<class F>
void for_each_place(const box<3>& b, F&& f) {
  b.for_each_row([&](point<3> p, std::int64_t length) {
    for(const std::int64_t end = p[0] + length; p[0] != end; ++p[0])
      f(p);
  });
}

} // namespace

TEST_CASE("each color is in the box of one rank, for any number of ranks") {
  for(std::uint64_t seed = 0; seed != 300; ++seed) {
    const cut_mesh mesh = random_mesh(seed, 7);
    const auto all = static_cast<std::int64_t>(mesh.size());
    for(int i = 0; i != 4; ++i) {
      // As many ranks as colors too, each of which has one then.
      const auto ranks = static_cast<unsigned>(i == 0 ? all : draw(seed, 30 + i, 1, all));
      CAPTURE(seed, ranks, mesh.colors[0], mesh.colors[1], mesh.colors[2]);
      const bisection cut(mesh, 1, ranks);
      std::uint64_t seen = 0, most = 0;
      for(unsigned r = 0; r != ranks; ++r) {
        const box<3> mine = cut.of(r);
        REQUIRE(!mine.empty());
        REQUIRE(box<3>{{}, mesh.colors}.contains(mine));
        for_each_place(mine, [&](const point<3>& p) { REQUIRE(cut.rank_at(p) == r); });
        seen += colors_in(mine);
        most = std::max(most, colors_in(mine));
      }
      REQUIRE(seen == mesh.size()); // so boxes are disjoint
      REQUIRE(most == cut.most_colors());
    }
  }
}

TEST_CASE("a rank has the colors that it is found by") {
  const auto check = []<std::size_t D>(const structured_shape<D>& shape, std::uint64_t seed) {
    CAPTURE(D, seed);
    const structured_coloring<D> mesh(shape);
    const unsigned ranks = meshes::random_ranks(seed, mesh.colors());
    const distribution who = mesh.over(ranks);
    std::set<color_id> all;
    for(unsigned r = 0; r != ranks; ++r) {
      const color_set mine = who.of(r);
      REQUIRE(std::is_sorted(mine.begin(), mine.end()));
      for(std::size_t i = 0; i != mine.size(); ++i) {
        REQUIRE(who.rank_of(mine[i]) == r);
        REQUIRE(mine.contains(mine[i]));
        REQUIRE(mine.local(mine[i]) == i);
        REQUIRE(all.insert(mine[i]).second);
      }
      // In place wherever a mesh allows it.
      std::size_t axes = 0;
      for(std::size_t a = 0; a != D; ++a)
        axes += mesh.depth(a) != 0 ? 1 : 0;
      REQUIRE(structured_points<D>(mesh).together(mine).has_value() ==
              (mine.size() > 1 && (!shape.diagonals || axes < 2)));
    }
    REQUIRE(all.size() == mesh.colors());
  };
  for(std::uint64_t seed = 0; seed != 500; ++seed) {
    check(meshes::random_shape<1>(seed), seed);
    check(meshes::random_shape<2>(seed), seed);
    check(meshes::random_shape<3>(seed), seed);
  }
}

TEST_CASE("where halving gives each rank a box, that is its box") {
  const auto check = []<std::size_t D>(const structured_shape<D>& shape) {
    const structured_coloring<D> mesh(shape);
    for(unsigned ranks = 1; ranks <= mesh.colors(); ranks *= 2) {
      CAPTURE(D, ranks);
      const distribution who = mesh.over(ranks);
      for(unsigned r = 0; r != ranks; ++r)
        REQUIRE(who.of(r) == color_set(who.share_of_rank(r)));
    }
  };
  check(structured_shape<1>{.extents = {640}, .colors = {64}});
  check(structured_shape<2>{.extents = {2048, 2048}, .colors = {16, 16}});
  check(structured_shape<2>{.extents = {2048, 1024}, .colors = {8, 32}});
  check(structured_shape<3>{.extents = {128, 128, 128}, .colors = {8, 8, 8}});
  check(structured_shape<3>{.extents = {512, 128, 256}, .colors = {8, 4, 16}});
}

TEST_CASE("a row of colors is dealt evenly to any number of ranks") {
  for(std::uint64_t n = 1; n != 130; ++n)
    for(unsigned ranks = 1; ranks <= n; ++ranks) {
      CAPTURE(n, ranks);
      const bisection cut(
        cut_mesh::of<2>({100, 1000}, {1, static_cast<std::int64_t>(n)}), 1, ranks);
      for(unsigned r = 0; r != ranks; ++r) {
        REQUIRE(colors_in(cut.of(r)) >= n / ranks);
        REQUIRE(colors_in(cut.of(r)) <= (n + ranks - 1) / ranks);
      }
    }
}

TEST_CASE("ranks that divide the grid of colors have as many each") {
  for(std::int64_t x = 1; x != 8; ++x)
    for(std::int64_t y = 1; y != 8; ++y)
      for(std::int64_t by = 1; by != 5; ++by) {
        const auto ranks = static_cast<unsigned>(x * y);
        CAPTURE(x, y, by);
        // Blocks as long as wide, cut along the last axis, as the default grids are.
        const bisection cut(cut_mesh::of<2>({64 * x, 64 * y}, {x, y * by}), 1, ranks);
        CHECK(cut.most_colors() == static_cast<std::uint64_t>(by));
      }
}

TEST_CASE("no rank has more than a slab above the others") {
  // A slab of a block of 4 x 4 colors is a fourth of it, of one of 8 x 8 an eighth.
  double worst[2] = {}, sum[2] = {};
  int count = 0;
  for(unsigned ranks = 1; ranks <= 400; ++ranks) {
    ++count;
    for(std::int64_t i = 0; i != 2; ++i) {
      const std::int64_t own = i == 0 ? 16 : 64;
      const auto side =
        static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(own * ranks))));
      const bisection cut(cut_mesh::of<2>({16 * side, 16 * side}, {side, side}), 1, ranks);
      const double mean = static_cast<double>(side * side) / ranks;
      const double above = static_cast<double>(cut.most_colors()) / mean;
      worst[i] = std::max(worst[i], above);
      sum[i] += above;
    }
  }
  CHECK(worst[0] <= 1.4);
  CHECK(worst[1] <= 1.25);
  CHECK(sum[0] / count <= 1.2);
  CHECK(sum[1] / count <= 1.08);
}

TEST_CASE("default grids can be dealt evenly") {
  const auto above = []<std::size_t D>(const point<D>& extents, unsigned ranks) {
    structured_shape<D> shape{.extents = extents};
    shape.colors = default_color_grid(shape, ranks, 4);
    const bisection cut(cut_mesh::of(shape.extents, shape.colors), 1, ranks);
    const structured_coloring<D> mesh(shape);
    return static_cast<double>(cut.most_colors()) * ranks / static_cast<double>(mesh.colors());
  };
  double flat = 0, solid = 0, flat_sum = 0, solid_sum = 0;
  for(unsigned ranks = 1; ranks <= 200; ++ranks) {
    const double a = above(point<2>{8192, 8192}, ranks);
    const double b = above(point<3>{512, 512, 512}, ranks);
    flat = std::max(flat, a);
    solid = std::max(solid, b);
    flat_sum += a;
    solid_sum += b;
  }
  CHECK(flat <= 1.2);
  CHECK(solid <= 1.2);
  CHECK(flat_sum / 200 <= 1.06);
  CHECK(solid_sum / 200 <= 1.06);
}

TEST_CASE("kinds of pieces are few, however many ranks there are") {
  const cut_mesh large{{1 << 20, 1 << 20, 1 << 20}, {1 << 12, 1 << 12, 1 << 12}};
  CHECK(bisection(large, 1, 1U << 30U).kinds() == 31);
  for(const unsigned ranks : {1000U, 100'000U, 99'991U, 4'000'000'000U}) {
    CAPTURE(ranks);
    const bisection cut(large, 1, ranks);
    CHECK(cut.kinds() < 3000);
    for(std::uint64_t i = 0; i != 100; ++i) {
      const auto rank = static_cast<unsigned>(meshes::mix(ranks, i) % ranks);
      const box<3> mine = cut.of(rank);
      CHECK(cut.rank_at(mine.lo) == rank);
      point<3> last = mine.hi;
      for(std::int64_t& x : last)
        --x;
      CHECK(cut.rank_at(last) == rank);
    }
  }
}
