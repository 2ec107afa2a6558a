// Fields whose halo is thinner than that of their mesh.

#include <cstdint>
#include <string>
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
void near(grid::view m, numbers::accessor<wo> v, numbers::accessor<ro, ro> u) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      v(i, j) = u(i - 1, j) + 2 * u(i + 1, j) + 3 * u(i, j - 1) + 4 * u(i, j + 1);
}
void far(grid::view m, numbers::accessor<wo> v, numbers::accessor<ro, ro> u) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      v(i, j) = u(i - 2, j) - u(i + 2, j) + u(i, j - 2) - u(i, j + 2);
}
/// Needs ghosts that are copies.
void smooth(grid::view m, numbers::accessor<rw, ro> u) {
  std::vector<double> sums;
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      sums.push_back(u(i, j) + (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1)) / 4);
  auto next = sums.begin();
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      u(i, j) = *next++ / 2;
}
double different(grid::view m, numbers::accessor<ro> a, numbers::accessor<ro> b) {
  double sum = 0;
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      sum += a(i, j) != b(i, j) ? 1 : 0;
  return sum;
}
} // namespace task

std::int64_t sent(const numbers& u) {
  std::int64_t all = 0;
  for(const auto& m : u.state().elements().plan.outgoing)
    all += m.size;
  return all;
}

const structured_options<2> torus{
  .extents = {16, 12}, .colors = {2, 4}, .halo = 2, .periodic = {true, true}};

} // namespace

TEST_CASE("a field with a thinner halo sends that much, and its memory has no more") {
  on_ranks(make_local_transports(2), 1, [](scheduler& s) {
    const grid m{s, torus};
    const numbers deep{m, "deep"}, thin{m, "thin", {.halo = 1}}, none{m, "none", {.halo = 0}};
    const numbers same{m, "same", {.halo = 2}};
    expect(sent(deep) > 0 && sent(same) == sent(deep));
    expect(2 * sent(thin) == sent(deep));
    expect(sent(none) == 0 && !none.state().elements().has_ghosts);
    std::int64_t smaller = 0;
    for(std::size_t c = 0; c != m.local_colors(); ++c)
      smaller +=
        deep.state().elements().layouts[c].elements - thin.state().elements().layouts[c].elements;
    expect(smaller == std::int64_t(m.local_colors()) * ((8 + 4) * (3 + 4) - (8 + 2) * (3 + 2)));
  });
}

TEST_CASE("fields with thinner and deeper halos are used in the same launches") {
  for(const unsigned ranks : {1U, 2U, 3U, 4U})
    for(const std::size_t stages : {1U, 4U})
      on_ranks(make_local_transports(ranks), 2, [stages](scheduler& s) {
        structured_options<2> options = torus;
        options.stages = stages;
        const grid m{s, options};
        const grid coarse = m.coarsened({2, 1}), faces = m.faces(0);
        for(const grid* const on : {&m, &coarse, &faces}) {
          numbers deep{*on, "deep"}, thin{*on, "thin", {.halo = 1}}, none{*on, "none", {.halo = 0}};
          numbers x{*on, "x"}, y{*on, "y"};
          s.execute<task::fill>(*on, deep);
          s.copy(deep, thin);
          for(int pass = 0; pass != 6; ++pass) {
            s.execute<task::near>(*on, x, deep);
            s.execute<task::near>(*on, y, thin);
            s.copy(y, none);
            expect(s.reduce<task::different, fold::sum>(*on, x, none).get() == 0);
            s.execute<task::far>(*on, deep, x);
            s.copy(deep, thin);
            if(pass == 3) {
              s.execute<task::smooth>(*on, thin);
              s.execute<task::smooth>(*on, deep);
            }
          }
          expect(s.reduce<task::different, fold::sum>(*on, deep, thin).get() == 0);
        }
      });
}

TEST_CASE("no field has a deeper halo than its mesh, nor one where nobody has neighbours") {
  on_ranks(make_local_transports(1), 1, [](scheduler& s) {
    const grid m{s, torus};
    const topo::index colors{m};
    expect(
      thrown_by([&] { const numbers u(m, "u", {.halo = 3}); })
        .ends_with(": the field 'u': a halo of 3 for a field of a mesh that has one of 2; make "
                   "the mesh with .halo = 3"));
    expect(thrown_by([&] {
      const numbers u(m, "u", {.halo = -1});
    }).ends_with(": the field 'u': a halo of -1; take 0 for none"));
    expect(thrown_by([&] { const numbers u(colors, "u", {.halo = 1}); })
             .ends_with(": the field 'u': only fields of structured meshes have a halo; leave it "
                        "out"));
  });
}
