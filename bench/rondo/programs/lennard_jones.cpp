// A liquid of atoms as a program of tasks, with the kernel and the output of peers/mpi/lennard_jones.cpp.
//
//   mpirun -np 2 rondo_lennard_jones --cubes 20 --steps 200 --colors 1 1 2

#include "lennard_jones/kernel.hpp"
#include "rondo/programs/program.hpp"

using namespace rondo;
using bench::lennard_jones::cell;
using bench::lennard_jones::is_within;
using bench::lennard_jones::liquid;
using bench::lennard_jones::neighbours;
using bench::lennard_jones::next_cell;
using bench::lennard_jones::vector;

namespace {

using grid = structured<3>;
// Positions and velocities: of neighbours only positions are seen.
using vectors = field<ragged<vector>>;

template<class Body>
void for_each_cell(const grid::view& m, const Body& body) {
  for(const auto k : m.owned(2))
    for(const auto j : m.owned(1))
      for(const auto i : m.owned(0))
        body(cell{i, j, k});
}

void create(grid::view m, vectors::accessor<wo> x, vectors::accessor<wo> v, liquid l) {
  for_each_cell(m, [&](const cell& c) {
    x(c[0], c[1], c[2]).clear();
    v(c[0], c[1], c[2]).clear();
  });
  l.create([&](const cell& c, const vector& position, const vector& velocity) {
    if(m.owned().contains(c)) {
      x(c[0], c[1], c[2]).push_back(position);
      v(c[0], c[1], c[2]).push_back(velocity);
    }
  });
}

void drift(grid::view m, vectors::accessor<rw, fold::append> x,
  vectors::accessor<rw, fold::append> v, liquid l) {
  for_each_cell(m, [&](const cell& c) {
    bench::lennard_jones::drift(x(c[0], c[1], c[2]), v(c[0], c[1], c[2]).data());
  });
  // Those that come from other cells are where they belong.
  for_each_cell(m, [&](const cell& c) {
    const auto xs = x(c[0], c[1], c[2]);
    for(std::size_t n = 0; n != xs.size();) {
      vector position = xs[n];
      if(is_within(position, l.width())) {
        ++n;
        continue;
      }
      const auto vs = v(c[0], c[1], c[2]);
      const cell to = next_cell(c, position, l.width());
      const vector velocity = vs[n];
      xs[n] = xs.back();
      vs[n] = vs.back();
      xs.pop_back();
      vs.pop_back();
      x(to[0], to[1], to[2]).push_back(position);
      v(to[0], to[1], to[2]).push_back(velocity);
    }
  });
}

void kick(
  grid::view m, vectors::accessor<ro, ro> x, vectors::accessor<rw> v, liquid l, double time) {
  for_each_cell(m, [&](const cell& c) {
    bench::lennard_jones::kick(
      x(c[0], c[1], c[2]), v(c[0], c[1], c[2]).data(), neighbours(c, l.width(), x), time);
  });
}

double energy(grid::view m, vectors::accessor<ro, ro> x, vectors::accessor<ro> v, liquid l) {
  double sum = 0;
  for_each_cell(m, [&](const cell& c) {
    sum += bench::lennard_jones::energy(
      x(c[0], c[1], c[2]), v(c[0], c[1], c[2]).data(), neighbours(c, l.width(), x));
  });
  return sum;
}
double momentum(grid::view m, vectors::accessor<ro> v, std::size_t axis) {
  double sum = 0;
  for_each_cell(m, [&](const cell& c) {
    for(const vector& one : v(c[0], c[1], c[2]))
      sum += one[axis];
  });
  return sum;
}
double count(grid::view /*m*/, vectors::accessor<ro> x) { return static_cast<double>(x.total()); }

} // namespace

int main(int argc, char** argv) {
  std::int64_t cubes = 20;
  int steps = 200;
  int reps = 5;
  std::vector<std::int64_t> colors;
  std::string mode = "repeat";
  bench::arguments args;
  args.add("--cubes", cubes, "of four atoms each, along each axis").range(3, 200);
  args.add("--steps", steps, "how many, each time from the start").positive();
  args.add("--reps", reps, "repetitions, of which the median is reported").positive();
  args.add("--colors", colors, "along x, y and z; otherwise the best are chosen").expected(3);
  bench::programs::add_mode(args, mode);
  if(const auto status = args.try_parse(argc, argv))
    return *status;

  return rondo::run(argc, argv, [&](scheduler& s) {
    const liquid l(cubes);
    const grid m{
      s, {.extents = {l.cells(), l.cells(), l.cells()},
           .colors = colors.empty() ? point<3>{} : point<3>{colors[0], colors[1], colors[2]},
           .halo = 1,
           .periodic = {true, true, true},
           .diagonals = true}};
    vectors x{m, "x"};
    vectors v{m, "v"};
    const auto look = [&] {
      bench::lennard_jones::state now{};
      now.atoms = s.reduce<count, fold::sum>(m, x).get();
      now.energy = s.reduce<energy, fold::sum>(m, x, v, l).get() / static_cast<double>(l.atoms());
      for(std::size_t a = 0; a != 3; ++a)
        now.momentum[a] = s.reduce<momentum, fold::sum>(m, v, a).get();
      return now;
    };
    trace t;
    bench::programs::stopwatch time(s);
    bench::lennard_jones::state start{};
    for(int rep = -1; rep < reps; ++rep) {
      constexpr double step = bench::lennard_jones::time_step;
      s.execute<create>(m, x, v, l);
      start = look();
      time.measure([&] {
        s.execute<kick>(m, x, v, l, step / 2);
        bench::programs::run_passes(s, mode, t, static_cast<std::uint64_t>(steps - 1), [&] {
          s.execute<drift>(m, x, v, l);
          s.execute<kick>(m, x, v, l, step);
        });
        s.execute<drift>(m, x, v, l);
        s.execute<kick>(m, x, v, l, step / 2);
      });
      if(rep < 0)
        time.forget(); // the first time, to get warm
    }
    const bench::lennard_jones::state end = look();
    end.check(start);
    bench::line line = {{"program", "Rondo, " + mode}, {"atoms", l.atoms()}, {"ranks", s.ranks()},
      {"threads", s.home().workers()}, {"colors", m.colors()}, {"steps", steps},
      {"energy", end.energy}, {"drift", end.energy - start.energy}};
    time.report(line, "step", steps);
    bench::programs::print(s, line);
  });
}
