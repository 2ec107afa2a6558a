// Diffusion face by face as a program of tasks, with the kernels and the output of peers/mpi/contributions.cpp.
//
//   mpirun -np 2 rondo_contributions --nx 1024 --ny 1024 --passes 100

#include "contributions/kernel.hpp"
#include "rondo/programs/program.hpp"

#include <algorithm>

using namespace rondo;
using bench::contributions::first_with_face;

namespace {

using grid = structured<2>;
using numbers = field<double>;

void start(grid::view m, numbers::accessor<wo> u) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      u(i, j) = bench::contributions::start(i, j);
}
void carry(grid::view m, numbers::accessor<wo, fold::sum> to, numbers::accessor<ro, ro> c) {
  const auto all = m.owned(0);
  for(const auto j : m.owned(1))
    std::copy_n(c.row(j) + all.first(), all.size(), to.row(j) + all.first());
  const auto x = m.interior(0);
  for(const auto j : m.interior(1)) {
    bench::contributions::along(
      to.row(j), c.row(j), std::max(x.first(), first_with_face), x.last());
    if(j >= first_with_face)
      bench::contributions::across(
        to.row(j), to.row(j - 1), c.row(j), c.row(j - 1), x.first(), x.last());
  }
}
double square(grid::view m, numbers::accessor<ro> u) {
  const auto x = m.interior(0);
  double sum = 0;
  for(const auto j : m.interior(1))
    sum += bench::solver::dot(u.row(j), u.row(j), x.first(), x.last());
  return sum;
}

struct options : bench::programs::solver_options {
  int passes = 100;
  std::string mode = "plain";
};

} // namespace

int main(int argc, char** argv) {
  options o;
  bench::arguments args;
  o.add_to(args);
  args.add("--passes", o.passes, "how many, each time from the start; an even number").positive();
  bench::programs::add_mode(args, o.mode);
  if(const auto status = args.try_parse(argc, argv))
    return *status;

  return rondo::run(argc, argv, [&](scheduler& s) {
    grid m{s, o.mesh()};
    numbers u{m, "u"};
    numbers v{m, "v"};
    trace t;
    bench::programs::stopwatch time(s);
    for(int rep = -1; rep < o.reps; ++rep) {
      s.execute<start>(m, u);
      time.measure([&] {
        bench::programs::run_passes(s, o.mode, t, static_cast<std::uint64_t>(o.passes / 2), [&] {
          s.execute<carry>(m, v, u);
          s.execute<carry>(m, u, v);
        });
      });
      if(rep < 0)
        time.forget(); // the first time, to get warm
    }
    bench::line line = bench::programs::describe(s, m, o.mode);
    line["passes"] = o.passes;
    time.report(line, "pass", o.passes);
    line["square"] = s.reduce<square, fold::sum>(m, u).get();
    bench::programs::print(s, line);
  });
}
