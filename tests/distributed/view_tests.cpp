// What views and accessors tell a task.

#include <cstdint>
#include <type_traits>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/rondo.hpp>

#include "ranks.hpp"

using namespace rondo;

namespace {

using grid = structured<2>;
using numbers = field<double>;

std::vector<std::int64_t> list(const index_range& r) {
  std::vector<std::int64_t> all;
  for(const auto i : r)
    all.push_back(i);
  return all;
}

// Shared by tasks, whatever else they may do with the field.
double at(const numbers::accessor<ro>& u, std::int64_t i, std::int64_t j) { return u(i, j); }
double around(numbers::accessor<ro, ro> u, std::int64_t i, std::int64_t j) {
  return u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1);
}

void number(grid::view m, numbers::accessor<wo> u) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      u(i, j) = static_cast<double>(100 * j + i);
}
double add_up(grid::view m, numbers::accessor<rw, ro> u) {
  double all = 0;
  for(const auto j : m.interior(1))
    for(const auto i : m.interior(0))
      all += around(u, i, j) - 4 * at(u, i, j);
  return all;
}
std::int64_t ends(grid::view m) {
  return m.low_end(0).size() + 10 * m.high_end(0).size() + 100 * m.low_end(1).size() +
         1000 * m.high_end(1).size() + 10000 * (m.interior(0).size() * m.interior(1).size());
}

template<class From, class To>
inline constexpr bool becomes = std::is_convertible_v<From, To>;

} // namespace

TEST_CASE("the ends of a mesh are those of the colors that have them") {
  const box<2> mesh{{0, 0}, {10, 6}};
  const grid::view left(mesh, {{0, 0}, {5, 6}}, 0, 2);
  CHECK(list(left.low_end(0)) == std::vector<std::int64_t>{0});
  CHECK(left.high_end(0).empty());
  CHECK(list(left.interior(0)) == std::vector<std::int64_t>{1, 2, 3, 4});
  CHECK(list(left.low_end(1, 2)) == std::vector<std::int64_t>{0, 1});
  CHECK(list(left.high_end(1, 2)) == std::vector<std::int64_t>{4, 5});
  CHECK_FALSE(left.periodic(0));
}

TEST_CASE("along a periodic axis all points are interior, and none is at an end") {
  const box<2> mesh{{0, 0}, {6, 6}};
  const grid::view m(mesh, mesh, 0, 1, {true, false});
  CHECK(m.periodic(0));
  CHECK_FALSE(m.periodic(1));
  CHECK(list(m.interior(0)) == list(m.owned(0)));
  CHECK(list(m.interior(0, 2)) == list(m.owned(0)));
  CHECK(m.low_end(0).empty());
  CHECK(m.high_end(0).empty());
  CHECK(list(m.interior(1)) == std::vector<std::int64_t>{1, 2, 3, 4});
  CHECK(list(m.low_end(1)) == std::vector<std::int64_t>{0});
  CHECK(list(m.high_end(1)) == std::vector<std::int64_t>{5});
  std::vector<std::int64_t> red, black;
  for(const auto i : m.red(1))
    red.push_back(i);
  for(const auto i : m.black(1))
    black.push_back(i);
  CHECK(red == std::vector<std::int64_t>{1, 3, 5});
  CHECK(black == std::vector<std::int64_t>{0, 2, 4});
}

TEST_CASE("points beyond an end are those of the color that has the end") {
  const box<2> mesh{{0, 0}, {10, 6}};
  const grid::view left(mesh, {{0, 0}, {5, 6}}, 0, 2, {}, 2);
  CHECK(list(left.below(0)) == std::vector<std::int64_t>{-2, -1});
  CHECK(left.above(0).empty());
  CHECK(list(left.above(1)) == std::vector<std::int64_t>{6, 7});
  CHECK(left.all() == box<2>{{-2, -2}, {5, 8}});
  CHECK(list(left.all(0)) == std::vector<std::int64_t>{-2, -1, 0, 1, 2, 3, 4});
  CHECK(list(left.owned(0)) == std::vector<std::int64_t>{0, 1, 2, 3, 4});
  const grid::view ring(mesh, {{0, 0}, {5, 6}}, 0, 2, {true, true}, 2);
  CHECK(ring.all() == ring.owned());
  CHECK(ring.below(0).empty());
  const grid::view plain(mesh, mesh, 0, 1);
  CHECK(plain.all() == mesh);
  const grid::view none(mesh, {{10, 0}, {10, 6}}, 0, 2, {}, 2); // of a coarse mesh
  CHECK(none.all().empty());
  CHECK(none.above(0).empty());
}

TEST_CASE("tasks over a periodic mesh get views that say so") {
  for(const unsigned ranks : {1U, 2U})
    on_ranks(make_local_transports(ranks), 1, [](scheduler& s) {
      grid closed{s, {.extents = {8, 8}, .colors = {2, 2}, .periodic = {true, true}}};
      grid open{s, {.extents = {8, 8}, .colors = {2, 2}}};
      grid tube{s, {.extents = {8, 8}, .colors = {2, 2}, .periodic = {false, true}}};
      expect(s.reduce<ends, fold::sum>(closed).get() == 640000);
      expect(s.reduce<ends, fold::sum>(open).get() == 360000 + 2222);
      expect(s.reduce<ends, fold::sum>(tube).get() == 480000 + 22);
      numbers u{closed, "u"}, v{open, "v"};
      s.execute<number>(closed, u);
      s.execute<number>(open, v);
      expect(s.reduce<add_up, fold::sum>(closed, u).get() == 0);
      expect(s.reduce<add_up, fold::sum>(open, v).get() == 0);
    });
}

TEST_CASE("an accessor that may do more becomes one that may do less") {
  CHECK(becomes<numbers::accessor<rw>, numbers::accessor<ro>>);
  CHECK(becomes<numbers::accessor<rw>, numbers::accessor<wo>>);
  CHECK(becomes<numbers::accessor<rw, ro>, numbers::accessor<ro>>);
  CHECK(becomes<numbers::accessor<rw, rw>, numbers::accessor<ro, ro>>);
  CHECK(becomes<numbers::accessor<ro, ro>, numbers::accessor<ro>>);
  CHECK_FALSE(becomes<numbers::accessor<ro>, numbers::accessor<rw>>);
  CHECK_FALSE(becomes<numbers::accessor<wo>, numbers::accessor<ro>>);
  CHECK_FALSE(becomes<numbers::accessor<rw>, numbers::accessor<ro, ro>>);
  CHECK_FALSE(becomes<numbers::accessor<rw>, field<float>::accessor<ro>>);
}
