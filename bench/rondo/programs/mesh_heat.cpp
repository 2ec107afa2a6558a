// Explicit heat on triangles as a program of tasks, with the kernel and the output of peers/mpi/mesh_heat.cpp.
//
//   mpirun -np 2 rondo_mesh_heat --nx 1000 --ny 500 --passes 100 --colors 4

#include "rondo/programs/program.hpp"
#include "unstructured/heat.hpp"

#include <rondo/unstructured.hpp>

using namespace rondo;

namespace {

using mesh = unstructured<kind::cells, links<kind::cells, kind::cells>>;
using numbers = field<double>;

void start(mesh::view m, numbers::accessor<wo> u) {
  for(const auto c : m.owned<kind::cells>())
    u(c) = bench::unstructured::start(m.id(c));
}
void diffuse(mesh::view m, numbers::accessor<wo> to, numbers::accessor<ro, ro> from) {
  for(const auto c : m.owned<kind::cells>())
    to(c) = bench::unstructured::next(from, c, m.cells_of(c));
}
double square(mesh::view m, numbers::accessor<ro> u) {
  double sum = 0;
  for(const auto c : m.owned<kind::cells>())
    sum += u(c) * u(c);
  return sum;
}

} // namespace

int main(int argc, char** argv) {
  std::int64_t nx = 1000;
  std::int64_t ny = 500;
  std::uint64_t colors = 4;
  int passes = 100;
  int reps = 5;
  std::string mode = "repeat";
  bench::arguments args;
  args.add("--nx", nx, "squares in x, each of two triangles").positive();
  args.add("--ny", ny, "squares in y").positive();
  args.add("--colors", colors, "of each rank").positive();
  args.add("--passes", passes, "how many, each time from the start; an even number").positive();
  args.add("--reps", reps, "repetitions, of which the median is reported").positive();
  bench::programs::add_mode(args, mode);
  if(const auto status = args.try_parse(argc, argv))
    return *status;

  return rondo::run(argc, argv, [&](scheduler& s) {
    mesh m{s, box_of_triangles{nx, ny}, {.colors = colors * s.ranks(), .over = seen_over::faces}};
    numbers u{m, "u"};
    numbers v{m, "v"};
    trace t;
    bench::programs::stopwatch time(s);
    for(int rep = -1; rep < reps; ++rep) {
      s.execute<start>(m, u);
      time.measure([&] {
        bench::programs::run_passes(s, mode, t, static_cast<std::uint64_t>(passes / 2), [&] {
          s.execute<diffuse>(m, v, u);
          s.execute<diffuse>(m, u, v);
        });
      });
      if(rep < 0)
        time.forget(); // the first time, to get warm
    }
    bench::line line = {{"program", "Rondo, " + mode}, {"cells", m.count<kind::cells>()},
      {"ranks", s.ranks()}, {"threads", s.home().workers()}, {"colors", m.colors()},
      {"passes", passes}};
    time.report(line, "pass", passes);
    line["square"] = s.reduce<square, fold::sum>(m, u).get();
    bench::programs::print(s, line);
  });
}
