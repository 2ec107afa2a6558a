// An elastic body of tetrahedra by hand: a part of the mesh for each process. In each pass, forces at vertices of others go to these, while
// the inner tetrahedra are worked on, and displacements come back, while the inner vertices move.
//
//   mpirun -np 2 peer_mpi_mesh_elastic --n 44 --passes 20

#include "peers/mpi/mesh_messages.hpp"
#include "unstructured/elastic.hpp"

#include <algorithm>
#include <span>

#include <rondo/meshes/boxes.hpp>

namespace {

using namespace bench::mpi;
using bench::unstructured::gather;
using bench::unstructured::vector;

struct array {
  const vector* at;
  const vector& operator()(number v) const { return at[v]; }
};

class solver {
public:
  solver(const world& w, std::int64_t n) : step_(bench::unstructured::time_step(n)) {
    constexpr auto cells = rondo::detail::index_of(rondo::element_kind::cells);
    constexpr auto vertices = rondo::detail::index_of(rondo::element_kind::vertices);
    rondo::detail::mesh_wish wish;
    wish.kinds[cells] = wish.kinds[vertices] = true;
    const auto part =
      part_of_mesh(w, rondo::box_of_tetrahedra{n, n, n}, rondo::element_kind::vertices, wish);
    cells_ = elements_of(part.elements[cells]);
    vertices_ = elements_of(part.elements[vertices]);
    corners_ = table_of(part.tables[cells][vertices], cells_.owned).entries;
    for(const rondo::position& p : part.positions)
      at_.push_back({p[0], p[1], p[2]});
    u_.resize(size());
    velocity_.resize(size());
    f_.resize(size());
    weigh();
  }

  void restart() {
    for(std::size_t v = 0; v != size(); ++v) {
      u_[v] = bench::unstructured::displacement(at_[v]);
      velocity_[v] = {};
    }
  }
  void solve(int passes) {
    ghosts<vector> halo(vertices_, u_.data(), 2);
    contributions<vector> back(vertices_, f_.data(), 3);
    halo.start();
    for(int k = 0; k != passes; ++k) {
      std::fill(f_.begin(), f_.end(), vector{});
      halo.finish();
      // All tetrahedra with vertices of others are seen by these.
      deform(cells_.inner, cells_.owned);
      back.start();
      deform(0, cells_.inner);
      back.finish();
      move(vertices_.inner, vertices_.owned);
      halo.start();
      move(0, vertices_.inner);
    }
    halo.finish();
  }
  [[nodiscard]] double square() const {
    double sum = 0;
    for(number v = 0; v != vertices_.owned; ++v)
      sum += dot(u_[static_cast<std::size_t>(v)], u_[static_cast<std::size_t>(v)]);
    return sum_over_ranks(sum);
  }

private:
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(vertices_.all); }
  [[nodiscard]] const number* row(number c) const {
    return corners_.data() + 4 * static_cast<std::ptrdiff_t>(c);
  }

  void weigh() {
    mass_.resize(size());
    for(number c = 0; c != cells_.owned; ++c) {
      const double each = bench::unstructured::mass(gather(array{at_.data()}, row(c)));
      for(std::size_t k = 0; k != 4; ++k)
        mass_[static_cast<std::size_t>(row(c)[k])] += each;
    }
    contributions<double> all(vertices_, mass_.data(), 1);
    all.start();
    all.finish();
  }
  void deform(number first, number last) {
    const array at{at_.data()};
    const array u{u_.data()};
    vector* const f = f_.data();
    for(number c = first; c < last; ++c) {
      const number* const its = row(c);
      bench::unstructured::forces(gather(at, its), gather(u, its),
        [&](std::size_t k, const vector& force) { f[its[k]] += force; });
    }
  }
  void move(number first, number last) {
    for(auto v = static_cast<std::size_t>(first); v < static_cast<std::size_t>(last); ++v)
      bench::unstructured::move(u_[v], velocity_[v], f_[v], step_ / mass_[v], step_);
  }

  double step_;
  elements cells_;
  elements vertices_;
  std::vector<number> corners_; // four of each
  std::vector<vector> at_;
  std::vector<vector> u_;
  std::vector<vector> velocity_;
  std::vector<vector> f_;
  std::vector<double> mass_;
};

} // namespace

int main(int argc, char** argv) {
  return run(argc, argv, MPI_THREAD_SINGLE, [&](const world& w) {
    std::int64_t n = 44;
    int passes = 20;
    int reps = 5;
    bench::arguments args;
    args.add("--n", n, "cubes along each edge of the box, each of six tetrahedra").positive();
    args.add("--passes", passes, "how many, each time from the start").positive();
    args.add("--reps", reps, "repetitions, of which the median is reported").positive();
    args.parse(argc, argv);

    solver g(w, n);
    stopwatch time;
    for(int rep = -1; rep < reps; ++rep) {
      g.restart();
      if(rep < 0)
        g.solve(passes); // the first time, to get warm
      else
        time.measure([&] { g.solve(passes); });
    }
    bench::line line = {{"program", "MPI"}, {"cells", 6 * n * n * n}, {"ranks", w.size},
      {"threads", 1}, {"passes", passes}};
    time.report(line, "pass", passes);
    line["square"] = g.square();
    print(w, line);
  });
}
