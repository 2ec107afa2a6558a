// How a mesh is cut: colors, their numbers, who has them, and who touches whom.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <sstream>
#include <vector>

#include "meshes.hpp"

#include <catch2/catch.hpp>
#include <rondo/distributed/coloring.hpp>

using namespace rondo;
using meshes::draw;

namespace {

template<class F>
void for_random_meshes(std::uint64_t seeds, F&& check) {
  const auto one = [&]<std::size_t D>(const structured_shape<D>& shape, std::uint64_t seed) {
    CAPTURE(D, seed);
    check(structured_coloring<D>(shape), seed);
  };
  for(std::uint64_t seed = 0; seed != meshes::seeds_of(seeds); ++seed) {
    one(meshes::random_shape<1>(seed), seed);
    one(meshes::random_shape<2>(seed), seed);
    one(meshes::random_shape<3>(seed), seed);
  }
}

/// Sides of these colors that are beside another one.
template<std::size_t D>
std::int64_t rim_of(const structured_coloring<D>& mesh, const color_set& colors) {
  std::int64_t sides = 0;
  for(const color_id c : colors) {
    const point<D> place = mesh.place_of(c);
    for(std::size_t a = 0; a != D; ++a)
      for(const std::int64_t step : {-1, 1}) {
        point<D> beside = place;
        beside[a] += step;
        sides += beside[a] < 0 || beside[a] == mesh.shape().colors[a] ||
                 !colors.contains(mesh.at_place(beside));
      }
  }
  return sides;
}

/// How much longer the rims of ranks are than those of squares of as many colors: the worst.
template<std::size_t D>
double worst_rim(const structured_coloring<D>& mesh, unsigned ranks) {
  const distribution who = mesh.over(ranks);
  double worst = 0;
  for(unsigned r = 0; r != ranks; ++r) {
    const double n = static_cast<double>(who.of(r).size());
    const double ideal = 2 * D * std::pow(n, 1 - 1.0 / D);
    worst = std::max(worst, static_cast<double>(rim_of(mesh, who.of(r))) / ideal);
  }
  return worst;
}

template<std::size_t D>
std::string refusal(const structured_shape<D>& shape, unsigned ranks = 1) {
  try {
    static_cast<void>(structured_coloring<D>(shape).over(ranks));
  }
  catch(const std::invalid_argument& e) {
    return e.what();
  }
  return "none";
}

} // namespace

TEST_CASE("boxes intersect, grow and are walked through row by row") {
  constexpr box<2> b{{1, 2}, {4, 4}};
  static_assert(b.size() == 6 && !b.empty());
  static_assert(b.contains(point<2>{3, 3}) && !b.contains(point<2>{4, 3}));
  static_assert(b.grown(1) == box<2>{{0, 1}, {5, 5}});
  static_assert(b.shifted({10, -2}) == box<2>{{11, 0}, {14, 2}});
  static_assert(intersection(b, {{3, 0}, {9, 3}}) == box<2>{{3, 2}, {4, 3}});
  static_assert(intersection(b, {{5, 0}, {9, 9}}).empty());
  static_assert(intersection(b, {{5, 0}, {9, 9}}).size() == 0);
  static_assert(b.contains(box<2>{{9, 9}, {9, 10}}) && !b.contains(box<2>{{3, 3}, {5, 4}}));

  std::vector<std::int64_t> seen;
  box<3>{{1, 2, 3}, {3, 4, 5}}.for_each_row([&](const point<3>& p, std::int64_t length) {
    CHECK(p[0] == 1);
    CHECK(length == 2);
    seen.push_back(10 * p[2] + p[1]);
  });
  CHECK(seen == std::vector<std::int64_t>{32, 33, 42, 43});
  box<2>{{0, 0}, {4, 0}}.for_each_row([](auto&&...) { FAIL("an empty box has no rows"); });

  std::ostringstream text;
  text << b;
  CHECK(text.str() == "[1, 4) x [2, 4)");
}

TEST_CASE("shares are in order, equal up to one, and found again from what is in them") {
  using detail::share_begin, detail::share_of;
  for(std::uint64_t n = 1; n != 60; ++n)
    for(std::uint64_t parts = 1; parts <= n; ++parts) {
      REQUIRE(share_begin(n, parts, 0) == 0);
      REQUIRE(share_begin(n, parts, parts) == n);
      for(std::uint64_t p = 0; p != parts; ++p) {
        const std::uint64_t begin = share_begin(n, parts, p), end = share_begin(n, parts, p + 1);
        REQUIRE((end - begin == n / parts || end - begin == (n + parts - 1) / parts));
        for(std::uint64_t i = begin; i != end; ++i)
          REQUIRE(share_of(n, parts, i) == p);
      }
    }
  // Where products have more than 64 bits.
  const std::uint64_t n = (std::uint64_t{1} << 60U) - 1;
  for(std::uint64_t i = 0; i != 1000; ++i) {
    const std::uint64_t parts = 1 + meshes::mix(1, i) % n, p = meshes::mix(2, i) % parts;
    REQUIRE(share_of(n, parts, share_begin(n, parts, p)) == p);
    REQUIRE(share_of(n, parts, share_begin(n, parts, p + 1) - 1) == p);
  }
  const distribution most{n, std::numeric_limits<unsigned>::max()};
  CHECK(most.rank_of(n - 1) == most.ranks() - 1);
  CHECK(most.share_of_rank(most.ranks() - 1).last == n);
}

TEST_CASE("colors own every point of the mesh, once, and about as many as the others") {
  for_random_meshes(500, []<std::size_t D>(const structured_coloring<D>& mesh, std::uint64_t) {
    std::vector<int> owners(static_cast<std::size_t>(mesh.mesh().size()));
    for(color_id c = 0; c != mesh.colors(); ++c) {
      const box<D> own = mesh.owned(c);
      REQUIRE(mesh.mesh().contains(own));
      for(std::size_t a = 0; a != D; ++a) {
        const std::int64_t less = mesh.shape().extents[a] / mesh.shape().colors[a];
        REQUIRE((own.length(a) == less || own.length(a) == less + 1));
      }
      own.for_each_row([&](point<D> p, std::int64_t length) {
        for(std::int64_t i = 0; i != length; ++i, ++p[0]) {
          std::size_t number = 0;
          for(std::size_t a = D; a-- != 0;)
            number = number * mesh.shape().extents[a] + p[a];
          ++owners[number];
          REQUIRE(mesh.owner_of(p) == c);
        }
      });
    }
    REQUIRE(std::all_of(owners.begin(), owners.end(), [](int n) { return n == 1; }));
  });
}

TEST_CASE("colors have the numbers from 0, whatever their grid") {
  for_random_meshes(1000, []<std::size_t D>(const structured_coloring<D>& mesh, std::uint64_t) {
    std::vector<int> at(mesh.colors());
    for(color_id c = 0; c != mesh.colors(); ++c) {
      const point<D> place = mesh.place_of(c);
      REQUIRE(box<D>{{}, mesh.shape().colors}.contains(place));
      REQUIRE(mesh.at_place(place) == c);
      std::size_t number = 0;
      for(std::size_t a = D; a-- != 0;)
        number = number * mesh.shape().colors[a] + place[a];
      ++at[number];
    }
    REQUIRE(std::all_of(at.begin(), at.end(), [](int n) { return n == 1; }));
  });
  // More colors than could be listed.
  const std::int64_t n = 1'000'003, cut = 777'777;
  const structured_coloring<3> large({.extents = {n, n, n}, .colors = {cut, cut, cut}, .halo = 1});
  for(std::uint64_t i = 0; i != 1000; ++i) {
    const color_id c = meshes::mix(3, i) % large.colors();
    REQUIRE(large.at_place(large.place_of(c)) == c);
    REQUIRE(large.owner_of(large.owned(c).lo) == c);
  }
}

TEST_CASE("halves of the longest side come one after the other, and rows stay whole if they can") {
  const auto numbers = [](const structured_shape<2>& s) {
    const structured_coloring<2> mesh(s);
    std::vector<color_id> n;
    for(std::int64_t y = 0; y != s.colors[1]; ++y)
      for(std::int64_t x = 0; x != s.colors[0]; ++x)
        n.push_back(mesh.at_place({x, y}));
    return n;
  };
  using list = std::vector<color_id>;
  CHECK(numbers({.extents = {8, 8}, .colors = {2, 2}}) == list{0, 1, 2, 3});
  CHECK(numbers({.extents = {16, 8}, .colors = {4, 2}}) == list{0, 1, 4, 5, 2, 3, 6, 7});
  CHECK(numbers({.extents = {9, 6}, .colors = {3, 2}}) == list{0, 2, 3, 1, 4, 5});
  // In points, not in colors.
  CHECK(numbers({.extents = {16, 8}, .colors = {2, 4}}) == list{0, 4, 1, 5, 2, 6, 3, 7});
}

TEST_CASE("who is seen sees back, and the boxes are the same points") {
  for_random_meshes(500, []<std::size_t D>(const structured_coloring<D>& mesh, std::uint64_t) {
    for(color_id c = 0; c != mesh.colors(); ++c)
      for(const color_neighbour<D>& n : mesh.neighbours(c)) {
        const auto others = mesh.neighbours(n.color);
        const auto back = std::find_if(others.begin(), others.end(), [&](const auto& m) {
          for(std::size_t a = 0; a != D; ++a)
            if(m.direction[a] != -n.direction[a])
              return false;
          return true;
        });
        REQUIRE(back != others.end());
        REQUIRE(back->color == c);
        REQUIRE(back->ghosts == n.seen_from_there(n.rim));
        REQUIRE(back->rim == n.seen_from_there(n.ghosts));
        REQUIRE(mesh.with_beyond(c).contains(n.rim));
        REQUIRE(mesh.with_ghosts(c).contains(n.ghosts));
        REQUIRE(intersection(mesh.with_beyond(c), n.ghosts).empty());
      }
  });
}

TEST_CASE("along a periodic axis a lone color sees itself, and one of two sees the other twice") {
  const structured_coloring<1> lone({.extents = {5}, .colors = {1}, .halo = 2, .periodic = {true}});
  const auto itself = lone.neighbours(0);
  REQUIRE(itself.size() == 2);
  CHECK(itself[0].color == 0);
  CHECK(itself[0].ghosts == box<1>{{-2}, {0}});
  CHECK(itself[0].seen_from_there(itself[0].ghosts) == box<1>{{3}, {5}});
  CHECK(itself[1].ghosts == box<1>{{5}, {7}});

  const structured_coloring<1> two({.extents = {6}, .colors = {2}, .halo = 1, .periodic = {true}});
  const auto other = two.neighbours(0);
  REQUIRE(other.size() == 2);
  CHECK(other[0].color == 1);
  CHECK(other[0].seen_from_there(other[0].ghosts) == box<1>{{5}, {6}});
  CHECK(other[1].color == 1);
  CHECK(other[1].seen_from_there(other[1].ghosts) == box<1>{{3}, {4}});
}

TEST_CASE("points beyond the ends belong to the color beside them, and its neighbours see them") {
  const structured_coloring<2> mesh(
    {.extents = {8, 6}, .colors = {2, 2}, .halo = 1, .periodic = {true, false}, .beyond = 2});
  CHECK(mesh.mesh() == box<2>{{0, 0}, {8, 6}});
  const color_id low = mesh.owner_of({0, 0}), high = mesh.owner_of({0, 5});
  CHECK(mesh.owned(low) == box<2>{{0, 0}, {4, 3}});
  CHECK(mesh.with_beyond(low) == box<2>{{0, -2}, {4, 3}});
  CHECK(mesh.with_ghosts(low) == box<2>{{-1, -2}, {5, 4}});
  CHECK(mesh.with_beyond(high) == box<2>{{0, 3}, {4, 8}});
  CHECK(mesh.owner_of({3, -2}) == low);
  const auto others = mesh.neighbours(low);
  REQUIRE(others.size() == 3);
  CHECK(others[0].ghosts == box<2>{{-1, -2}, {0, 3}});
  CHECK(others[0].rim == box<2>{{0, -2}, {1, 3}});
  CHECK(others[2].ghosts == box<2>{{0, 3}, {4, 4}});
}

TEST_CASE(
  "there is a face more than cells, of the color of the last one, unless an axis is periodic") {
  const structured_coloring<2> cells(
    {.extents = {8, 6}, .colors = {2, 2}, .periodic = {false, true}});
  const auto faces = cells.staggered({true, true});
  CHECK(faces.mesh() == box<2>{{0, 0}, {9, 6}});
  CHECK(faces.owned(cells.owner_of({7, 0})) == box<2>{{4, 0}, {9, 3}});
  CHECK(faces.owner_of({8, 0}) == cells.owner_of({7, 0}));
  // On levels of fewer cells than colors it is the one that has the last of twice as many.
  const structured_coloring<1> line({.extents = {4}, .colors = {4}});
  CHECK(line.coarsened({2}).staggered({true}).owner_of({2}) == 3);
  CHECK(line.coarsened({2}).staggered({true}).owned(3) == box<1>{{2}, {3}});
  CHECK(line.coarsened({4}).staggered({true}).owner_of({1}) == 3);
}

TEST_CASE("diagonal neighbours are there if asked for") {
  structured_shape<3> s{.extents = {9, 9, 9}, .colors = {3, 3, 3}, .halo = 1};
  const auto count = [&](const point<3>& place) {
    const structured_coloring<3> mesh(s);
    return mesh.neighbours(mesh.at_place(place)).size();
  };
  CHECK(count({1, 1, 1}) == 6);
  CHECK(count({0, 0, 0}) == 3);
  s.diagonals = true;
  CHECK(count({1, 1, 1}) == 26);
  CHECK(count({0, 0, 0}) == 7);
  CHECK(count({0, 1, 1}) == 17);
  s.periodic = {true, false, false};
  CHECK(count({0, 0, 0}) == 11);
  s.halo = 0;
  CHECK(count({1, 1, 1}) == 0);
}

TEST_CASE("what ranks have is compact") {
  const structured_coloring<2> flat({.extents = {2048, 2048}, .colors = {32, 32}});
  const structured_coloring<3> solid({.extents = {160, 160, 160}, .colors = {16, 16, 16}});
  // A rank that has a power of two of a power of two has a square, or two beside each other.
  for(const unsigned ranks : {1U, 4U, 16U, 64U, 256U, 1024U})
    CHECK(worst_rim(flat, ranks) == Approx(1));
  for(const unsigned ranks : {1U, 8U, 64U, 512U, 4096U})
    CHECK(worst_rim(solid, ranks) == Approx(1));
  for(const unsigned ranks : {2U, 32U, 512U}) {
    CHECK(worst_rim(flat, ranks) < 1.1);
    CHECK(worst_rim(solid, ranks) < 1.1);
  }
  // Others have boxes that are longer than wide, some strips of a few colors.
  double of_flat = 0, of_solid = 0;
  constexpr unsigned step = meshes::scaled(1, 7);
  for(unsigned ranks = 1; ranks <= 300; ranks += step) {
    of_flat = std::max(of_flat, worst_rim(flat, ranks));
    of_solid = std::max(of_solid, worst_rim(solid, ranks));
  }
  CHECK(of_flat < 2.3);
  CHECK(of_solid < 1.7);

  // Also if colors are no squares, or not a power of two.
  const structured_coloring<2> strips({.extents = {2048, 2048}, .colors = {4, 256}});
  for(unsigned quarter = 0; quarter != 4; ++quarter) {
    const color_set colors = strips.over(4).of(quarter);
    box<2> around = strips.owned(colors[0]);
    for(const color_id c : colors)
      for(std::size_t a = 0; a != 2; ++a) {
        around.lo[a] = std::min(around.lo[a], strips.owned(c).lo[a]);
        around.hi[a] = std::max(around.hi[a], strips.owned(c).hi[a]);
      }
    CHECK(around.length(0) == 1024);
    CHECK(around.length(1) == 1024);
  }
  const structured_coloring<2> odd({.extents = {1900, 1900}, .colors = {19, 19}});
  double of_odd = 0;
  for(unsigned ranks = 1; ranks <= 361; ranks += step)
    of_odd = std::max(of_odd, worst_rim(odd, ranks));
  CHECK(of_odd < 2.3);
}

TEST_CASE("what can't be is refused with what to do about it") {
  const structured_shape<2> good{.extents = {4, 4}, .colors = {4, 4}, .halo = 1};
  CHECK(refusal(good, 16) == "none");
  CHECK(refusal(good, 64) == "rondo::structured: the mesh has 4 x 4 = 16 points but there are 64 "
                             "ranks; take a larger mesh or fewer ranks");
  auto s = good;
  s.colors = {2, 2};
  CHECK(refusal(s, 8) == "rondo::structured: the mesh is cut into 2 x 2 = 4 colors but there are 8 "
                         "ranks; take more colors or fewer ranks");
  CHECK_THAT(refusal(good, 0), Catch::Contains("0 ranks"));
  s = good;
  s.extents[1] = 0;
  CHECK(refusal(s) ==
        "rondo::structured: an extent of 0 along axis 1; give the mesh at least one point");
  s.extents = {std::int64_t{1} << 31U, std::int64_t{1} << 30U};
  CHECK_THAT(refusal(s), Catch::Contains("more than 2^60 points"));
  s = good;
  s.colors[0] = 0;
  CHECK_THAT(refusal(s), Catch::Contains("0 colors along axis 0"));
  s.colors[0] = 5;
  CHECK_THAT(refusal(s), Catch::Contains("5 colors along axis 0, which has 4 points"));
  s = good;
  s.halo = 2;
  CHECK(
    refusal(s) ==
    "rondo::structured: a halo of 2 is deeper than the smallest color along axis 0, which has 1 "
    "points; take a thinner halo, fewer colors or a larger mesh");
  s.halo = -1;
  CHECK_THAT(refusal(s), Catch::Contains("a halo of -1"));
  s = good;
  s.beyond = -1;
  CHECK_THAT(refusal(s), Catch::Contains("-1 points beyond the ends"));
  // Where nothing is seen, a halo may be as deep as it likes.
  s = {.extents = {100, 4}, .colors = {10, 1}, .halo = 9};
  CHECK(refusal(s) == "none");
  s.periodic[1] = true;
  CHECK_THAT(refusal(s), Catch::Contains("deeper than the smallest color along axis 1"));
}
