// Particles in cells as a program of tasks, with the kernel and the output of peers/mpi/pic.cpp.
//
//   mpirun -np 2 rondo_pic --cells 500 --of-cell 4 --steps 100 --colors 1 2

#include <algorithm>

#include "pic/kernel.hpp"
#include "rondo/programs/program.hpp"

using namespace rondo;
using bench::pic::particle;
using bench::pic::speed;

namespace {

using grid = structured<2>;
using charges = field<double>;
using swarm = particles<particle>;

void fix(grid::view m, charges::accessor<wo> q) {
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      q(i, j) = bench::pic::fixed_charge(i);
}
void create(grid::view m, swarm::accessor<wo> p, std::uint64_t of_cell, speed s) {
  p.clear();
  for(const auto j : m.owned(1))
    for(const auto i : m.owned(0))
      bench::pic::create(
        i, j, m.mesh().hi[0], of_cell, s, [&](const particle& one) { p.push_back(one); });
}
void push(grid::view m, swarm::accessor<rw> p, charges::accessor<ro, ro> q) {
  const auto length = static_cast<double>(m.mesh().hi[0]);
  for(particle* at = p.begin(); at != p.end();) {
    bench::pic::push(*at, q);
    const auto i = bench::pic::cell_of(at->x);
    const auto j = bench::pic::cell_of(at->y);
    bench::pic::wrap(*at, length);
    at = p.move_to(at, i, j);
  }
}
std::uint64_t wrong(grid::view m, swarm::accessor<ro> p, int steps, speed s) {
  std::uint64_t n = 0;
  for(const particle& one : p)
    n += bench::pic::is_in_place(one, m.mesh().hi[0], steps, s) ? 0U : 1U;
  return n;
}
std::uint64_t names(grid::view /*m*/, swarm::accessor<ro> p) {
  std::uint64_t sum = 0;
  for(const particle& one : p)
    sum += one.name;
  return sum;
}

} // namespace

int main(int argc, char** argv) {
  std::int64_t cells = 500;
  std::uint64_t of_cell = 4;
  int steps = 100;
  int reps = 5;
  speed v;
  std::vector<std::int64_t> colors;
  std::string mode = "repeat";
  bench::arguments args;
  args.add("--cells", cells, "along each axis; an even number").range(2, 1 << 20);
  args.add("--of-cell", of_cell, "particles in each cell").positive();
  args.add("--steps", steps, "how many, each time from the start").positive();
  args.add("--reps", reps, "repetitions, of which the median is reported").positive();
  args.add("-k", v.k, "a step takes a particle over 2 k + 1 cells in x").non_negative();
  args.add("-m", v.m, "and over m in y");
  args.add("--colors", colors, "along x and y; otherwise the best are chosen").expected(2);
  bench::programs::add_mode(args, mode);
  if(const auto status = args.try_parse(argc, argv))
    return *status;

  return rondo::run(argc, argv, [&](scheduler& s) {
    const grid m{s, {.extents = {cells, cells},
                      .colors = colors.empty() ? point<2>{} : point<2>{colors[0], colors[1]},
                      .halo = std::max<std::int64_t>(2 * v.k + 1, std::abs(v.m)),
                      .periodic = {true, true},
                      .diagonals = true}};
    charges q{m, "q"};
    swarm p{m, "p"};
    s.execute<fix>(m, q);
    trace t;
    bench::programs::stopwatch time(s);
    for(int rep = -1; rep < reps; ++rep) {
      s.execute<create>(m, p, of_cell, v);
      time.measure([&] {
        bench::programs::run_passes(
          s, mode, t, static_cast<std::uint64_t>(steps), [&] { s.execute<push>(m, p, q); });
      });
      if(rep < 0)
        time.forget(); // the first time, to get warm
    }
    bench::line line = bench::programs::describe(s, m, mode);
    line["steps"] = steps;
    line["particles"] = static_cast<std::uint64_t>(cells * cells) * of_cell;
    time.report(line, "step", steps);
    line["wrong"] = s.reduce<wrong, fold::sum>(m, p, steps, v).get();
    line["names"] = s.reduce<names, fold::sum>(m, p).get();
    bench::programs::print(s, line);
  });
}
