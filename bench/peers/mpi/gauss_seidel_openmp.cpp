// Red-black Gauss-Seidel by hand with threads: a rank has a block and its threads have the rows, each
// always the same ones. One parallel region for everything; between the colors there is a barrier.
//
//   mpirun -np 1 --bind-to none peer_mpi_openmp_gauss_seidel --threads 2 --nx 1024 --ny 1024

#include <algorithm>

#include "peers/mpi/halo.hpp"
#include "peers/mpi/program.hpp"

#include <omp.h>

namespace {

using namespace bench::mpi;
using bench::solver::color;
using bench::solver::problem;
using bench::solver::stencil;

class gauss_seidel {
public:
  gauss_seidel(const world& w, const problem& p, const decomposition& d)
      : p_(p), a_(p), b_(d.of(w.rank, p.nx, p.ny)), u_(make_array(b_)), f_(make_array(b_)),
        squares_(static_cast<std::size_t>(b_.height())), red_(MPI_COMM_WORLD, 1),
        black_(MPI_COMM_WORLD, 2) {
    for(const color c : {color::red, color::black})
      add_sides(exchange(c), d, w.rank, b_, u_.get(), c);
  }

  // Each thread writes first what it works on, so that it lies in its part of the memory.
  void first_touch() {
#pragma omp parallel
    {
      zero();
#pragma omp for schedule(static)
      for(coord j = 1; j <= b_.height(); ++j)
        for(coord i = 0; i < b_.stride(); ++i)
          b_.row(f_.get(), j)[i] = p_.source(b_.x0 - 1 + i, b_.y0 - 1 + j);
    }
  }

  void restart() {
#pragma omp parallel
    zero();
  }

  // `sweeps` of them, and a residual after each `sub`, which is asked for when the next one is due.
  void solve(int sweeps, int sub) {
    double own = 0;
    double all = 0;
    MPI_Request sum = MPI_REQUEST_NULL;
#pragma omp parallel
    for(int k = 1; k <= sweeps; ++k) {
      relax(color::red);
      relax(color::black);
      if(sub > 0 && k % sub == 0) {
        take_squares();
#pragma omp master
        {
          MPI_Wait(&sum, MPI_STATUS_IGNORE);
          own = sum_squares();
          MPI_Iallreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &sum);
        }
      }
    }
    MPI_Wait(&sum, MPI_STATUS_IGNORE);
  }

  double residual() {
#pragma omp parallel
    take_squares();
    return sum_squares();
  }
  double error() {
    double sum = 0;
    for(coord j = 1; j <= b_.height(); ++j)
      sum +=
        bench::solver::error(p_, b_.row(u_.get(), j), b_.x0 - 1, b_.y0 - 1 + j, 1, b_.width() + 1);
    return sum;
  }

private:
  halo& exchange(color c) { return c == color::red ? red_ : black_; }

  // The following are called by all threads of a team, and share out the rows.

  void zero() {
#pragma omp for schedule(static)
    for(coord j = 1; j <= b_.height(); ++j)
      std::fill_n(b_.row(u_.get(), j), b_.stride(), 0.0);
#pragma omp single
    {
      std::fill_n(b_.row(u_.get(), 0), b_.stride(), 0.0);
      std::fill_n(b_.row(u_.get(), b_.height() + 1), b_.stride(), 0.0);
    }
  }

  void relax(color c) {
#pragma omp for schedule(static)
    for(coord j = 1; j <= b_.height(); ++j) {
      double* const u = b_.row(u_.get(), j);
      bench::solver::relax(a_, u, u - b_.stride(), u + b_.stride(), b_.row(f_.get(), j), 1,
        b_.width() + 1, b_.parity(c, j));
    }
    if(!exchange(c).empty()) {
#pragma omp master
      {
        exchange(c).start();
        exchange(c).finish();
      }
#pragma omp barrier
    }
  }

  void take_squares() {
#pragma omp for schedule(static)
    for(coord j = 1; j <= b_.height(); ++j) {
      const double* const u = b_.row(u_.get(), j);
      squares_[static_cast<std::size_t>(j - 1)] = bench::solver::residual(
        a_, u, u - b_.stride(), u + b_.stride(), b_.row(f_.get(), j), 1, b_.width() + 1);
    }
  }
  // Not before the next residual, which comes after barriers, are these written again.
  [[nodiscard]] double sum_squares() const {
    double sum = 0;
    for(const double s : squares_)
      sum += s;
    return sum;
  }

  problem p_;
  stencil a_;
  block b_;
  array u_;
  array f_;
  std::vector<double> squares_; // row by row
  halo red_;
  halo black_;
};

} // namespace

int main(int argc, char** argv) {
  return run(argc, argv, MPI_THREAD_FUNNELED, [&](const world& w) {
    solver_options o;
    o.threads = omp_get_max_threads();
    o.parse(argc, argv, "sweeps", [&](bench::arguments& args) {
      args.add("--sub", o.sub, "sweeps between two residuals; 0: only one, in the end");
      args.add("--threads", o.threads, "threads per rank").positive();
    });
    omp_set_num_threads(o.threads);
    const decomposition d = o.decompose(w);
    const problem p{o.nx, o.ny};
    gauss_seidel g(w, p, d);
    g.first_touch();

    stopwatch time;
    g.solve(o.sweeps, o.sub); // to get warm
    for(int rep = 0; rep < o.reps; ++rep) {
      g.restart();
      time.measure([&] { g.solve(o.sweeps, o.sub); });
    }

    auto line = describe("MPI+OpenMP", w, o, d);
    time.report(line, "sweep", o.sweeps);
    line["residual"] = std::sqrt(sum_over_ranks(g.residual()));
    line["error"] = std::sqrt(sum_over_ranks(g.error()) * p.hx() * p.hy());
    print(w, line);
  });
}
