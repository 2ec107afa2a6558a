// Tasks that look less far than the halo is deep.

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

namespace task {
void fill(grid::view m, numbers::accessor<wo> u) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      u(i, j) = static_cast<double>((13 * i + 5 * j) % 17);
}
template<class A>
double around(const A& u, std::int64_t i, std::int64_t j, std::int64_t d) {
  return u(i - d, j) + 2 * u(i + d, j) + 3 * u(i, j - d) + 4 * u(i, j + d);
}
template<int Depth, int Looks>
void look(grid::view m, numbers::accessor<wo> v, numbers::accessor<ro, ro, Depth> u) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      v(i, j) = around(u, i, j, Looks);
}
/// Needs what was there before.
template<int Depth, int Looks>
void smooth(grid::view m, numbers::accessor<rw, ro, Depth> u) {
  std::vector<double> sums;
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      sums.push_back(u(i, j) / 2 + around(u, i, j, Looks) / 64);
  auto next = sums.begin();
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      u(i, j) = *next++;
}
double different(grid::view m, numbers::accessor<ro> a, numbers::accessor<ro> b) {
  double sum = 0;
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      sum += a(i, j) != b(i, j) ? 1 : 0;
  return sum;
}
/// Functions that see less are given what sees more.
double seen(const numbers::accessor<ro, ro, 1>& u, std::int64_t i, std::int64_t j) {
  return u(i - 1, j);
}
double seen_by_all(const numbers::accessor<ro>& u, std::int64_t i, std::int64_t j) {
  return u(i, j);
}
void convert(grid::view m, numbers::accessor<ro, ro> u, numbers::accessor<ro, ro, 2> v) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      static_cast<void>(seen(u, i, j) + seen(v, i, j) + seen_by_all(v, i, j));
}
} // namespace task

const structured_options<2> torus{
  .extents = {24, 18}, .colors = {2, 3}, .halo = 3, .periodic = {true, true}};

} // namespace

static_assert(!std::is_convertible_v<numbers::accessor<ro, ro, 1>, numbers::accessor<ro, ro, 2>>);
static_assert(!std::is_convertible_v<numbers::accessor<ro, ro, 1>, numbers::accessor<ro, ro>>);

TEST_CASE("tasks that ask for less see the same, in any order with those that ask for all") {
  for(const unsigned ranks : {1U, 2U, 3U, 6U})
    for(const std::size_t stages : {1U, 4U})
      for(const bool separates : {false, true})
        on_ranks(make_local_transports(ranks), 2, [=](scheduler& s) {
          structured_options<2> options = torus;
          options.stages = stages;
          const grid m{s, options};
          const numbers near{m, "near"}, whole{m, "whole"}, x{m, "x"}, y{m, "y"};
          s.execute<task::fill>(m, near);
          s.execute<task::fill>(m, whole);
          const auto both_are_the_same = [&](const numbers& a, const numbers& b) {
            expect(s.reduce<task::different, fold::sum>(m, a, b).get() == 0);
          };
          const auto pass = [&] {
            s.execute<task::look<1, 1>>(m, x, near);
            s.execute<task::look<whole_halo, 1>>(m, y, whole);
            s.execute<task::smooth<1, 1>>(m, x);
            s.execute<task::smooth<whole_halo, 1>>(m, y);
            s.execute<task::look<2, 2>>(m, near, x);
            s.execute<task::look<whole_halo, 2>>(m, whole, y);
            s.execute<task::look<1, 1>>(m, x, near);
            s.execute<task::look<3, 3>>(
              m, x, near); // the whole halo is fetched behind the near one
            s.execute<task::look<whole_halo, 3>>(m, y, whole);
            if(separates) {
              s.execute<task::smooth<2, 1>>(m, near);
              s.execute<task::smooth<whole_halo, 1>>(m, whole);
            }
          };
          for(int i = 0; i != 5; ++i)
            pass();
          both_are_the_same(x, y);
          both_are_the_same(near, whole);
          s.repeat(6, pass);
          both_are_the_same(near, whole);
          // The first launches that ask for so little are in passes that may not run.
          const auto passes = s.iterate({.max = 50}, [&](std::uint64_t i) {
            if(i % 2 == 1) {
              s.execute<task::smooth<2, 2>>(m, near);
              s.execute<task::smooth<whole_halo, 2>>(m, whole);
            }
            pass();
            return s.reduce<task::different, fold::sum>(m, near, whole).then([i](double d) {
              return d != 0 || i == 4;
            });
          });
          expect(passes.get() == 5);
          both_are_the_same(near, whole);
          s.execute<task::convert>(m, near, whole);
        });
}
