// Programs with a mistake that users make, the one that the first argument names: alone, or started by mpirun. What they
// are told is in docs/mistakes.md, and is looked for in ../CMakeLists.txt.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <utility>

#ifdef HAS_MPI
#include <mpi.h>
#endif

#include <rondo/rondo.hpp>

using namespace rondo;

namespace {

using grid = structured<2>;
using numbers = field<double>;
using lists = field<ragged<double>>;

void set(grid::view m, numbers::accessor<wo> u) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      u(i, j) = static_cast<double>(i + j);
}
double sum(grid::view m, numbers::accessor<ro> u) {
  double all = 0;
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      all += u(i, j);
  return all;
}
std::size_t count(grid::view /*m*/, lists::accessor<ro> rows) { return rows.total(); }
void print(double x) { std::printf("the sum is %g\n", x); }

/// As on one rank with one color, where all neighbours are its own.
void forget_ghosts(grid::view m, numbers::accessor<rw> to, numbers::accessor<ro> from) {
  for(const auto j : m.interior(1))
    for(const auto i : m.interior(0))
      to(i, j) = from(i, j - 1) + from(i, j + 1);
}
void look_too_far(grid::view m, numbers::accessor<rw> to, numbers::accessor<ro, ro> from) {
  for(const auto j : m.interior(1, 2))
    for(const auto i : m.interior(0, 2))
      to(i, j) = from(i, j - 2) + from(i, j + 2);
}
void look_across_corners(grid::view m, numbers::accessor<rw> to, numbers::accessor<ro, ro> from) {
  for(const auto j : m.interior(1))
    for(const auto i : m.interior(0))
      to(i, j) = from(i - 1, j - 1) + from(i + 1, j + 1);
}
void leave_mesh(grid::view m, numbers::accessor<rw> to, numbers::accessor<ro, ro> from) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      to(i, j) = from(i - 1, j);
}
/// As if points were counted from 1.
void write_next(grid::view m, numbers::accessor<rw> to, numbers::accessor<ro> from) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      to(i + 1, j) = from(i, j);
}
void forget_coordinate(grid::view m, numbers::accessor<rw> to, numbers::accessor<ro> /*from*/) {
  for(const auto i : m.owned(0))
    to(i) = 0;
}
void write_interior(grid::view m, numbers::accessor<wo> to, numbers::accessor<ro> from) {
  for(const auto j : m.interior(1))
    for(const auto i : m.interior(0))
      to(i, j) = from(i, j);
}
void write_neighbours(grid::view m, numbers::accessor<rw, ro> to, numbers::accessor<ro> /*from*/) {
  for(const auto j : m.interior(1))
    for(const auto i : m.owned(0))
      to(i, j + 1) += 1;
}
void scale(grid::view m, numbers::accessor<rw> u, const double* by) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      u(i, j) *= *by;
}
/// Comes to an end for the sake of the test.
void go_on(grid::view m, numbers::accessor<rw> /*u*/) {
  if(m.color() == 0)
    std::this_thread::sleep_for(std::chrono::seconds(3));
}

#ifdef HAS_MPI
void sum_by_mpi(grid::view /*m*/, numbers::accessor<rw> /*u*/) {
  int all = 1;
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}
#endif

struct program {
  scheduler& s;
  grid& m;
  numbers& u;
};
void launch_another(grid::view /*m*/, numbers::accessor<rw> /*u*/, program* p) {
  p->s.execute<set>(p->m, p->u);
}
void make_another(grid::view /*m*/, numbers::accessor<rw> /*u*/, program* p) {
  const numbers made{p->m, "made"};
}
void copy(grid::view m, numbers::accessor<wo> to, numbers::accessor<ro> from) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      to(i, j) = from(i, j);
}

void run_wrong(scheduler& s, const std::string& how) {
  grid m{s, {.extents = {16, 16}, .colors = {1, 2}}};
  numbers u{m, "u"};
  numbers v{m, "v"};
  if(how != "unwritten") {
    s.execute<set>(m, u);
    s.execute<set>(m, v);
  }
  if(how == "ghosts")
    s.execute<forget_ghosts>(m, v, u);
  else if(how == "halo")
    s.execute<look_too_far>(m, v, u);
  else if(how == "outside")
    s.execute<leave_mesh>(m, v, u);
  else if(how == "next")
    s.execute<write_next>(m, v, u);
  else if(how == "coordinate")
    s.execute<forget_coordinate>(m, v, u);
  else if(how == "interior")
    s.execute<write_interior>(m, v, u);
  else if(how == "neighbours")
    s.execute<write_neighbours>(m, v, u);
  else if(how == "corners") {
    grid pieces{s, {.extents = {16, 16}, .colors = {2, 2}}};
    numbers x{pieces, "x"};
    numbers y{pieces, "y"};
    s.execute<set>(pieces, x);
    s.execute<set>(pieces, y);
    s.execute<look_across_corners>(pieces, y, x);
    s.wait();
  }
  else if(how == "local") {
    s.wait();
    for(int k = 0; k != 3; ++k) {
      double by = k;
      s.execute<scale>(m, u, &by);
      by = 1e9;
    }
  }
  else if(how == "endless")
    s.execute<go_on>(m, u);
#ifdef HAS_MPI
  else if(how == "mpi")
    s.execute<sum_by_mpi>(m, u);
#endif
  else if(how == "launch" || how == "make") {
    program all{s, m, u};
    if(how == "launch")
      s.execute<launch_another>(m, u, &all);
    else
      s.execute<make_another>(m, u, &all);
    s.wait();
  }
  else if(how == "unwritten_rows") {
    lists rows{m, "rows"};
    static_cast<void>(s.reduce<count, fold::sum>(m, rows));
  }
  else if(how == "swap")
    static_cast<void>(s.iterate({.max = 10}, [&] {
      s.execute<copy>(m, v, u);
      std::swap(u, v);
      return s.reduce<sum, fold::sum>(m, u).then([](double x) { return x < 0; });
    }));
  s.execute<print>(s.reduce<sum, fold::sum>(m, u));
}

} // namespace

int main(int argc, char** argv) {
  const std::string how = argc > 1 ? argv[1] : "";
  return rondo::run(argc, argv, [&how](scheduler& s) { run_wrong(s, how); });
}
