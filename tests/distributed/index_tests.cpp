// Values of each color, and values that every rank has.

#include <cstdint>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/rondo.hpp>

#include "ranks.hpp"

using namespace rondo;

namespace {

using line = structured<1>;
using grid = structured<2>;
using numbers = field<double>;
using counts = field<std::int64_t>;

void square(topo::index::view c, counts::accessor<wo> x) {
  x() = static_cast<std::int64_t>(c.color() * c.color());
}
void add(counts::accessor<rw> x, std::int64_t y) { x(0) += y; }
std::int64_t value(counts::accessor<ro> x) { return x(); }
std::int64_t different(topo::index::view c, counts::accessor<ro> x) {
  return x() != static_cast<std::int64_t>(c.color() * c.color()) ||
         c.colors() != static_cast<color_id>(7);
}

void fill(grid::view m, numbers::accessor<wo> u) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      u(i, j) = static_cast<double>((5 * i + 11 * j) % 37);
}
/// Leaves a color's sum with the color.
void sum_up(grid::view m, numbers::accessor<ro> u, numbers::accessor<wo> part) {
  double all = 0;
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      all += u(i, j);
  part() = all;
}
/// Sees the mesh, the index and its value at once.
double check_part(
  grid::view m, topo::index::view c, numbers::accessor<ro> u, numbers::accessor<ro> part) {
  double all = 0;
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      all += u(i, j);
  return all == part() && m.color() == c.color() && m.colors() == c.colors() ? 0 : 1;
}
double of_part(numbers::accessor<ro> part) { return part(); }
double sum(grid::view m, numbers::accessor<ro> u) {
  double all = 0;
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      all += u(i, j);
  return all;
}
/// Index first: its colors are those of the mesh, whose ghosts are fetched all the same.
void add_neighbours(
  topo::index::view, numbers::accessor<wo> part, grid::view m, numbers::accessor<ro, ro> u) {
  part() = 0;
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      part() += u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1);
}

// ---- global ----------------------------------------------------------------------------------

void set(numbers::accessor<wo> x, double to) { x() = to; }
void times(numbers::accessor<rw> x, numbers::accessor<ro> by) { x() *= by(); }
void scale(grid::view m, numbers::accessor<rw> u, numbers::accessor<ro> by) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      u(i, j) *= by();
}
/// The field of the mesh comes last, and there is no view.
void note_global(numbers::accessor<ro> by, numbers::accessor<wo> part) { part() = by(); }
void table(topo::global::view g, numbers::accessor<wo> x) {
  for(std::int64_t i = 0; i != g.size(); ++i)
    x(i) = static_cast<double>(i * i);
}
double last_of(topo::global::view g, numbers::accessor<ro> x) { return x(g.size() - 1); }
void write_both(grid::view, numbers::accessor<rw>, numbers::accessor<rw> x) { x() = 1; }
void two_meshes(grid::view, line::view) {}
void read_ghosts_and_write(grid::view, numbers::accessor<ro, ro>, numbers::accessor<wo> x) {
  x() = 1;
}

/// A value on all ranks, looked at after the program.
template<class T>
struct on_all {
  explicit on_all(unsigned ranks) : values(ranks) {}
  std::vector<T> values;
  [[nodiscard]] bool are(const T& x) const {
    for(const T& v : values)
      if(!(v == x))
        return false;
    return true;
  }
};

} // namespace

TEST_CASE("an index has a value for each color, on any number of ranks") {
  for(const unsigned ranks : {1U, 2U, 3U, 5U, 7U})
    for(const unsigned workers : {1U, 2U}) {
      CAPTURE(ranks, workers);
      on_all<std::int64_t> total(ranks), wrong(ranks);
      on_ranks(make_local_transports(ranks), workers, [&](scheduler& s) {
        topo::index ix{s, {.colors = 7}};
        counts x{ix, "x"};
        s.execute<square>(ix, x);
        wrong.values[s.rank()] = s.reduce<different, fold::sum>(ix, x).get();
        for(int k = 0; k != 20; ++k)
          s.execute<add>(x, 1);
        total.values[s.rank()] = s.reduce<value, fold::sum>(x).get();
      });
      CHECK(wrong.are(0));
      CHECK(total.are(91 + 7 * 20));
    }
}

TEST_CASE("an index may have fewer colors than there are ranks") {
  for(const unsigned ranks : {2U, 4U, 5U})
    for(std::uint64_t colors = 1; colors != ranks; ++colors) {
      CAPTURE(ranks, colors);
      on_all<std::int64_t> total(ranks);
      on_ranks(make_local_transports(ranks), 1, [&](scheduler& s) {
        topo::index ix{s, {.colors = colors}};
        counts x{ix, "x"};
        trace t;
        for(int k = 0; k != 12; ++k) {
          const auto guard = t.make_guard();
          s.execute<add>(x, k);
          total.values[s.rank()] += s.reduce<value, fold::sum>(x).get();
        }
      });
      std::int64_t expected = 0;
      for(int k = 0, x = 0; k != 12; ++k)
        expected += static_cast<std::int64_t>(colors) * (x += k);
      CHECK(total.are(expected));
    }
}

TEST_CASE("an index without colors is refused") {
  on_ranks(make_local_transports(1), 1, [](scheduler& s) {
    CHECK_THROWS_WITH(
      (topo::index{s, {}}), Catch::Contains("no colors") && Catch::Contains("{.colors = n}"));
  });
}

TEST_CASE("a task over a mesh leaves a value with each color") {
  for(const unsigned ranks : {1U, 2U, 3U})
    for(const unsigned workers : {1U, 2U}) {
      CAPTURE(ranks, workers);
      on_all<double> wrong(ranks), by_parts(ranks), at_once(ranks), around(ranks);
      on_ranks(make_local_transports(ranks), workers, [&](scheduler& s) {
        grid m{s, {.extents = {20, 17}, .colors = {3, 2}, .periodic = {true, true}}};
        topo::index per_color{m};
        numbers u{m, "u"};
        numbers part{per_color, "part"};
        s.execute<fill>(m, u);
        s.execute<sum_up>(m, u, part);
        wrong.values[s.rank()] = s.reduce<check_part, fold::sum>(m, per_color, u, part).get();
        by_parts.values[s.rank()] = s.reduce<of_part, fold::sum>(part).get();
        at_once.values[s.rank()] = s.reduce<sum, fold::sum>(m, u).get();
        s.execute<add_neighbours>(per_color, part, m, u);
        around.values[s.rank()] = s.reduce<of_part, fold::sum>(part).get();
      });
      CHECK(wrong.are(0));
      CHECK(at_once.are(at_once.values[0]));
      CHECK(at_once.values[0] > 0);
      CHECK(by_parts.are(at_once.values[0]));
      CHECK(around.are(4 * at_once.values[0]));
    }
}

TEST_CASE("an index of as many colors as a mesh is still another topology") {
  on_ranks(make_local_transports(1), 1, [](scheduler& s) {
    grid m{s, {.extents = {8, 8}, .colors = {2, 2}}};
    line n{s, {.extents = {8}, .colors = {4}}};
    topo::index ix{s, {.colors = 4}};
    numbers u{m, "u"}, part{ix, "part"};
    CHECK_THROWS_WITH(s.execute<sum_up>(m, u, part),
      Catch::Contains("'part' belongs to another topology") &&
        Catch::Contains("index_tests.cpp:") && Catch::Contains("sum_up"));
    CHECK_THROWS_WITH(s.execute<two_meshes>(m, n),
      Catch::Contains("index of it") && Catch::Contains("index_tests.cpp:"));
  });
}

TEST_CASE("an index of a mesh may outlive the mesh") {
  on_ranks(make_local_transports(2), 1, [](scheduler& s) {
    auto m = std::make_unique<grid>(s, structured_options<2>{.extents = {8, 8}, .colors = {2, 2}});
    topo::index ix{*m};
    m.reset();
    grid other{s, {.extents = {8, 8}, .colors = {2, 2}}};
    numbers u{other, "u"}, part{ix, "part"};
    expect(thrown_by([&] {
      s.execute<sum_up>(other, u, part);
    }).find("belongs to another topology") != std::string::npos);
    s.execute<set>(part, 3.0);
    expect(s.reduce<of_part, fold::sum>(part).get() == 12);
  });
}

TEST_CASE("a global field is the same for all colors, and written on every rank") {
  for(const unsigned ranks : {1U, 2U, 4U})
    for(const unsigned workers : {1U, 3U}) {
      CAPTURE(ranks, workers);
      on_all<double> by_mesh(ranks), by_color(ranks), itself(ranks);
      on_ranks(make_local_transports(ranks), workers, [&](scheduler& s) {
        grid m{s, {.extents = {9, 9}, .colors = {3, 3}}};
        topo::global g{s};
        topo::index per_color{m};
        numbers u{m, "u"}, part{per_color, "part"};
        numbers by{g, "by"}, two{g, "two"};
        s.execute<fill>(m, u);
        s.execute<set>(by, 0.5);
        s.execute<set>(two, 2.0);
        for(int k = 0; k != 40; ++k) { // found and replayed on the way
          s.execute<scale>(m, u, by);
          s.execute<times>(by, two); // 1
          s.execute<times>(by, two); // 2
          s.execute<scale>(m, u, by);
          s.execute<set>(by, 0.5);
        }
        s.execute<set>(by, 7.0);
        s.execute<note_global>(by, part);
        by_mesh.values[s.rank()] = s.reduce<sum, fold::sum>(m, u).get();
        by_color.values[s.rank()] = s.reduce<of_part, fold::sum>(part).get();
        itself.values[s.rank()] = s.reduce<of_part, fold::sum>(by).get();
      });
      double all = 0;
      for(int j = 0; j != 9; ++j)
        for(int i = 0; i != 9; ++i)
          all += (5 * i + 11 * j) % 37;
      CHECK(by_mesh.are(all));
      CHECK(by_color.are(9 * 7));
      CHECK(itself.are(7));
    }
}

TEST_CASE("a global field takes what a reduction gives, in a loop that ends by itself") {
  for(const unsigned ranks : {1U, 3U}) {
    on_all<double> factor(ranks);
    on_all<std::uint64_t> passes(ranks);
    on_ranks(make_local_transports(ranks), 2, [&](scheduler& s) {
      line m{s, {.extents = {12}, .colors = {4}}};
      topo::index per_color{m};
      topo::global g{s};
      numbers part{per_color, "part"}, by{g, "by"};
      s.execute<set>(by, 1.0);
      const auto n = s.iterate({.max = 100}, [&] {
        s.execute<note_global>(by, part);
        const future<double> all = s.reduce<of_part, fold::sum>(part);
        s.execute<set>(by, all);
        return all.then([](double x) { return x > 1000; });
      });
      passes.values[s.rank()] = n.get();
      factor.values[s.rank()] = s.reduce<of_part, fold::sum>(by).get();
    });
    CHECK(passes.are(5));
    CHECK(factor.are(1024));
  }
}

TEST_CASE("a global field may have many values") {
  on_ranks(make_local_transports(2), 1, [](scheduler& s) {
    topo::global g{s, {.size = 100}};
    numbers x{g, "x"};
    s.execute<table>(g, x);
    expect(s.reduce<last_of, fold::max>(g, x).get() == 99 * 99);
    expect(
      thrown_by([&] { topo::global(s, {.size = 0}); }).find("a size of 0") != std::string::npos);
  });
}

TEST_CASE(
  "writing a global field for each color of a mesh is refused before anything is launched") {
  on_ranks(make_local_transports(1), 1, [](scheduler& s) {
    grid m{s, {.extents = {8, 8}, .colors = {2, 2}}};
    topo::global g{s};
    numbers u{m, "u"}, x{g, "the factor"};
    s.execute<fill>(m, u); // its ghosts are stale
    const auto before = s.launches().launched();
    CHECK_THROWS_WITH(s.execute<write_both>(m, u, x),
      Catch::Contains("writes the global field 'the factor'") && Catch::Contains("write_both") &&
        Catch::Contains("index_tests.cpp:"));
    CHECK_THROWS_WITH(s.execute<read_ghosts_and_write>(m, u, x), Catch::Contains("'the factor'"));
    CHECK(s.launches().launched() == before);
    s.execute<set>(x, 2.0);
    s.execute<scale>(m, u, x);
  });
}
