// Tasks that contribute to what neighbours own.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <rondo/distributed/contribution_plan.hpp>
#include <rondo/distributed/structured_points.hpp>
#include <rondo/rondo.hpp>

#include "meshes.hpp"
#include "ranks.hpp"

using namespace rondo;

namespace {

using bars = structured<1>;
using grid = structured<2>;
using numbers = field<double>;

/// Keeps both, and tells in which order they came.
struct in_turn {
  std::uint64_t identity(const std::uint64_t& /*any*/) const { return 0; }
  void operator()(std::uint64_t& into, const std::uint64_t& part) const {
    if(part != 0)
      into = meshes::mix(into, part);
  }
};

namespace task {
void fill(bars::view m, numbers::accessor<wo> u) {
  for(const auto i : m.owned(0))
    u(i) = std::sin(static_cast<double>(i));
}
/// From each point to the next one goes a bar, which the point's color owns.
void forces(bars::view m, numbers::accessor<ro, ro> u, numbers::accessor<wo, fold::sum> f) {
  for(const auto i : m.owned(0))
    f(i) = 0;
  for(const auto i : m.owned(0)) {
    const double tension = (u(i + 1) - u(i)) * (1 + 0.1 * static_cast<double>(i % 7));
    f(i) += tension;
    f(i + 1) -= tension;
  }
}
void move(bars::view m, numbers::accessor<rw> u, numbers::accessor<ro> f) {
  for(const auto i : m.owned(0))
    u(i) += 0.1 * f(i);
}
std::uint64_t bits(bars::view m, numbers::accessor<ro> u) {
  std::uint64_t h = 0;
  for(const auto i : m.owned(0))
    h += meshes::mix(static_cast<std::uint64_t>(i), std::bit_cast<std::uint64_t>(u(i)));
  return h;
}

void clear(grid::view m, numbers::accessor<wo> u) {
  for(const auto j : m.all(1))
    for(const auto i : m.all(0))
      u(i, j) = 1.0 / static_cast<double>(3 + i + j);
}
/// With rounding: another order is another result.
void stamp(grid::view m, numbers::accessor<rw, fold::sum> u) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      for(std::int64_t y = -1; y <= 1; ++y)
        for(std::int64_t x = -1; x <= 1; ++x)
          u(i + x, j + y) += 1.0 / static_cast<double>(7 + i * 3 + j * 5 + x + y);
}
/// The same for a reduction.
double stamp_and_count(grid::view m, numbers::accessor<rw, fold::sum> u) {
  stamp(m, u);
  return 1;
}
std::uint64_t bits_2d(grid::view m, numbers::accessor<ro> u) {
  std::uint64_t h = 0;
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      h += meshes::mix(
        static_cast<std::uint64_t>(i * 1000 + j), std::bit_cast<std::uint64_t>(u(i, j)));
  return h;
}
/// Its color's number to all that it sees.
void sign(grid::view m, field<std::uint64_t>::accessor<wo, in_turn{}> names) {
  const auto name = static_cast<std::uint64_t>(m.color()) + 1;
  for(std::int64_t j = m.owned().lo[1] - 1; j != m.owned().hi[1] + 1; ++j)
    for(std::int64_t i = m.owned().lo[0] - 1; i != m.owned().hi[0] + 1; ++i)
      names(i, j) = name;
}
std::uint64_t names(grid::view m, field<std::uint64_t>::accessor<ro> u) {
  std::uint64_t h = 0;
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      h += meshes::mix(static_cast<std::uint64_t>(i * 1000 + j), u(i, j));
  return h;
}
/// Each cell gives a quarter of what it has to each of its corners.
void to_corners(grid::view m, grid::view /*corners*/, numbers::accessor<ro> cells,
  numbers::accessor<rw, fold::sum> corners) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      for(std::int64_t y = 0; y <= 1; ++y)
        for(std::int64_t x = 0; x <= 1; ++x)
          corners(i + x, j + y) += cells(i, j) / 4;
}
void ones(grid::view m, numbers::accessor<wo> u) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      u(i, j) = 4;
}
double sum(grid::view m, numbers::accessor<ro> u) {
  double all = 0;
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      all += u(i, j);
  return all;
}
double not_four(grid::view m, numbers::accessor<ro> u, std::int64_t n) {
  double wrong = 0;
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0)) {
      const double sides = (i == 0 || i == n ? 0.5 : 1) * (j == 0 || j == n ? 0.5 : 1);
      wrong += u(i, j) != 4 * sides ? 1 : 0;
    }
  return wrong;
}
void contribute_and_look(bars::view, numbers::accessor<ro, ro>, numbers::accessor<rw, fold::sum>) {}
} // namespace task

/// Bars of which the last one ends at the first point.
std::vector<double> alone(std::int64_t n, int passes) {
  const auto at = [n](std::int64_t i) { return static_cast<std::size_t>(i % n); };
  std::vector<double> u(at(-1 + 2 * n) + 1), f(u.size());
  for(std::int64_t i = 0; i != n; ++i)
    u[at(i)] = std::sin(static_cast<double>(i));
  for(int pass = 0; pass != passes; ++pass) {
    std::fill(f.begin(), f.end(), 0);
    for(std::int64_t i = 0; i != n; ++i) {
      const double tension = (u[at(i + 1)] - u[at(i)]) * (1 + 0.1 * static_cast<double>(i % 7));
      f[at(i)] += tension;
      f[at(i + 1)] -= tension;
    }
    for(std::int64_t i = 0; i != n; ++i)
      u[at(i)] += 0.1 * f[at(i)];
  }
  return u;
}

enum class how { plain, traced, closed, ahead, ahead_from_a_late_pass };

std::uint64_t run_bars(unsigned ranks, unsigned workers, how loop, int passes) {
  std::vector<std::uint64_t> results(ranks);
  on_ranks(make_local_transports(ranks), workers, [&](scheduler& s) {
    const bars m{s, {.extents = {50}, .colors = {5}, .periodic = {true}}};
    const numbers u{m, "u"}, f{m, "f"};
    s.execute<task::fill>(m, u);
    const auto pass = [&] {
      s.execute<task::forces>(m, u, f);
      s.execute<task::move>(m, u, f);
    };
    if(loop == how::plain)
      for(int i = 0; i != passes; ++i)
        pass();
    if(loop == how::traced) {
      trace t;
      for(int i = 0; i != passes; ++i) {
        const auto g = t.make_guard();
        pass();
      }
    }
    if(loop == how::closed)
      s.repeat(static_cast<std::uint64_t>(passes), pass);
    if(loop == how::ahead || loop == how::ahead_from_a_late_pass) {
      const auto n = static_cast<std::uint64_t>(passes);
      static_cast<void>(s.iterate({.max = 10 * n}, [&](std::uint64_t i) {
        if(loop == how::ahead || i % 2 == 1) {
          pass();
          if(loop != how::ahead)
            pass();
        }
        const auto one = s.reduce<task::bits, fold::sum>(m, u);
        return one.then([n, i](std::uint64_t) { return i + 1 == n; });
      }));
    }
    results[s.rank()] = s.reduce<task::bits, fold::sum>(m, u).get();
  });
  for(const std::uint64_t r : results)
    expect(r == results[0]);
  return results[0];
}

} // namespace

TEST_CASE("forces of bars that end in other colors are those of a loop over all bars") {
  // A point gets what two bars have for it, and a + b is b + a: the same bits.
  const std::vector<double> all = alone(50, 6);
  std::uint64_t wanted = 0;
  for(std::size_t i = 0; i != all.size(); ++i)
    wanted += meshes::mix(i, std::bit_cast<std::uint64_t>(all[i]));
  for(const unsigned ranks : {1U, 2U, 3U, 5U})
    for(const unsigned workers : {1U, 2U})
      for(const how loop :
        {how::plain, how::traced, how::closed, how::ahead, how::ahead_from_a_late_pass})
        CHECK(run_bars(ranks, workers, loop, 6) == wanted);
}

TEST_CASE("contributions are folded in the same order on any number of ranks") {
  for(const bool is_periodic : {false, true})
    for(const bool reduces : {false, true}) {
      std::map<unsigned, std::uint64_t> result;
      for(const unsigned ranks : {1U, 2U, 3U, 4U, 6U})
        on_ranks(make_local_transports(ranks), 2, [&](scheduler& s) {
          const grid m{s, {.extents = {12, 9},
                            .colors = {2, 3},
                            .periodic = {is_periodic, is_periodic},
                            .diagonals = true,
                            .beyond = 1}};
          const numbers u{m, "u"};
          s.execute<task::clear>(m, u);
          for(int i = 0; i != 5; ++i)
            if(reduces)
              expect(s.reduce<task::stamp_and_count, fold::sum>(m, u).get() == 6);
            else
              s.execute<task::stamp>(m, u);
          const std::uint64_t bits = s.reduce<task::bits_2d, fold::sum>(m, u).get();
          if(s.rank() == 0)
            result[ranks] = bits;
        });
      for(const auto& [ranks, bits] : result)
        CHECK(bits == result[1]);
    }
}

namespace {

using two_numbers = std::array<double, 2>;

namespace task {
/// Each point has one for itself, and something for the next one.
void hand_on(bars::view m, field<two_numbers>::accessor<wo, fold::sum> to) {
  for(const auto i : m.owned(0))
    to(i) = {1, 0};
  for(const auto i : m.owned(0)) {
    to(i + 1)[0] += 10;
    to(i + 1)[1] += static_cast<double>(i);
  }
}
two_numbers total(bars::view m, field<two_numbers>::accessor<ro> of) {
  two_numbers all{};
  for(const auto i : m.owned(0)) {
    expect(of(i)[0] == 11 && of(i)[1] == static_cast<double>((i + 19) % 20));
    fold::sum(all, of(i));
  }
  return all;
}
} // namespace task

} // namespace

TEST_CASE("arrays are added by their numbers") {
  for(const unsigned ranks : {1U, 3U})
    on_ranks(make_local_transports(ranks), 1, [&](scheduler& s) {
      const bars m{s, {.extents = {20}, .colors = {5}, .periodic = {true}}};
      const field<two_numbers> u{m, "u"};
      s.execute<task::hand_on>(m, u);
      expect(s.reduce<task::total, fold::sum>(m, u).get() == two_numbers{220, 190});
    });
}

TEST_CASE("the fold may be the program's own, and gets contributions in the order of colors") {
  std::map<unsigned, std::uint64_t> result;
  for(const unsigned ranks : {1U, 2U, 3U, 6U})
    on_ranks(make_local_transports(ranks), 2, [&](scheduler& s) {
      const grid m{
        s, {.extents = {8, 9}, .colors = {2, 3}, .periodic = {true, true}, .diagonals = true}};
      const field<std::uint64_t> u{m, "names"};
      s.execute<task::sign>(m, u);
      const std::uint64_t bits = s.reduce<task::names, fold::sum>(m, u).get();
      if(s.rank() == 0)
        result[ranks] = bits;
    });
  for(const auto& [ranks, bits] : result)
    CHECK(bits == result[1]);

  // By hand: what a color has itself, then the others that see the point, in their order.
  const structured_coloring<2> cut(
    {.extents = {8, 9}, .colors = {2, 3}, .halo = 1, .periodic = {true, true}, .diagonals = true});
  std::uint64_t wanted = 0;
  for(color_id c = 0; c != cut.colors(); ++c)
    cut.owned(c).for_each_row([&](point<2> p, std::int64_t length) {
      for(const std::int64_t end = p[0] + length; p[0] != end; ++p[0]) {
        std::uint64_t here = c + 1;
        for(color_id other = 0; other != cut.colors(); ++other)
          for(std::int64_t y = -9; y <= 9; y += 9)
            for(std::int64_t x = -8; x <= 8; x += 8)
              if((other != c || x != 0 || y != 0) &&
                 cut.owned(other).grown(1).contains(point<2>{p[0] + x, p[1] + y}))
                here = meshes::mix(here, other + 1);
        wanted += meshes::mix(static_cast<std::uint64_t>(p[0] * 1000 + p[1]), here);
      }
    });
  CHECK(result[1] == wanted);
}

TEST_CASE("tasks over cells contribute to corners") {
  for(const unsigned ranks : {1U, 2U, 4U})
    on_ranks(make_local_transports(ranks), 2, [](scheduler& s) {
      const grid cells{s, {.extents = {8, 8}, .colors = {2, 2}, .diagonals = true}};
      const grid corners = cells.corners();
      const numbers u{cells, "u"}, v{corners, "v"};
      s.execute<task::ones>(cells, u);
      s.execute<task::to_corners>(cells, corners, u, v);
      expect(s.reduce<task::sum, fold::sum>(corners, v).get() == 4 * 64);
      expect(s.reduce<task::not_four, fold::sum>(corners, v, std::int64_t{8}).get() == 0);
    });
}

TEST_CASE("a field that is contributed to may not be another argument of the launch") {
  on_ranks(make_local_transports(1), 1, [](scheduler& s) {
    const bars m{s, {.extents = {8}, .colors = {2}}};
    const numbers u{m, "u"};
    const std::string said = thrown_by([&] { s.execute<task::contribute_and_look>(m, u, u); });
    expect(said.ends_with(
      "it contributes to the field 'u', and gets it for another parameter as well; read what was "
      "there before from another field"));
  });
}

TEST_CASE("the plan of contributions is the same list for a color, whoever has it") {
  for(std::uint64_t seed = 0; seed != 300; ++seed) {
    const structured_coloring<2> mesh(meshes::random_shape<2>(seed));
    const unsigned ranks = meshes::random_ranks(seed, mesh.colors());
    const auto listed = [](const exchange_plan& plan) {
      std::map<color_id, std::vector<std::string>> all;
      const auto lists = detail::order_contributions(plan);
      for(std::size_t c = 0; c != lists.size(); ++c)
        for(const detail::contribution& x : lists[c]) {
          all[plan.number_of(c)].push_back(
            std::to_string(x.neighbour) + " " + detail::describe(*x.into));
          if(x.is_from_message) {
            CHECK(x.offset + x.into->size() <= plan.outgoing[x.source].size);
            CHECK(x.from == nullptr);
          }
          else
            CHECK(x.from->size() == x.into->size());
        }
      return all;
    };
    const auto whole = listed(plan_exchange(mesh, 1, 0));
    std::map<color_id, std::vector<std::string>> parts;
    for(unsigned r = 0; r != ranks; ++r)
      for(auto& [color, list] : listed(plan_exchange(mesh, ranks, r)))
        parts[color] = list;
    CHECK(parts == whole);
  }
}
