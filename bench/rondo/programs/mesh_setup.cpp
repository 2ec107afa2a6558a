// The set-up of a mesh of triangles: generated, cut, numbered and connected. How long it takes, and what memory: at its highest, and what
// stays, in parts of what a loop over it needs (two fields, and the cells next to each cell in compressed rows).
//
//   mpirun -np 2 rondo_mesh_setup --nx 1000 --ny 500 --vertices

#include "harness/resident.hpp"
#include "rondo/programs/program.hpp"

#include <fstream>
#include <memory>
#include <string>

#include <malloc.h>
#include <rondo/unstructured.hpp>

using namespace rondo;

namespace {

using cells_alone = unstructured<kind::cells, links<kind::cells, kind::cells>>;
using with_vertices = unstructured<kind::cells, kind::vertices, links<kind::cells, kind::cells>>;

/// What the system counts as the most that was resident, in bytes, since it was told to forget.
double peak() {
  std::ifstream in("/proc/self/status");
  for(std::string word; in >> word;)
    if(word == "VmHWM:") {
      double kib = 0;
      in >> kib;
      return 1024 * kib;
    }
  return 0;
}
void forget_peak() { std::ofstream("/proc/self/clear_refs") << 5; }

template<class Mesh>
void measure(scheduler& s, std::int64_t nx, std::int64_t ny, std::uint64_t colors, int reps) {
  bench::programs::stopwatch time(s);
  double at_most = 0;
  double stays = 0;
  std::int64_t cells = 0;
  for(int rep = 0; rep != reps; ++rep) {
    malloc_trim(0);
    forget_peak();
    const double before = bench::resident_bytes();
    std::unique_ptr<Mesh> m;
    time.measure([&] {
      m = std::make_unique<Mesh>(s, box_of_triangles{nx, ny},
        unstructured_options{.colors = colors * s.ranks(), .over = seen_over::faces});
    });
    const double highest = peak();
    malloc_trim(0);
    at_most = time.sum(highest - before);
    stays = time.sum(bench::resident_bytes() - before);
    cells = m->template count<kind::cells>();
  }
  // Three neighbours of each but for the ends of the box, and where they begin.
  const auto needs = static_cast<double>(cells) * (2 * sizeof(double) + 4 * sizeof(std::int32_t));
  bench::line line = {{"program", "Rondo"}, {"cells", cells}, {"ranks", s.ranks()},
    {"colors", colors * s.ranks()}, {"bytes_of_cell", stays / static_cast<double>(cells)},
    {"peak_bytes_of_cell", at_most / static_cast<double>(cells)},
    {"stays", (stays + 2 * sizeof(double) * static_cast<double>(cells)) / needs}};
  time.report(line, "mesh", 1);
  bench::programs::print(s, line);
}

} // namespace

int main(int argc, char** argv) {
  std::int64_t nx = 1000;
  std::int64_t ny = 500;
  std::uint64_t colors = 4;
  int reps = 3;
  bool has_vertices = false;
  bench::arguments args;
  args.add("--nx", nx, "squares in x, each of two triangles").positive();
  args.add("--ny", ny, "squares in y").positive();
  args.add("--colors", colors, "of each rank").positive();
  args.add("--reps", reps, "repetitions, of which the median is reported").positive();
  args.add_flag("--vertices", has_vertices, "which a mesh may do without");
  if(const auto status = args.try_parse(argc, argv))
    return *status;
  return rondo::run(argc, argv, [&](scheduler& s) {
    if(has_vertices)
      measure<with_vertices>(s, nx, ny, colors, reps);
    else
      measure<cells_alone>(s, nx, ny, colors, reps);
  });
}
