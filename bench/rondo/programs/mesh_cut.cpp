// How good a cut of a mesh is: the faces between colors, and the time that all ranks need for the cut. The mesh has no lines that a plane could
// go along: vertices of a box are moved. Which cut it is, is said when this is compiled: CUT, a cut_function, which the output calls NAME_OF_CUT.
//
//   mpirun -np 2 rondo_mesh_cut --nx 500 --ny 250 --colors 16
//   mpirun -np 2 peer_metis_mesh_cut --nx 40 --ny 40 --nz 40 --colors 64      (tetrahedra)

#include "rondo/programs/program.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include <rondo/unstructured.hpp>

using namespace rondo;

namespace {

using mesh = unstructured<kind::cells, links<kind::cells, kind::cells>>;

/// Each between two cells, of which one owner sees the other one as a ghost: so both owners count it.
std::int64_t faces_at_borders(mesh::view m) {
  std::int64_t all = 0;
  for(const auto c : m.owned<kind::cells>())
    for(const auto other : m.cells_of(c))
      all += other < m.owned<kind::cells>().size() ? 0 : 1;
  return all;
}

/// From -1/2 to 1/2: the last step of the generator splitmix64.
double drawn(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return static_cast<double>((x ^ (x >> 31)) >> 11) * 0x1p-53 - 0.5;
}

/// By the number of the vertex, so all parts have it at the same place; and turned a little.
mesh_piece shaken(mesh_piece p, double distance) {
  for(std::size_t v = 0; v != p.vertices.size(); ++v) {
    position& at = p.positions[v];
    for(std::size_t a = 0; a != p.dimension; ++a)
      at[a] += distance * drawn(3 * static_cast<std::uint64_t>(p.vertices[v]) + a);
    at = {at[0] + .6 * at[1], at[1] - .6 * at[0], at[2] + .3 * at[1]};
  }
  return p;
}

} // namespace

int main(int argc, char** argv) {
  std::int64_t nx = 500;
  std::int64_t ny = 250;
  std::int64_t nz = 0;
  color_id colors = 16;
  int reps = 3;
  bench::arguments args;
  args.add("--nx", nx, "squares or cubes in x").positive();
  args.add("--ny", ny, "in y").positive();
  args.add("--nz", nz, "in z; 0: triangles").non_negative();
  args.add("--colors", colors, "of all ranks").positive();
  args.add("--reps", reps, "repetitions, of which the median is reported").positive();
  if(const auto status = args.try_parse(argc, argv))
    return *status;
  return rondo::run(argc, argv, [&](scheduler& s) {
    bench::programs::stopwatch made(s);
    const auto pieces = [&](unsigned part, unsigned parts) {
      const double distance = .9 / static_cast<double>(nx);
      return nz == 0 ? shaken(box_of_triangles{nx, ny}(part, parts), distance)
                     : shaken(box_of_tetrahedra{nx, ny, nz}(part, parts), distance);
    };
    std::vector<double> times;
    std::int64_t between = 0;
    std::int64_t cells = 0;
    for(int rep = 0; rep != reps; ++rep) {
      double own = 0;
      const cut_function timed = [&own](detail::team& all, const uncut_cells& some, color_id n) {
        std::vector<color_id> cut;
        own = 1e-3 * bench::time_of([&] { cut = CUT(all, some, n); });
        return cut;
      };
      mesh m{s, pieces, {.colors = colors, .over = seen_over::faces, .cut = timed}};
      times.push_back(made.largest(own));
      between = s.reduce<faces_at_borders, fold::sum>(m).get() / 2;
      cells = m.count<kind::cells>();
    }
    bench::line line = {{"program", NAME_OF_CUT}, {"cells", cells}, {"ranks", s.ranks()},
      {"colors", colors}, {"faces_between", between}};
    bench::report(line, times, "cut", 1);
    bench::programs::print(s, line);
  });
}
