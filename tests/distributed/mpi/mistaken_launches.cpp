// Programs with a mistake in what they make and launch, the one that the first argument names: alone, or started by mpirun.
// What they are told, in every build, is in docs/mistakes.md, and is looked for in ../CMakeLists.txt. For mistakes within
// tasks see mistaken_program.cpp.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>

#include <rondo/rondo.hpp>

using namespace rondo;

namespace {

using grid = structured<2>;
using numbers = field<double>;

constexpr std::int64_t side = 12;

void fill(grid::view m, numbers::accessor<wo> u) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      u(i, j) = static_cast<double>(side * j + i);
}
void relax(grid::view m, numbers::accessor<rw> to, numbers::accessor<ro, ro> from) {
  for(const auto j : m.interior(1))
    for(const auto i : m.interior(0))
      to(i, j) = (from(i, j - 1) + from(i, j + 1)) / 2;
}
double total(grid::view m, numbers::accessor<ro> u) {
  double all = 0;
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      all += u(i, j);
  return all;
}
/// Of each second point. The finer mesh is one of its own, and not made of the coarser one.
void take_over(grid::view to_mesh, numbers::accessor<rw> to, grid::view /*from_mesh*/,
  numbers::accessor<ro, ro> from) {
  for(const auto j : to_mesh.owned(1))
    for(const auto i : to_mesh.owned(0))
      to(i, j) = from(2 * i, 2 * j);
}
/// Runs once for all colors, so no mistake: each mesh may have its own.
void take_over_by_mpi(mpi_task /*t*/, per_color<grid::view> to_mesh,
  per_color<numbers::accessor<rw>> to, per_color<grid::view> /*from_mesh*/,
  per_color<numbers::accessor<ro>> from) {
  for(std::size_t c = 0; c != to_mesh.size(); ++c)
    for(const auto j : to_mesh[c].owned(1))
      for(const auto i : to_mesh[c].owned(0))
        to[c](i, j) = from[c](2 * i, 2 * j);
}
/// Nowhere is memory.
void go_astray(grid::view m, numbers::accessor<rw> u) {
  volatile double* volatile nowhere = nullptr;
  if(m.color() + 1 == m.colors())
    *nowhere = 1; // NOLINT: that is what it is for
  u(m.owned(0).first(), m.owned(1).first()) = 1;
}
/// No number on one of the colors.
double residual(grid::view m, numbers::accessor<ro> /*u*/) {
  return m.color() == 0 ? std::numeric_limits<double>::quiet_NaN() : 1;
}
void show(double least, double most) {
  std::printf(
    "%s and %s\n", std::isnan(least) ? "none" : "a number", std::isnan(most) ? "none" : "a number");
}

void show_total(double x) { std::printf("the sum is %g\n", x); }

/// Meshes that can't be.
void make_wrong(scheduler& s, const std::string& how) {
  if(how == "thick_halo")
    grid{s, {.extents = {side, 4}, .colors = {1, 4}, .halo = 2}};
  else if(how == "few_points")
    grid{s, {.extents = {1, 2}}};
}

void launch_wrong(scheduler& s, const std::string& how) {
  grid m{s, {.extents = {side, side}, .colors = {1, 4}}};
  numbers u{m, "u"};
  numbers v{m, "v"};
  s.execute<fill>(m, u);
  s.execute<fill>(m, v);
  if(how == "given_twice")
    s.execute<relax>(m, u, u);
  else if(how == "other_field") {
    grid other{s, {.extents = {side, side}, .colors = {1, 4}}};
    numbers w{other, "w"};
    s.execute<relax>(m, u, w);
  }
  else if(how == "two_meshes" || how == "two_meshes_mpi") {
    grid finer{s, {.extents = {2 * side, 2 * side}, .colors = {1, 4}}};
    numbers w{finer, "w"};
    s.execute<fill>(finer, w);
    if(how == "two_meshes")
      s.execute<take_over>(m, u, finer, w);
    s.execute_mpi<take_over_by_mpi>(m, u, finer, w);
    s.execute<show_total>(s.reduce<total, fold::sum>(m, u));
  }
  else if(how == "made_in_loop")
    static_cast<void>(s.iterate({.max = 3}, [&] {
      numbers t{m, "t"};
      s.execute<relax>(m, t, u);
      return s.reduce<total, fold::sum>(m, t).then([](double x) { return x < 0; });
    }));
  else if(how == "empty_future")
    s.execute<show>(0.0, future<double>());
  else if(how == "deep_field")
    const numbers deep{m, "deep", {.halo = 3}};
  else if(how == "astray")
    s.execute<go_astray>(m, u);
  else if(how == "not_a_number") {
    const auto least = s.reduce<residual, fold::min>(m, u);
    s.execute<show>(least, s.reduce<residual, fold::max>(m, u));
  }
  else if(how == "leaves" && s.rank() == 1)
    std::exit(0);
  s.execute<relax>(m, v, u);
  static_cast<void>(s.reduce<total, fold::sum>(m, v).get());
}

} // namespace

int main(int argc, char** argv) {
  const std::string how = argc > 1 ? argv[1] : "";
  return rondo::run(argc, argv, [&how](scheduler& s) {
    make_wrong(s, how);
    launch_wrong(s, how);
  });
}
