// An elastic body of tetrahedra with threads that share it. Two tetrahedra with a common corner add to the same force: by atomic
// additions, or one color of tetrahedra after the other, of which no two have a common corner.
//
//   mpirun -np 1 --bind-to none peer_openmp_mesh_elastic --n 44 --passes 20 --mode atomics --threads 2

#include "peers/mpi/mesh_part.hpp"
#include "unstructured/elastic.hpp"

#include <algorithm>
#include <bitset>
#include <stdexcept>

#include <omp.h>
#include <rondo/meshes/boxes.hpp>

namespace {

using namespace bench::mpi;
using bench::unstructured::gather;
using bench::unstructured::vector;

struct array {
  const vector* at;
  const vector& operator()(number v) const { return at[v]; }
};

void add(vector& to, const vector& what) { to += what; }
void add_atomically(vector& to, const vector& what) {
#pragma omp atomic
  to.x += what.x;
#pragma omp atomic
  to.y += what.y;
#pragma omp atomic
  to.z += what.z;
}

class solver {
public:
  solver(const world& w, std::int64_t n, bool is_colored)
      : step_(bench::unstructured::time_step(n)) {
    if(w.size != 1)
      throw std::runtime_error("this program is for one process");
    constexpr auto cells = rondo::detail::index_of(rondo::element_kind::cells);
    constexpr auto vertices = rondo::detail::index_of(rondo::element_kind::vertices);
    rondo::detail::mesh_wish wish;
    wish.kinds[cells] = wish.kinds[vertices] = true;
    const auto part =
      part_of_mesh(w, rondo::box_of_tetrahedra{n, n, n}, rondo::element_kind::vertices, wish);
    cells_ = static_cast<number>(part.elements[cells].owned);
    vertices_ = static_cast<number>(part.elements[vertices].owned);
    corners_ = table_of(part.tables[cells][vertices], cells_).entries;
    for(const rondo::position& p : part.positions)
      at_.push_back({p[0], p[1], p[2]});
    u_.resize(size());
    velocity_.resize(size());
    f_.resize(size());
    mass_.resize(size());
    if(is_colored)
      sort_by_colors();
    for(number c = 0; c != cells_; ++c) {
      const double each = bench::unstructured::mass(gather(array{at_.data()}, row(c)));
      for(std::size_t k = 0; k != 4; ++k)
        mass_[static_cast<std::size_t>(row(c)[k])] += each;
    }
  }

  void restart() {
    for(std::size_t v = 0; v != size(); ++v) {
      u_[v] = bench::unstructured::displacement(at_[v]);
      velocity_[v] = {};
    }
  }
  // One parallel region for everything.
  void solve(int passes) {
#pragma omp parallel
    for(int k = 0; k != passes; ++k) {
#pragma omp for schedule(static)
      for(number v = 0; v < vertices_; ++v)
        f_[static_cast<std::size_t>(v)] = {};
      if(ends_.empty())
        deform(0, cells_, &add_atomically);
      else
        for(std::size_t color = 0; color + 1 != ends_.size(); ++color)
          deform(ends_[color], ends_[color + 1], &add);
#pragma omp for schedule(static)
      for(number n = 0; n < vertices_; ++n) {
        const auto v = static_cast<std::size_t>(n);
        bench::unstructured::move(u_[v], velocity_[v], f_[v], step_ / mass_[v], step_);
      }
    }
  }
  [[nodiscard]] double square() const {
    double sum = 0;
    for(const vector& u : u_)
      sum += dot(u, u);
    return sum;
  }
  [[nodiscard]] std::size_t colors() const { return ends_.empty() ? 0 : ends_.size() - 1; }

private:
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(vertices_); }
  [[nodiscard]] const number* row(number c) const {
    return corners_.data() + 4 * static_cast<std::ptrdiff_t>(c);
  }

  // Each tetrahedron gets the first color that none at its corners has; within a color the order stays.
  void sort_by_colors() {
    std::vector<std::bitset<128>> taken(size());
    std::vector<std::vector<number>> of_color;
    for(number c = 0; c != cells_; ++c) {
      std::bitset<128> not_these;
      for(std::size_t k = 0; k != 4; ++k)
        not_these |= taken[static_cast<std::size_t>(row(c)[k])];
      std::size_t color = 0;
      while(not_these.test(color))
        ++color;
      of_color.resize(std::max(of_color.size(), color + 1));
      of_color[color].insert(of_color[color].end(), row(c), row(c) + 4);
      for(std::size_t k = 0; k != 4; ++k)
        taken[static_cast<std::size_t>(row(c)[k])].set(color);
    }
    corners_ = {};
    ends_ = {0};
    for(const auto& of : of_color) {
      corners_.insert(corners_.end(), of.begin(), of.end());
      ends_.push_back(static_cast<number>(corners_.size() / 4));
    }
  }
  // Called by all threads; the last one to come here lets them go.
  template<class Add>
  void deform(number first, number last, const Add& add) {
    const array at{at_.data()};
    const array u{u_.data()};
    vector* const f = f_.data();
#pragma omp for schedule(static)
    for(number c = first; c < last; ++c) {
      const number* const its = row(c);
      bench::unstructured::forces(gather(at, its), gather(u, its),
        [&](std::size_t k, const vector& force) { add(f[its[k]], force); });
    }
  }

  double step_;
  number cells_ = 0;
  number vertices_ = 0;
  std::vector<number> corners_; // four of each
  std::vector<number> ends_;    // of each color; none with atomic additions
  std::vector<vector> at_;
  std::vector<vector> u_;
  std::vector<vector> velocity_;
  std::vector<vector> f_;
  std::vector<double> mass_;
};

} // namespace

int main(int argc, char** argv) {
  return run(argc, argv, MPI_THREAD_FUNNELED, [&](const world& w) {
    std::int64_t n = 44;
    int passes = 20;
    int reps = 5;
    int threads = 2;
    std::string mode = "atomics";
    bench::arguments args;
    args.add("--n", n, "cubes along each edge of the box, each of six tetrahedra").positive();
    args.add("--passes", passes, "how many, each time from the start").positive();
    args.add("--reps", reps, "repetitions, of which the median is reported").positive();
    args.add("--threads", threads, "of the process").positive();
    args.add("--mode", mode, "atomics, or coloring").one_of({"atomics", "coloring"});
    args.parse(argc, argv);
    omp_set_num_threads(threads);

    solver g(w, n, mode == "coloring");
    stopwatch time;
    for(int rep = -1; rep < reps; ++rep) {
      g.restart();
      if(rep < 0)
        g.solve(passes); // the first time, to get warm
      else
        time.measure([&] { g.solve(passes); });
    }
    bench::line line = {{"program", "OpenMP, " + mode}, {"cells", 6 * n * n * n}, {"ranks", w.size},
      {"threads", threads}, {"passes", passes}, {"colors", g.colors()}};
    time.report(line, "pass", passes);
    line["square"] = g.square();
    print(w, line);
  });
}
