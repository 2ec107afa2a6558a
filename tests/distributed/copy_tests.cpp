// Copies from one structured mesh to another: plans of all ranks in one process, and programs.

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "meshes.hpp"
#include "ranks.hpp"

#include <catch2/catch.hpp>
#include <rondo/distributed/copy_plan.hpp>
#include <rondo/rondo.hpp>

using namespace rondo;
using meshes::draw;

namespace {

/// Where a value comes from: the color and the point there.
template<std::size_t D>
using origin = std::pair<color_id, point<D>>;

template<std::size_t D, class F>
void for_each_point(const detail::selection& s, const F& f) {
  const box<3> all = s.bounds();
  all.for_each_row([&](point<3> p, std::int64_t length) {
    for(const std::int64_t end = p[0] + length; p[0] != end; ++p[0]) {
      point<D> q;
      std::copy_n(p.begin(), D, q.begin());
      f(q);
    }
  });
}

template<std::size_t D>
structured_coloring<D> random_mesh(std::uint64_t seed) {
  structured_coloring<D> mesh(meshes::random_shape<D>(seed));
  point<D> two;
  for(std::size_t a = 0; a != D; ++a)
    two[a] = mesh.shape().extents[a] % 2 == 0 ? 2 : 1;
  return seed % 3 == 0 && *std::max_element(two.begin(), two.end()) == 2 ? mesh.coarsened(two)
                                                                         : mesh;
}

template<std::size_t D>
void check(std::uint64_t seed) {
  CAPTURE(D, seed);
  const structured_coloring<D> from = random_mesh<D>(2 * seed);
  const structured_coloring<D> to = random_mesh<D>(2 * seed + 1);
  const unsigned ranks = meshes::random_ranks(seed, std::min(from.colors(), to.colors()));
  detail::copied_points<D> what{from.mesh(), {}};
  for(std::size_t a = 0; a != D && seed % 4 != 0; ++a) {
    what.points.lo[a] = draw(seed, 50 + a, -3, from.shape().extents[a]);
    what.points.hi[a] = what.points.lo[a] + draw(seed, 60 + a, 0, from.shape().extents[a]);
    what.shift[a] = draw(seed, 70 + a, -5, 5);
  }
  const distribution from_ranks = from.over(ranks);
  const distribution to_ranks = to.over(ranks);
  std::map<origin<D>, std::vector<origin<D>>> got; // by which points of which colors
  std::map<std::pair<unsigned, unsigned>, std::vector<origin<D>>> messages;
  std::vector<exchange_plan> plans;
  for(unsigned r = 0; r != ranks; ++r) {
    const detail::partition from_cut(from_ranks, r);
    const detail::partition to_cut(to_ranks, r);
    plans.push_back(plan_copy<D>({from, from_cut}, {to, to_cut}, what));
    const exchange_plan& plan = plans.back();
    for(const auto& m : plan.outgoing) {
      auto& values = messages[{r, m.peer}];
      REQUIRE(values.empty());
      for(const auto& p : m.parts) {
        REQUIRE(p.offset == static_cast<std::int64_t>(values.size()));
        const color_id color = from_cut.mine()[p.color];
        for_each_point<D>(p.elements, [&](const point<D>& q) { values.emplace_back(color, q); });
      }
      REQUIRE(m.size == static_cast<std::int64_t>(values.size()));
      REQUIRE(m.size != 0);
    }
    for(const auto& c : plan.copies) {
      std::vector<origin<D>> values;
      for_each_point<D>(
        c.from, [&](const point<D>& q) { values.emplace_back(from_cut.mine()[c.source], q); });
      auto next = values.begin();
      for_each_point<D>(c.to, [&](const point<D>& q) {
        REQUIRE(next != values.end());
        got[{plan.number_of(c.destination), q}].push_back(*next++);
      });
      REQUIRE(next == values.end());
    }
  }
  for(const exchange_plan& plan : plans)
    for(const auto& m : plan.incoming) {
      const auto found = messages.find({m.peer, plan.rank});
      REQUIRE(found != messages.end());
      auto next = found->second.begin();
      for(const auto& p : m.parts)
        for_each_point<D>(p.elements, [&](const point<D>& q) {
          REQUIRE(next != found->second.end());
          got[{plan.number_of(p.color), q}].push_back(*next++);
        });
      REQUIRE(next == found->second.end());
      messages.erase(found);
    }
  REQUIRE(messages.empty());
  std::size_t wrong = 0;
  std::size_t points = 0;
  for(color_id c = 0; c != to.colors(); ++c)
    for_each_point<D>(detail::selection::of(to.owned(c)), [&](const point<D>& q) {
      point<D> p = q;
      for(std::size_t a = 0; a != D; ++a)
        p[a] -= what.shift[a];
      if(!what.points.contains(p) || !from.mesh().contains(p))
        return;
      ++points;
      const auto found = got.find({c, q});
      wrong += found == got.end() || found->second.size() != 1 || found->second[0].second != p ||
               found->second[0].first != from.owner_of(p);
    });
  REQUIRE(wrong == 0);
  REQUIRE(got.size() == points);
}

using grid = structured<2>;
using numbers = field<double>;

namespace task {
void fill(grid::view m, numbers::accessor<wo> u, double start) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      u(i, j) = start + static_cast<double>(100 * i + j);
}
void add(grid::view m, numbers::accessor<rw> u, double what) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      u(i, j) += what;
}
/// Reads neighbours in place where it can.
void sum_up(grid::view m, numbers::accessor<rw> to, numbers::accessor<ro, ro> u) {
  for(const auto j : m.interior(1))
    for(const auto i : m.interior(0))
      to(i, j) += u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1);
}
/// How many are not as expected: `start` and coordinates inside the box, `rest` elsewhere.
double wrong(grid::view m, numbers::accessor<ro> u, double start, double rest, box<2> inside) {
  double sum = 0;
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0)) {
      const double x =
        inside.contains(point<2>{i, j}) ? start + static_cast<double>(100 * i + j) : rest;
      sum += u(i, j) != x ? 1 : 0;
    }
  return sum;
}
double sum(grid::view m, numbers::accessor<ro> u) {
  double all = 0;
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      all += u(i, j);
  return all;
}
} // namespace task

} // namespace

TEST_CASE("every point that both meshes have is copied once, from the color that has it") {
  for(std::uint64_t seed = 0; seed != 1000; ++seed) {
    check<1>(seed);
    check<2>(seed);
  }
  for(std::uint64_t seed = 0; seed != 300; ++seed)
    check<3>(seed);
}

TEST_CASE("fields are copied between meshes of other extents and other colors") {
  for(const unsigned ranks : {1U, 2U, 3U, 5U})
    on_ranks(make_local_transports(ranks), 2, [](scheduler& s) {
      const grid m(s, {.extents = {40, 30}, .colors = {5, 3}});
      const grid other(s, {.extents = {33, 50}, .colors = {1, 7}});
      const grid coarse = m.coarsened(4); // 10 x 8
      numbers u(m, "u"), v(other, "v"), w(coarse, "w");
      const auto is = [&](
                        const grid& of, const numbers& f, double start, double rest, box<2> where) {
        expect(s.reduce<task::wrong, fold::sum>(of, f, start, rest, where).get() == 0);
      };
      s.execute<task::fill>(m, u, 7.0);
      s.copy(u, v);
      s.execute<task::add>(m, u, 1e6); // afterwards
      is(other, v, 7, 0, {{0, 0}, {33, 30}});
      s.execute<task::fill>(other, v, 5.0);
      s.copy(v, u, box<2>{{10, 10}, {20, 12}}, {-8, 3});
      s.copy(u, w, box<2>{{2, 13}, {12, 15}}, {0, -13}); // of v(10, 10) on
      is(coarse, w, 5 + 808 + 2, 0, {{2, 0}, {10, 2}});
      const numbers x(other, "x");
      s.copy(w, x, box<2>{{2, 0}, {10, 2}}, {20, 40});
      is(other, x, 815 - 2040, 0, {{22, 40}, {30, 42}});
    });
}

TEST_CASE("copies in loops see each pass's values, and are read by those behind them") {
  for(const unsigned ranks : {1U, 3U})
    on_ranks(make_local_transports(ranks), 2, [](scheduler& s) {
      const grid m(s, {.extents = {24, 24}, .colors = {4, 4}});
      const grid one(s, {.extents = {24, 24}, .colors = {1, 8}});
      numbers u(m, "u"), v(one, "v"), sums(one, "sums");
      const auto pass = [&] {
        s.execute<task::add>(m, u, 1.0);
        s.copy(u, v);
        s.execute<task::sum_up>(one, sums, v);
        s.execute<task::add>(one, v, 1.0);
        s.copy(v, u);
      };
      double x = 0;
      double all = 0;
      const auto expected = [&](int passes) {
        for(int k = 0; k != passes; ++k) {
          all += 22 * 22 * 4 * (x + 1);
          x += 2;
        }
        expect(s.reduce<task::sum, fold::sum>(one, sums).get() == all);
        expect(s.reduce<task::sum, fold::sum>(m, u).get() == 24 * 24 * x);
      };
      for(int k = 0; k != 10; ++k)
        pass();
      expected(10);
      s.repeat(7, pass);
      expected(7);
      numbers late(m, "late"); // copied for the first time in a pass that is not the first
      const future<std::uint64_t> passes = s.iterate({.max = 50}, [&](std::uint64_t k) {
        pass();
        if(k > 2)
          s.copy(v, late, box<2>{{0, 0}, {24, 24}});
        if(k > 30)
          s.copy(late, v);
        return s.reduce<task::sum, fold::sum>(m, u).then(
          [limit = 24 * 24 * (x + 19)](double now) { return now > limit; });
      });
      expect(passes.get() == 10);
      expected(10);
      expect(s.reduce<task::sum, fold::sum>(m, late).get() == 24 * 24 * x);
    });
}

TEST_CASE("what can't be copied is refused in a sentence") {
  on_ranks(make_local_transports(1), 1, [](scheduler& s) {
    const grid m(s, {.extents = {8, 8}});
    const structured<1> line(s, {.extents = {8}});
    const topo::index colors(m);
    const numbers u(m, "u"), v(line, "v"), w(colors, "w"), x(m, "x");
    const auto says = [](const std::string& what, const char* part) {
      return what.find(part) != what.npos && what.find("copy_tests.cpp:") != what.npos;
    };
    expect(says(thrown_by([&] { s.copy(u, u); }), "the field 'u' is copied to itself"));
    expect(says(thrown_by([&] { s.copy(u, v); }), "of as many dimensions"));
    expect(
      says(thrown_by([&] { s.copy(w, u); }), "the field 'w' can't be copied to the field 'u'"));
    expect(says(thrown_by([&] { s.copy(u, x, box<1>{{0}, {1}}); }), "as has the box of points"));
    expect(says(thrown_by([&] {
      s.copy(u, x, box<2>{{100, 100}, {200, 200}});
    }),
      "is in the meshes of both the field 'u' and the field 'x'"));
    expect(says(thrown_by([&] {
      s.copy(u, x, box<2>{{0, 0}, {8, 8}}, {8, 0});
    }),
      "shifted or not"));
    s.copy(u, x, box<2>{{3, 3}, {3, 8}}); // an empty box is no mistake
  });
}
