// Into how many colors a mesh is cut if nobody says.

#include <algorithm>
#include <cstdint>
#include <string>

#include "meshes.hpp"

#include <catch2/catch.hpp>
#include <rondo/distributed/color_grid.hpp>

using namespace rondo;
using meshes::draw;

namespace {

template<std::size_t D>
std::uint64_t product(const point<D>& p) {
  std::uint64_t n = 1;
  for(const std::int64_t x : p)
    n *= static_cast<std::uint64_t>(x);
  return n;
}

template<class F>
std::string refusal(F&& f) {
  try {
    f();
  }
  catch(const std::invalid_argument& e) {
    return e.what();
  }
  return "none";
}

} // namespace

TEST_CASE("colors are square where they can be") {
  const structured_shape<2> square{.extents = {2048, 2048}};
  CHECK(choose_color_grid(square, 1) == point<2>{1, 1});
  CHECK(choose_color_grid(square, 2) == point<2>{1, 2}); // rows stay whole
  CHECK(choose_color_grid(square, 4) == point<2>{2, 2});
  CHECK(choose_color_grid(square, 64) == point<2>{8, 8});
  CHECK(choose_color_grid(structured_shape<2>{.extents = {4000, 1000}}, 16) == point<2>{8, 2});
  CHECK(choose_color_grid(structured_shape<2>{.extents = {1000, 4000}}, 16) == point<2>{2, 8});
  CHECK(
    choose_color_grid(structured_shape<3>{.extents = {256, 256, 256}}, 64) == point<3>{4, 4, 4});
  CHECK(
    choose_color_grid(structured_shape<3>{.extents = {256, 512, 128}}, 64) == point<3>{4, 8, 2});
  CHECK(choose_color_grid(structured_shape<3>{.extents = {1, 512, 512}}, 64) == point<3>{1, 8, 8});
  CHECK(choose_color_grid(structured_shape<1>{.extents = {1000}}, 17) == point<1>{17});
}

TEST_CASE("a few more colors than wanted are taken if that makes them squares") {
  const structured_shape<2> square{.extents = {4096, 4096}};
  CHECK(choose_color_grid(square, 61) == point<2>{8, 8});
  // Not so if a rank would have twice as much work as the others.
  CHECK(product(choose_color_grid(square, 61, 61)) == 61);
  CHECK(product(choose_color_grid(square, 13, 13)) == 13);
  // But with many per rank, one more doesn't hurt.
  const point<2> many = choose_color_grid(square, 61 * 32, 61);
  CHECK(product(many) <= 61 * 33);
  CHECK(many[1] < 2 * many[0]);
  CHECK(many[0] < 2 * many[1]);
}

TEST_CASE("there is a grid as long as there are enough points, and it can be used") {
  const auto check = []<std::size_t D>(structured_shape<D> s, std::uint64_t seed) {
    CAPTURE(D, seed);
    std::uint64_t most = 1;
    for(std::size_t a = 0; a != D; ++a)
      most *= static_cast<std::uint64_t>(
        std::max(s.extents[a] / std::max(s.halo, std::int64_t{1}), std::int64_t{1}));
    const auto wanted =
      static_cast<std::uint64_t>(draw(seed, 50, 1, static_cast<std::int64_t>(most)));
    s.colors = choose_color_grid(s, wanted);
    const structured_coloring<D> mesh(s);
    REQUIRE(mesh.colors() >= wanted);
    s.colors = choose_color_grid(s, wanted, static_cast<unsigned>(wanted));
    REQUIRE(structured_coloring<D>(s).colors() >= wanted);
    REQUIRE_THROWS_AS(choose_color_grid(s, most + 1), std::invalid_argument);
  };
  for(std::uint64_t seed = 0; seed != 2000; ++seed) {
    check(meshes::random_shape<1>(seed), seed);
    check(meshes::random_shape<2>(seed), seed);
    check(meshes::random_shape<3>(seed), seed);
  }
}

TEST_CASE("no other grid of as many colors has a shorter halo") {
  for(std::uint64_t seed = 0; seed != 500; ++seed) {
    CAPTURE(seed);
    structured_shape<2> s{.extents = {draw(seed, 0, 100, 5000), draw(seed, 1, 100, 5000)}};
    const std::int64_t wanted = draw(seed, 2, 1, 400);
    // As many as ranks: so many and no more.
    const auto n = static_cast<unsigned>(wanted);
    const point<2> chosen = choose_color_grid(s, n, n);
    const auto cost = [&](std::int64_t x, std::int64_t y) {
      return ((s.extents[0] + x - 1) / x + 2 * (std::min<std::int64_t>(x - 1, 2) != 0) -
               (x == 2 ? 1 : 0)) *
             ((s.extents[1] + y - 1) / y + 2 * (std::min<std::int64_t>(y - 1, 2) != 0) -
               (y == 2 ? 1 : 0));
    };
    const std::int64_t rounds = (chosen[0] * chosen[1] + wanted - 1) / wanted;
    for(std::int64_t x = 1; x <= std::min(wanted, s.extents[0]); ++x)
      if(wanted % x == 0 && wanted / x <= s.extents[1])
        REQUIRE(rounds * cost(chosen[0], chosen[1]) <= cost(x, wanted / x));
  }
}

TEST_CASE("by default each worker has a color, or several if they take longer than messages") {
  const auto colors = [](std::int64_t n, unsigned ranks, unsigned workers) {
    return default_colors(structured_shape<2>{.extents = {n, n}}, ranks, workers);
  };
  CHECK(colors(1024, 1, 4) == 16);
  CHECK(colors(2048, 4, 4) == 64);
  CHECK(colors(1 << 20, 1024, 8) == 1024 * 32);
  // Little: one for each as long as that's worth it.
  CHECK(colors(512, 1, 2) == 8);
  CHECK(colors(256, 1, 2) == 2);
  CHECK(colors(64, 1, 2) == 2);
  CHECK(colors(256, 2, 1) == 2);
  // Tiny: one for each rank.
  CHECK(colors(63, 1, 2) == 1);
  CHECK(colors(8, 16, 2) == 16);
  CHECK(colors(8, 64, 2) == 64);
  CHECK(colors(1, 1, 1) == 1);
  // No more than the halo allows, where that is enough for the ranks.
  const structured_shape<1> deep{.extents = {1 << 20}, .halo = 1 << 17};
  CHECK(default_colors(deep, 2, 4) == 8);
}

TEST_CASE("the default cuts the block of a rank along the last axis, and leaves it whole") {
  structured_shape<2> square{.extents = {2048, 2048}};
  CHECK(default_color_grid(square, 1, 2) == point<2>{1, 8});
  CHECK(default_color_grid(square, 4, 1) == point<2>{2, 8});
  CHECK(default_color_grid(structured_shape<3>{.extents = {512, 512, 512}}, 2, 2) ==
        point<3>{1, 1, 16});
  // Where the last axis is too short the one before is cut as well.
  CHECK(default_color_grid(structured_shape<2>{.extents = {1 << 20, 3}}, 1, 4) == point<2>{6, 3});
  for(const unsigned ranks : {1U, 2U, 3U, 4U, 5U, 8U, 16U, 64U, 128U}) {
    CAPTURE(ranks);
    for(const point<2> extents :
      {point<2>{2048, 2048}, point<2>{4096, 1024}, point<2>{999, 3001}}) {
      square.extents = extents;
      square.colors = default_color_grid(square, ranks, 1);
      const structured_coloring<2> mesh(square);
      const distribution who = mesh.over(ranks);
      for(unsigned r = 0; r != ranks; ++r) {
        point<2> lo = extents;
        point<2> hi{};
        std::int64_t points = 0;
        for(const color_id c : who.of(r)) {
          const box<2> own = mesh.owned(c);
          points += own.size();
          for(std::size_t a = 0; a != 2; ++a) {
            lo[a] = std::min(lo[a], own.lo[a]);
            hi[a] = std::max(hi[a], own.hi[a]);
          }
        }
        REQUIRE(box<2>{lo, hi}.size() == points);
      }
    }
  }
}

TEST_CASE("the default can be used on any number of ranks that have a point each") {
  for(std::uint64_t seed = 0; seed != 500; ++seed) {
    CAPTURE(seed);
    structured_shape<3> s{
      .extents = {draw(seed, 0, 1, 300), draw(seed, 1, 1, 300), draw(seed, 2, 1, 300)}};
    const auto ranks =
      static_cast<unsigned>(draw(seed, 3, 1, std::min<std::int64_t>(product(s.extents), 5000)));
    const auto workers = static_cast<unsigned>(draw(seed, 4, 1, 64));
    s.colors = default_color_grid(s, ranks, workers);
    const structured_coloring<3> mesh(s);
    REQUIRE(mesh.colors() >= ranks);
    REQUIRE(mesh.colors() <= std::uint64_t{18} * ranks * workers);
    static_cast<void>(mesh.over(ranks));
  }
}

TEST_CASE("too many ranks are refused with what to do about it") {
  const structured_shape<2> tiny{.extents = {4, 4}};
  CHECK(refusal([&] { default_color_grid(tiny, 64, 2); }) ==
        "rondo::structured: the mesh has 4 x 4 = 16 points but there are 64 ranks; take a larger "
        "mesh or fewer ranks");
  const structured_shape<2> deep{.extents = {4, 4}, .halo = 2};
  CHECK(refusal([&] { default_color_grid(deep, 8, 2); }) ==
        "rondo::structured: the mesh has 4 x 4 = 16 points, which makes 4 colors for a halo of 2, "
        "but 8 are wanted; take fewer colors or ranks, a thinner halo or a larger mesh");
}

TEST_CASE("a mesh much larger than the caches is cut into thin layers, as many for each rank") {
  constexpr std::size_t bytes = 2 * sizeof(double);
  structured_shape<2> shape{.extents = {4096, 4096}};
  for(const unsigned ranks : {1U, 2U, 3U, 7U}) {
    const auto colors = layered_color_grid(shape, ranks, 1, bytes);
    CAPTURE(ranks, colors[1]);
    CHECK(colors[0] == 1);
    CHECK(colors[1] % ranks == 0);
    CHECK(colors[1] >= 4096 / 8);
    CHECK(colors[1] <= 4096 / 4);
  }
  CHECK(layered_color_grid(shape, 256, 1, bytes) == point<2>{}); // little for each rank
  shape.halo = 64;
  CHECK(layered_color_grid(shape, 2, 1, bytes) == point<2>{}); // thin layers have too few points
  shape.halo = 1;
  shape.diagonals = true; // layers have no corners, unless they are neighbours of themselves
  CHECK(layered_color_grid(shape, 2, 1, bytes) != point<2>{});
  shape.periodic = {true, false};
  CHECK(layered_color_grid(shape, 2, 1, bytes) == point<2>{});
  shape = {.extents = {256, 256}};
  CHECK(layered_color_grid(shape, 2, 1, bytes) == point<2>{});
  const structured_shape<1> line{.extents = {1 << 24}};
  CHECK(layered_color_grid(line, 2, 1, bytes) == point<1>{});
  const structured_shape<3> cube{.extents = {128, 128, 4096}};
  CHECK(layered_color_grid(cube, 4, 1, bytes) == point<3>{1, 1, 4096});
}
