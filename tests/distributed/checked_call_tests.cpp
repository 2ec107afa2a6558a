// What a task is told in a checked build that has not done what it has declared.

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>

#include <catch2/catch.hpp>
#include <rondo/rondo.hpp>

#include "ranks.hpp"

using namespace rondo;

TEST_CASE("a build is checked, or not, as it was configured") {
#ifdef RONDO_CHECKS
  CHECK(detail::is_checked);
#else
  CHECK_FALSE(detail::is_checked);
#endif
}

#ifdef RONDO_CHECKS

namespace {

using grid = structured<2>;
using numbers = field<double>;

const structured_options<2> four{.extents = {8, 8}, .colors = {2, 2}};
const structured_options<2> with_corners{.extents = {8, 8}, .colors = {2, 2}, .diagonals = true};
const structured_options<2> wider{.extents = {8, 8}, .colors = {2, 2}, .beyond = 1};
const structured_options<2> ring{.extents = {8, 8}, .colors = {1, 1}, .periodic = {true, true}};

template<auto F, class T = double>
std::string told(const structured_options<2>& mesh = four, unsigned workers = 2) {
  std::string what;
  on_ranks(make_local_transports(1), workers, [&](scheduler& s) {
    grid m{s, mesh};
    field<T> u{m, "u"};
    for(int i = 0; i != 3; ++i)
      s.execute<F>(m, u);
    what = thrown_by([&s] { s.wait(); });
  });
  return what;
}

template<class T>
void write_all(grid::view m, typename field<T>::template accessor<wo> u) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      u(i, j) = T{};
}
template<class T>
void leave_the_rim(grid::view m, typename field<T>::template accessor<wo> u) {
  for(const auto j : m.interior(1))
    for(const auto i : m.interior(0))
      u(i, j) = T{};
}
template<class T>
void write_rows(grid::view m, typename field<T>::template accessor<wo> u) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      u.row(j)[i] = T{};
}
/// But for the last one.
template<class T>
void write_some_rows(grid::view m, typename field<T>::template accessor<wo> u) {
  for(const auto j : m.owned(1))
    if(j + 1 != m.owned(1).last())
      for(const auto i : m.owned(0))
        u.row(j)[i] = T{};
}
/// Other points of the row are never asked for.
template<class T>
void write_behind_pointers(grid::view m, typename field<T>::template accessor<wo> u) {
  for(const auto j : m.owned(1))
    std::fill_n(&u(m.owned(0).first(), j), m.owned(0).size(), T{});
}
void fail_in_the_middle(grid::view m, numbers::accessor<wo> u) {
  u(m.owned(0).first(), m.owned(1).first()) = 1;
  throw std::runtime_error("no luck");
}
void leave_one_value(topo::index::view c, field<std::array<int, 3>>::accessor<wo> x) {
  if(c.color() != 2)
    x() = {1, 2, 3};
}

void write_a_ghost(grid::view m, numbers::accessor<rw, ro> u) {
  if(m.color() == 0)
    u(4, 2) += 1;
}
void write_own(grid::view m, numbers::accessor<rw, ro> u) {
  for(const auto j : m.interior(1))
    for(const auto i : m.interior(0))
      u(i, j) = 1 + u(i + 1, j);
}

void red(grid::view m, numbers::accessor<rw, still> u) {
  for(const auto j : m.interior(1))
    for(const auto i : m.red(j))
      u(i, j) = 1 + u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1);
}
/// The whole column is read, and every second point of it has changed.
void careless_red(grid::view m, numbers::accessor<rw, still> u) {
  for(const auto j : m.interior(1))
    for(const auto i : m.red(j))
      u(i, j) += 1 + u(i, j) + u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1);
  if(m.color() == 0)
    for(const auto j : m.owned(1))
      u(0, j) += u(4, j);
}
void turn(grid::view m, numbers::accessor<rw, still> u) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      u(i, j) += 1 + u(i - 1, j);
}

void multiply(grid::view m, numbers::accessor<rw> u, const double* by) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      u(i, j) *= *by;
}
void add(grid::view m, numbers::accessor<rw> u, double* what) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      u(i, j) += *what;
}
[[gnu::noinline, maybe_unused]] void launch_with_own(scheduler& s, const grid& m, numbers& u) {
  double own = 2;
  s.execute<add>(m, u, &own);
  asm volatile("" : : "g"(&own) : "memory");
}
void count(grid::view /*m*/, numbers::accessor<ro> /*u*/, std::atomic<int>* counter) { ++*counter; }

} // namespace

TEST_CASE("a task is told which points it has not written") {
  const std::string it =
    "field 'u' of color 0, which owns [0, 4) x [0, 4): point (0, 0) was not "
    "written, though accessor<wo> promises that all are; write all, or declare "
    "accessor<rw> (docs/mistakes.md)";
  CHECK(told<leave_the_rim<double>>(four, 1) == it);
  CHECK_THAT((told<leave_the_rim<float>, float>()), Catch::Contains("was not written"));
  CHECK_THAT(
    (told<leave_the_rim<std::int32_t>, std::int32_t>()), Catch::Contains("was not written"));
  using three = std::array<float, 3>;
  CHECK_THAT((told<leave_the_rim<three>, three>()), Catch::Contains("was not written"));
}

TEST_CASE("a task that writes all has nothing to be told") {
  for(const auto& mesh : {four, with_corners, ring, wider}) // beyond the ends nothing has to be
    CHECK(told<write_all<double>>(mesh).empty());
  CHECK((told<write_all<std::int32_t>, std::int32_t>().empty()));
  for(const auto& mesh : {four, with_corners, ring, wider}) {
    CHECK((told<write_all<bool>, bool>(mesh).empty()));
    CHECK((told<write_rows<std::int16_t>, std::int16_t>(mesh).empty()));
    CHECK((told<write_behind_pointers<char>, char>(mesh).empty()));
  }
}

TEST_CASE("a task is told which small values it has not asked for") {
  const std::string it =
    "field 'u' of color 0, which owns [0, 4) x [0, 4): point (0, 0) was not written, though "
    "accessor<wo> promises that all are; write all, or declare accessor<rw> (docs/mistakes.md)";
  CHECK(told<leave_the_rim<bool>, bool>(four, 1) == it);
  CHECK_THAT(
    (told<leave_the_rim<std::int16_t>, std::int16_t>()), Catch::Contains("was not written"));
  using three = std::array<char, 3>;
  CHECK_THAT((told<leave_the_rim<three>, three>()), Catch::Contains("was not written"));
  CHECK_THAT((told<write_some_rows<bool>, bool>(four, 1)),
    Catch::StartsWith("field 'u' of color 0, which owns [0, 4) x [0, 4): point (0, 3) was not"));
}

TEST_CASE("a task that fails is not told what it has left out, too") {
  CHECK(told<fail_in_the_middle>() == "no luck");
}

TEST_CASE("a task is told which value of a color it has not written") {
  std::string what;
  on_ranks(make_local_transports(1), 1, [&](scheduler& s) {
    topo::index parts{s, {.colors = 4}};
    field<std::array<int, 3>> x{parts, "x"};
    s.execute<leave_one_value>(parts, x);
    what = thrown_by([&s] { s.wait(); });
  });
  CHECK_THAT(
    what, Catch::StartsWith("field 'x' of color 2, which owns [0, 1): value 0 was not written"));
}

TEST_CASE("a task is told that it has written ghosts") {
  CHECK(
    told<write_a_ghost>() ==
    "field 'u' of color 0, which owns [0, 4) x [0, 4): point (4, 2) was written, but belongs to "
    "another color, which doesn't get that; accessor<rw, ro> only reads ghosts; write to m.owned() "
    "only: each color computes its own points (docs/mistakes.md)");
  for(const auto& mesh : {four, with_corners, ring})
    CHECK(told<write_own>(mesh).empty());
}

TEST_CASE("a task is told that ghosts are not still") {
  for(const unsigned workers : {1U, 2U, 3U}) {
    const std::string what = told<careless_red>(four, workers);
    CHECK_THAT(
      what, Catch::StartsWith("field 'u' of color 0, which owns [0, 4) x [0, 4): point (4, "));
    CHECK_THAT(
      what, Catch::Contains("in the same launch, though `still` promises that nobody does; "
                            "declare accessor<rw, ro>"));
    CHECK(told<red>(four, workers).empty());
    CHECK(told<red>(with_corners, workers).empty());
  }
  CHECK_THAT(
    told<turn>(ring), Catch::Contains("point (-1, 0) was looked at, and color 0, whose it is"));
}

TEST_CASE("a task is told that a variable of the launching code has changed before it has run") {
  static double elsewhere = 0;
  std::string what;
  on_ranks(make_local_transports(1), 1, [&](scheduler& s) {
    grid m{s, four};
    numbers u{m, "u"};
    s.execute<write_all<double>>(m, u);
    const double constant = 2;
    double variable = 3;
    elsewhere = 2;
    std::atomic<int> counter{0};
    s.execute<multiply>(m, u, &constant);
    s.execute<multiply>(m, u, &variable);
    s.execute<multiply>(m, u, &elsewhere);
    s.execute<count>(m, u, &counter);
    s.wait();
    expect(counter == 4);
    s.execute<multiply>(m, u, &elsewhere);
    elsewhere = 3; // nobody can know how long it may be read
    s.wait();
    s.execute<multiply>(m, u, &variable);
    variable = 1e9;
    what = thrown_by([&s] { s.wait(); });
  });
  CHECK_THAT(what,
    Catch::StartsWith("parameter 3 points to a variable of the code that has launched the task"));
}

#ifndef RONDO_SANITIZED // the address sanitizer keeps variables elsewhere, and says so itself
TEST_CASE("a task is told that a function has returned whose variable it was handed") {
  std::string what;
  on_ranks(make_local_transports(1), 1, [&](scheduler& s) {
    grid m{s, four};
    numbers u{m, "u"};
    s.execute<write_all<double>>(m, u);
    double here = 1;
    s.execute<add>(m, u, &here);
    s.wait();
    launch_with_own(s, m, u);
    try {
      s.wait();
    }
    catch(const std::logic_error& e) {
      what = e.what();
    }
  });
  CHECK_THAT(what, Catch::StartsWith("a value that it is launched with points to a variable of a "
                                     "function that has returned"));
}
#endif

#endif
