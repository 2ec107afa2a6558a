// What a task is told in a checked build that looks where it must not. In other builds accessors check nothing, and
// cost what a pointer costs.

#include <cstdint>
#include <string>
#include <type_traits>

#include <catch2/catch.hpp>
#include <rondo/rondo.hpp>

#include "ranks.hpp"

using namespace rondo;

namespace {

using line = structured<1>;
using grid = structured<2>;
using space = structured<3>;
using numbers = field<double>;

} // namespace

TEST_CASE("accessors are as large as what they need") {
  constexpr std::size_t plain = sizeof(double*) + 2 * sizeof(std::int64_t);
  constexpr std::size_t checked = plain + sizeof(void*);
  STATIC_REQUIRE(sizeof(numbers::accessor<rw, ro>) == (detail::is_checked ? checked : plain));
  STATIC_REQUIRE(std::is_trivially_copyable_v<numbers::accessor<rw, ro>>);
}

#ifdef RONDO_CHECKS

namespace {

/// What a launch on one rank is told, which has all 2 x 2 colors of a mesh.
template<auto F, std::size_t D>
std::string told(const structured_options<D>& mesh) {
  std::string what;
  on_ranks(make_local_transports(1), 2, [&](scheduler& s) {
    structured<D> m{s, mesh};
    numbers u{m, "u"};
    numbers v{m, "v"};
    s.execute<F>(m, u, v);
    what = thrown_by([&s] { s.wait(); });
  });
  return what;
}

const structured_options<2> plain{.extents = {8, 8}, .colors = {2, 2}};
const structured_options<2> deep{.extents = {8, 8}, .colors = {2, 2}, .halo = 2};
const structured_options<2> with_corners{.extents = {8, 8}, .colors = {2, 2}, .diagonals = true};
const structured_options<2> ring{.extents = {8, 8}, .colors = {2, 2}, .periodic = {true, true}};
const structured_options<2> wider{.extents = {8, 8}, .colors = {2, 2}, .beyond = 1};
const structured_options<2> one{.extents = {8, 8}, .colors = {1, 1}};

/// Of the color at the lower end of both axes, which owns [0, 4) x [0, 4).
template<std::int64_t I, std::int64_t J>
void read_ghost(grid::view m, numbers::accessor<rw> to, numbers::accessor<ro, ro> from) {
  if(m.color() == 0)
    to(0, 0) = from(I, J);
}
template<std::int64_t I, std::int64_t J>
void read_near_ghost(grid::view m, numbers::accessor<rw> to, numbers::accessor<ro, ro, 1> from) {
  if(m.color() == 0)
    to(0, 0) = from(I, J);
}
template<std::int64_t I, std::int64_t J>
void contribute_to(grid::view m, numbers::accessor<rw, fold::sum> u) {
  if(m.color() == 0)
    u(I, J) += 1;
}
template<std::int64_t I, std::int64_t J>
void read_owned(grid::view m, numbers::accessor<rw> to, numbers::accessor<ro> from) {
  if(m.color() == 0)
    to(0, 0) = from(I, J);
}
template<std::int64_t I, std::int64_t J>
void write_at(grid::view m, numbers::accessor<rw, ro> to, numbers::accessor<ro> /*from*/) {
  if(m.color() == 0)
    to(I, J) = 1;
}
template<std::int64_t J>
void use_row(grid::view m, numbers::accessor<rw> to, numbers::accessor<ro> from) {
  if(m.color() == 0)
    to.row(1)[0] = from.row(J)[0];
}
void read_ghosts_only(grid::view m, numbers::accessor<rw> to, numbers::accessor<na, ro> from) {
  if(m.color() == 0)
    to(0, 0) = from(4, 0) + from(0, 0);
}
void forget_a_coordinate(grid::view /*m*/, numbers::accessor<rw> to, numbers::accessor<ro>) {
  to(0) = 1;
}
void forget_all(grid::view /*m*/, numbers::accessor<rw> to, numbers::accessor<ro>) { to() = 1; }
void take_one_too_many(grid::view /*m*/, numbers::accessor<rw> to, numbers::accessor<ro>) {
  to(0, 0, 0) = 1;
}
void forget_in_space(space::view /*m*/, numbers::accessor<rw> to, numbers::accessor<ro>) {
  to(0, 0) = 1;
}
void take_row_of_line(line::view /*m*/, numbers::accessor<rw> to, numbers::accessor<ro>) {
  to.row(0)[0] = 1;
}
void beyond_the_last(topo::global::view /*g*/, numbers::accessor<rw> of) {
  of(2) = of(0);
  of(3) = 1;
}
void with_and_without(topo::index::view /*c*/, numbers::accessor<rw> of) { of() = of(0); }
double first_of(const numbers::accessor<ro>& of, std::int64_t i) { return of(i, 0); }
void hand_on(grid::view m, numbers::accessor<rw, ro> to, numbers::accessor<ro>) {
  if(m.color() == 0)
    to(0, 0) = to(4, 0) + first_of(to, 4);
}
/// All that each color owns and sees.
void look_everywhere(grid::view m, numbers::accessor<rw, ro> to, numbers::accessor<ro, ro> from) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0)) {
      to(i, j) = from(i, j);
      to.row(j)[i] += from.row(j)[i];
    }
  for(const auto j : m.interior(1))
    for(const auto i : m.interior(0))
      to(i, j) += from(i - 1, j) + from(i + 1, j) + from(i, j - 1) + from.row(j + 1)[i];
}

const std::string it = "field 'u' of color 0, which owns [0, 4) x [0, 4): ";
const std::string other = "field 'v' of color 0, which owns [0, 4) x [0, 4): ";
const std::string see = " (docs/mistakes.md)";

} // namespace

TEST_CASE("a task may look at all that its color owns and sees") {
  for(const auto& mesh : {plain, deep, with_corners, ring, one})
    CHECK(told<look_everywhere>(mesh).empty());
  CHECK(told<read_ghost<4, 4>>(with_corners).empty());
  CHECK(told<read_ghost<-1, 0>>(ring).empty());
  CHECK(told<read_ghost<0, 5>>(deep).empty());
}

TEST_CASE("a task is told that a point is outside of the mesh") {
  const std::string outside =
    " is outside of the mesh, [0, 8) x [0, 8); loop over m.owned(), or over m.interior() where "
    "neighbours are used";
  CHECK(told<read_ghost<-1, 0>>(plain) == other + "point (-1, 0)" + outside + see);
  CHECK(told<read_owned<0, -1>>(plain) == other + "point (0, -1)" + outside + see);
  CHECK(told<write_at<0, 8>>(plain) == it + "point (0, 8)" + outside + see);
}

TEST_CASE("a task may look beyond the end of the mesh as far as there are points") {
  for(const auto& mesh : {wider})
    CHECK(told<look_everywhere>(mesh).empty());
  CHECK(told<read_owned<-1, 3>>(wider).empty());
  CHECK(told<write_at<-1, -1>>(wider).empty());
  CHECK(told<read_ghost<-1, 4>>(wider).empty());
  const std::string of = "field 'v' of color 0, which owns [-1, 4) x [-1, 4): ";
  CHECK(told<read_owned<-2, 0>>(wider) ==
        of +
          "point (-2, 0) is outside of the mesh, [0, 8) x [0, 8), and further than 1 point beyond "
          "its end; loop over m.owned(), or over m.interior() where neighbours are used" +
          see);
  CHECK_THAT((told<read_owned<-1, 4>>(wider)), Catch::Contains("belongs to another color"));
  CHECK_THAT((told<read_ghost<-1, 5>>(wider)), Catch::Contains("make it with .halo = 2"));
}

TEST_CASE("a task is told that it sees no ghosts") {
  CHECK(told<read_owned<4, 0>>(plain) ==
        other +
          "point (4, 0) belongs to another color, and accessor<ro> sees no ghosts; declare "
          "accessor<ro, ro>" +
          see);
  CHECK(told<read_owned<6, 0>>(plain) ==
        other +
          "point (6, 0) is not among these, and accessor<ro> sees no others; loop over "
          "m.owned(); to read neighbours declare accessor<ro, ro>" +
          see);
  CHECK(told<hand_on>(plain) == it +
                                  "point (4, 0) belongs to another color, and accessor<ro> "
                                  "sees no ghosts; declare accessor<ro, ro>" +
                                  see);
}

TEST_CASE("a task is told that it sees nothing but ghosts") {
  CHECK(told<read_ghosts_only>(plain) ==
        other +
          "point (0, 0) is its own, and accessor<na, ro> sees ghosts only; declare "
          "accessor<ro, ro>" +
          see);
}

TEST_CASE("a task is told that the halo is too thin") {
  CHECK(told<read_ghost<5, 0>>(plain) ==
        other +
          "point (5, 0) is 2 points beyond these, and the mesh has a halo of 1; make it "
          "with .halo = 2" +
          see);
  CHECK(told<read_ghost<0, 6>>(deep) ==
        other +
          "point (0, 6) is 3 points beyond these, and the mesh has a halo of 2; make it "
          "with .halo = 3" +
          see);
}

TEST_CASE("a task that looks far away is asked whether its arguments are exchanged") {
  const structured_options<2> large{.extents = {80, 80}, .colors = {2, 2}};
  const std::string far =
    "point (50, 0) is 11 points beyond these, in a mesh with the points [0, 80) x [0, 80); "
    "loop over what the view of this mesh says; are meshes or fields exchanged where the task is "
    "launched?";
  CHECK_THAT((told<read_ghost<50, 0>>(large)), Catch::Contains(far));
  CHECK_THAT((told<read_owned<50, 0>>(large)), Catch::Contains(far));
  CHECK_THAT((told<read_ghost<43, 0>>(large)), Catch::Contains("make it with .halo = 4"));
}

TEST_CASE("a task is told that the halo of a field is thinner than that of its mesh") {
  std::string what;
  on_ranks(make_local_transports(1), 2, [&](scheduler& s) {
    const grid m{s, deep};
    numbers u{m, "u"}, v{m, "v", {.halo = 1}};
    s.execute<read_ghost<4, 0>>(m, u, v);
    s.execute<read_ghost<5, 0>>(m, u, v);
    what = thrown_by([&s] { s.wait(); });
  });
  CHECK(what == other +
                  "point (5, 0) is 2 points beyond these, and this field has a halo of 1; make it "
                  "with .halo = 2" +
                  see);
}

TEST_CASE("a task is told that it looks farther than it has declared") {
  CHECK(told<read_near_ghost<5, 0>>(deep) ==
        other +
          "point (5, 0) is 2 points beyond these, and accessor<ro, ro, 1> sees ghosts no deeper "
          "than 1; declare "
          "accessor<ro, ro, 2>" +
          see);
  CHECK(told<read_near_ghost<4, 3>>(deep).empty());
}

TEST_CASE("a task that contributes may do so to ghosts, and to no others") {
  std::string what;
  on_ranks(make_local_transports(1), 2, [&](scheduler& s) {
    const grid m{s, plain};
    const numbers u{m, "u"};
    s.execute<contribute_to<4, 0>>(m, u);
    s.execute<contribute_to<4, 4>>(m, u);
    what = thrown_by([&s] { s.wait(); });
  });
  CHECK(what == it +
                  "point (4, 4) lies across a corner, and a color of this mesh sees no others "
                  "there; make it with "
                  ".diagonals = true" +
                  see);
}

TEST_CASE("a task is told that colors see nobody at corners") {
  CHECK(told<read_ghost<4, 4>>(plain) ==
        other +
          "point (4, 4) lies across a corner, and a color of this mesh sees no others "
          "there; make it with .diagonals = true" +
          see);
}

TEST_CASE("a task is told how many coordinates a point has") {
  const std::string of_a_grid = it + "its points have 2 coordinates, and it is used as in ";
  CHECK(told<forget_a_coordinate>(plain) == of_a_grid + "u(i); write u(i, j)" + see);
  CHECK(told<forget_all>(plain) == of_a_grid + "u(); write u(i, j)" + see);
  CHECK(told<take_one_too_many>(plain) == of_a_grid + "u(i, j, k); write u(i, j)" + see);
  CHECK_THAT(told<forget_in_space>(structured_options<3>{.extents = {4, 4, 4}}),
    Catch::EndsWith("used as in u(i, j); write u(i, j, k)" + see));
  CHECK_THAT(told<take_row_of_line>(structured_options<1>{.extents = {4}}),
    Catch::EndsWith("it has no rows, and is used as in u.row(j); write u(i)" + see));
}

TEST_CASE("a task is told of rows that are not there") {
  CHECK(told<use_row<3>>(plain).empty());
  CHECK(told<use_row<4>>(plain) ==
        other +
          "row (4) belongs to another color, and accessor<ro> sees no ghosts; declare "
          "accessor<ro, ro>" +
          see);
  CHECK_THAT(told<use_row<8>>(plain), Catch::Contains("row (8) is outside of the mesh"));
}

TEST_CASE("a task is told of values of colors that are not there") {
  std::string what;
  on_ranks(make_local_transports(1), 1, [&](scheduler& s) {
    topo::global g{s, {.size = 3}};
    numbers x{g, "x"};
    s.execute<beyond_the_last>(g, x);
    what = thrown_by([&s] { s.wait(); });
    topo::index parts{s, {.colors = 4}};
    numbers y{parts, "y"};
    s.execute<with_and_without>(parts, y);
    s.wait();
  });
  CHECK(what == "field 'x' of color 0, which owns [0, 3): value 3 is not there; the mesh, or "
                "topology, decides how many there are" +
                  see);
}

#endif
