// Diffusion face by face, by hand: halos of what is read, and one message back to each neighbour with what its vertices get,
// which travels while the inner faces are worked on.
//
//   mpirun -np 2 peer_mpi_contributions --nx 1024 --ny 1024 --passes 100

#include "contributions/kernel.hpp"
#include "peers/mpi/halo.hpp"
#include "peers/mpi/program.hpp"

#include <algorithm>

namespace {

using namespace bench::mpi;
using bench::contributions::across;
using bench::contributions::along;

class solver {
public:
  solver(const world& w, coord nx, coord ny, const decomposition& d)
      : b_(d.of(w.rank, nx, ny)), above_(d.neighbour(w.rank, 0, -1) >= 0),
        left_(d.neighbour(w.rank, -1, 0) >= 0), u_(w, d, b_, 1), v_(w, d, b_, 3) {}

  void restart() {
    for(coord j = 0; j < b_.height() + 2; ++j)
      for(coord i = 0; i < b_.stride(); ++i) {
        u_.row(j)[i] = bench::contributions::start(b_.x0 - 1 + i, b_.y0 - 1 + j);
        v_.row(j)[i] = 0;
      }
  }
  void solve(int passes) {
    for(int k = 0; k != passes / 2; ++k) {
      carry(v_, u_);
      carry(u_, v_);
    }
  }
  [[nodiscard]] double square() {
    double all = 0;
    for(coord j = 1; j <= b_.height(); ++j)
      all += bench::solver::dot(u_.row(j), u_.row(j), 1, b_.width() + 1);
    return sum_over_ranks(all);
  }

private:
  // An array, the halo of it, and what it has for the blocks on the left and above.
  struct values {
    values(const world& w, const decomposition& d, const block& of, int tag)
        : b(of), all(make_array(of)), ghosts(MPI_COMM_WORLD, tag), back(MPI_COMM_WORLD, tag + 1) {
      add_sides(ghosts, d, w.rank, b, all.get());
      const auto row_of = [&](coord j) { return strip{row(j) + 1, 1, b.width()}; };
      const auto column = [&](coord i) { return strip{row(1) + i, b.stride(), b.height()}; };
      const strip nothing{nullptr, 1, 0};
      back.add(d.neighbour(w.rank, 0, -1), row_of(0), nothing);
      back.add(d.neighbour(w.rank, 0, 1), nothing, row_of(b.height() + 1));
      back.add(d.neighbour(w.rank, -1, 0), column(0), nothing);
      back.add(d.neighbour(w.rank, 1, 0), nothing, column(b.width() + 1));
      has_below = d.neighbour(w.rank, 0, 1) >= 0;
      has_right = d.neighbour(w.rank, 1, 0) >= 0;
    }
    [[nodiscard]] double* row(coord j) const { return b.row(all.get(), j); }
    // What has come in place of ghosts.
    void add_what_came() {
      const coord w = b.width(), h = b.height();
      if(has_below)
        for(coord i = 1; i <= w; ++i)
          row(h)[i] += row(h + 1)[i];
      if(has_right)
        for(coord j = 1; j <= h; ++j)
          row(j)[w] += row(j)[w + 1];
    }

    block b;
    array all;
    halo ghosts;
    halo back;
    bool has_below;
    bool has_right;
  };

  void carry(values& to, values& c) {
    const coord w = b_.width(), h = b_.height();
    c.ghosts.start();
    std::fill_n(to.row(0) + 1, w, 0.0);
    for(coord j = 1; j <= h; ++j) {
      to.row(j)[0] = 0;
      std::copy_n(c.row(j) + 1, w, to.row(j) + 1);
    }
    c.ghosts.finish();
    // Faces to others first.
    if(above_)
      across(to.row(1), to.row(0), c.row(1), c.row(0), 1, w + 1);
    if(left_)
      for(coord j = 1; j <= h; ++j)
        along(to.row(j), c.row(j), 1, 2);
    to.back.start();
    const coord step = std::max<coord>(h / 4, 16384 / w + 1);
    for(coord j = 1, next = step; j <= h; ++j) {
      along(to.row(j), c.row(j), 2, w + 1);
      if(j > 1)
        across(to.row(j), to.row(j - 1), c.row(j), c.row(j - 1), 1, w + 1);
      if(j >= next) {
        to.back.progress();
        next += step;
      }
    }
    to.back.finish();
    to.add_what_came();
  }

  block b_;
  bool above_;
  bool left_;
  values u_;
  values v_;
};

} // namespace

int main(int argc, char** argv) {
  return run(argc, argv, MPI_THREAD_SINGLE, [&](const world& w) {
    solver_options o;
    o.parse(argc, argv, "passes", [](bench::arguments&) {});
    const decomposition d = o.decompose(w);
    solver g(w, o.nx, o.ny, d);
    stopwatch time;
    for(int rep = -1; rep < o.reps; ++rep) {
      g.restart();
      if(rep < 0)
        g.solve(o.sweeps); // the first time, to get warm
      else
        time.measure([&] { g.solve(o.sweeps); });
    }
    auto line = describe("MPI", w, o, d, "passes");
    time.report(line, "pass", o.sweeps);
    line["square"] = g.square();
    print(w, line);
  });
}
