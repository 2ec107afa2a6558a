// The value of one color, or at one point, on all ranks.

#include <cstdint>
#include <string>

#include <catch2/catch.hpp>
#include <rondo/rondo.hpp>

#include "ranks.hpp"

using namespace rondo;

namespace {

using grid = structured<2>;

namespace task {
void number(topo::index::view c, field<std::int64_t>::accessor<wo> x) {
  x() = 100 + static_cast<std::int64_t>(c.color());
}
void count_up(topo::index::view, field<std::int64_t>::accessor<rw> x, std::int64_t by) {
  x() += by;
}
fold::located<std::int64_t> greatest(topo::index::view c, field<std::int64_t>::accessor<ro> x) {
  return {(x() * 7) % 13, static_cast<std::int64_t>(c.color())};
}
void fill(grid::view m, field<double>::accessor<wo> u) {
  for(const auto j : m.all(1))
    for(const auto i : m.all(0))
      u(i, j) = static_cast<double>(1000 * i + j);
}
} // namespace task

} // namespace

TEST_CASE("all ranks get the value of one color") {
  for(const unsigned ranks : {1U, 2U, 3U, 5U})
    on_ranks(make_local_transports(ranks), 1, [](scheduler& s) {
      const topo::index colors{s, {.colors = 11}};
      const field<std::int64_t> x{colors, "x"};
      s.execute<task::number>(colors, x);
      for(color_id c = 0; c != 11; ++c)
        expect(s.from(c, x).get() == 100 + static_cast<std::int64_t>(c));
      const auto best = s.reduce<task::greatest, fold::maxloc>(colors, x);
      const auto which = best.then([](const auto& b) { return static_cast<color_id>(b.where); });
      expect((s.from(which, x).get() * 7) % 13 == best.get().value);
    });
}

TEST_CASE("all ranks get the value at a point, and beyond an end") {
  for(const unsigned ranks : {1U, 2U, 4U})
    on_ranks(make_local_transports(ranks), 2, [](scheduler& s) {
      const grid m{s, {.extents = {9, 7}, .colors = {2, 3}, .beyond = 1}};
      const field<double> u{m, "u"};
      s.execute<task::fill>(m, u);
      for(const point<2>& p : {point<2>{0, 0}, {8, 6}, {4, 3}, {-1, 3}, {9, 7}})
        expect(s.from(p, u).get() == static_cast<double>(1000 * p[0] + p[1]));
      const int i = 3;
      expect(s.from({i, -1}, u).get() == 2999);
    });
}

TEST_CASE("the value of a color may end a loop, and comes in the pass in which it was launched") {
  for(const unsigned ranks : {1U, 2U, 4U})
    on_ranks(make_local_transports(ranks), 2, [](scheduler& s) {
      const topo::index colors{s, {.colors = 4}};
      const field<std::int64_t> x{colors, "x"};
      s.execute<task::number>(colors, x);
      const auto passes = s.iterate({.max = 1000}, [&] {
        s.execute<task::count_up>(colors, x, std::int64_t{3});
        return s.from(2, x).then([](std::int64_t v) { return v >= 102 + 30; });
      });
      expect(passes.get() == 10);
      expect(s.from(3, x).get() == 103 + 30);
    });
}

TEST_CASE("what has no such value is told") {
  on_ranks(make_local_transports(1), 1, [](scheduler& s) {
    const topo::index colors{s, {.colors = 4}};
    const topo::global everywhere{s};
    const grid m{s, {.extents = {9, 7}}};
    const field<double> x{colors, "x"}, g{everywhere, "g"}, u{m, "u"};
    expect(thrown_by([&] { static_cast<void>(s.from(4, x)); })
             .ends_with("rondo::scheduler::from: the field 'x' has values of colors 0 to 3, and "
                        "not of the one asked for"));
    const auto late = s.from(make_ready<color_id>(17), x);
    expect(
      thrown_by([&] { static_cast<void>(late.get()); }).ends_with("and not of the one asked for"));
    expect(thrown_by([&] {
      static_cast<void>(s.from(0, g));
    }).ends_with("'g' is global: every rank has its values, and tasks read them"));
    expect(thrown_by([&] { static_cast<void>(s.from(0, u)); })
             .ends_with("'u' has more than a value for each color: s.from(point<2>{i, j}, u), or "
                        "make a field over topo::index"));
    expect(thrown_by([&] {
      static_cast<void>(s.from(point<2>{9, 0}, u));
    }).ends_with("'u' has no point (9, 0); coordinates are those of the whole mesh"));
    expect(thrown_by([&] {
      static_cast<void>(s.from(point<1>{0}, u));
    }).ends_with("'u' is no field of a structured mesh of 1 dimensions"));
  });
}
