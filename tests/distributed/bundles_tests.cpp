// Which colors are written together.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <catch2/catch.hpp>

#include "output/bundles.hpp"

namespace {

using namespace rondo;
using namespace rondo::detail;

constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();

/// A mesh of so many points, cut into so many colors; those of which `is_here` says so are on this rank.
template<class F>
stored_mesh mesh(
  unsigned dimensions, const point<3>& points, const point<3>& colors, const F& is_here) {
  stored_mesh m{nullptr, dimensions, {{0, 0, 0}, points}, {}};
  color_id number = 0;
  for(std::int64_t k = 0; k != colors[2]; ++k)
    for(std::int64_t j = 0; j != colors[1]; ++j)
      for(std::int64_t i = 0; i != colors[0]; ++i, ++number) {
        const point<3> at{i, j, k};
        box<3> b;
        for(std::size_t a = 0; a != 3; ++a) {
          b.lo[a] = points[a] * at[a] / colors[a];
          b.hi[a] = points[a] * (at[a] + 1) / colors[a];
        }
        if(is_here(at))
          m.colors.push_back({b, selection::of(b), number});
      }
  return m;
}
bool everywhere(const point<3>&) { return true; }

/// Each color is in one bundle, in its box, and the box has no other points.
void check_whole(const stored_mesh& m, const std::vector<bundle>& all) {
  std::vector<int> seen(m.colors.size());
  for(const bundle& b : all) {
    std::int64_t points = 0;
    for(const std::size_t c : b.colors) {
      ++seen[c];
      points += m.colors[c].points.size();
      CHECK(b.points.contains(m.colors[c].points));
    }
    CHECK(points == b.points.size());
    CHECK(std::ranges::is_sorted(b.colors));
  }
  CHECK(seen == std::vector<int>(m.colors.size(), 1));
}

} // namespace

TEST_CASE("all colors of a rank that has the whole mesh are one bundle") {
  const stored_mesh m = GENERATE(mesh(1, {101, 1, 1}, {7, 1, 1}, everywhere),
    mesh(2, {64, 48, 1}, {4, 5, 1}, everywhere), mesh(3, {16, 18, 20}, {2, 3, 4}, everywhere));
  const auto all = bundles_of(m, no_limit);
  CHECK(all.size() == 1);
  check_whole(m, all);
}

TEST_CASE("bundles that are large enough do not grow along the last axis, but have whole rows") {
  const stored_mesh m = mesh(2, {64, 48, 1}, {4, 6, 1}, everywhere);
  const auto all = bundles_of(m, GENERATE(std::int64_t{1}, 64 * 8, 64 * 17));
  check_whole(m, all);
  CHECK(all.size() >= 3);
  std::int64_t next = 0;
  for(const bundle& b : all) {
    CHECK(b.points.length(0) == 64);
    CHECK(b.points.lo[1] == next); // in the order of the file
    next = b.points.hi[1];
  }
}

TEST_CASE("colors that leave gaps are several bundles") {
  const stored_mesh checkered =
    mesh(2, {8, 8, 1}, {4, 4, 1}, [](const point<3>& at) { return (at[0] + at[1]) % 2 == 0; });
  const auto apart = bundles_of(checkered, no_limit);
  CHECK(apart.size() == 8);
  check_whole(checkered, apart);
  const stored_mesh corner = mesh(3, {8, 8, 8}, {2, 2, 2}, [](const point<3>& at) {
    return at != point<3>{1, 1, 1};
  });
  const auto most = bundles_of(corner, no_limit);
  CHECK(most.size() == 3);
  check_whole(corner, most);
}

TEST_CASE("colors without points are in a bundle, too") {
  stored_mesh m = mesh(1, {3, 1, 1}, {5, 1, 1}, everywhere);
  const auto all = bundles_of(m, no_limit);
  check_whole(m, all);
  CHECK(all.size() == 2);
  m.colors.clear();
  CHECK(bundles_of(m, no_limit).empty());
}
