// Explicit heat on triangles by hand: a part of the mesh for each process, and a message to and from each neighbour in each pass.
//
//   mpirun -np 2 peer_mpi_mesh_heat --nx 1000 --ny 500 --passes 100 --overlap

#include "peers/mpi/mesh_messages.hpp"
#include "unstructured/heat.hpp"

#include <span>

#include <rondo/meshes/boxes.hpp>

namespace {

using namespace bench::mpi;

struct array {
  const double* at;
  double operator()(number c) const { return at[c]; }
};

class solver {
public:
  solver(const world& w, std::int64_t nx, std::int64_t ny) {
    constexpr auto cells = rondo::detail::index_of(rondo::element_kind::cells);
    rondo::detail::mesh_wish wish;
    wish.kinds[cells] = wish.tables[cells][cells] = true;
    const auto part =
      part_of_mesh(w, rondo::box_of_triangles{nx, ny}, rondo::element_kind::faces, wish);
    cells_ = elements_of(part.elements[cells]);
    neighbours_ = table_of(part.tables[cells][cells], cells_.owned);
  }

  void restart(std::vector<double>& u) const {
    for(number c = 0; c != cells_.owned; ++c)
      u[static_cast<std::size_t>(c)] =
        bench::unstructured::start(cells_.ids[static_cast<std::size_t>(c)]);
  }
  [[nodiscard]] const elements& cells() const { return cells_; }

  // The inner cells while messages travel, or all when they are there.
  void flow(double* to, const double* from, ghosts<double>& halo, bool overlap) const {
    halo.start();
    if(overlap)
      compute(to, from, 0, cells_.inner);
    halo.finish();
    compute(to, from, overlap ? cells_.inner : 0, cells_.owned);
  }

private:
  void compute(double* to, const double* from, number first, number last) const {
    const number* const begins = neighbours_.begins.data();
    const number* const entries = neighbours_.entries.data();
    for(number c = first; c < last; ++c)
      to[c] = bench::unstructured::next(
        array{from}, c, std::span(entries + begins[c], entries + begins[c + 1]));
  }

  elements cells_;
  table neighbours_;
};

} // namespace

int main(int argc, char** argv) {
  return run(argc, argv, MPI_THREAD_SINGLE, [&](const world& w) {
    std::int64_t nx = 1000;
    std::int64_t ny = 500;
    int passes = 100;
    int reps = 5;
    bool overlap = false;
    bench::arguments args;
    args.add("--nx", nx, "squares in x, each of two triangles").positive();
    args.add("--ny", ny, "squares in y").positive();
    args.add("--passes", passes, "how many, each time from the start; an even number").positive();
    args.add("--reps", reps, "repetitions, of which the median is reported").positive();
    args.add_flag("--overlap", overlap, "computes the inner cells while messages travel");
    args.parse(argc, argv);

    const solver g(w, nx, ny);
    std::vector<double> u(static_cast<std::size_t>(g.cells().all));
    std::vector<double> v(u.size());
    ghosts<double> of_u(g.cells(), u.data(), 1);
    ghosts<double> of_v(g.cells(), v.data(), 2);
    const auto solve = [&] {
      for(int k = 0; k != passes / 2; ++k) {
        g.flow(v.data(), u.data(), of_u, overlap);
        g.flow(u.data(), v.data(), of_v, overlap);
      }
    };
    stopwatch time;
    for(int rep = -1; rep < reps; ++rep) {
      g.restart(u);
      if(rep < 0)
        solve(); // the first time, to get warm
      else
        time.measure(solve);
    }
    bench::line line = {{"program", overlap ? "MPI, overlaps" : "MPI"}, {"cells", 2 * nx * ny},
      {"ranks", w.size}, {"threads", 1}, {"passes", passes}};
    time.report(line, "pass", passes);
    double sum = 0;
    for(number c = 0; c != g.cells().owned; ++c)
      sum += u[static_cast<std::size_t>(c)] * u[static_cast<std::size_t>(c)];
    line["square"] = sum_over_ranks(sum);
    print(w, line);
  });
}
