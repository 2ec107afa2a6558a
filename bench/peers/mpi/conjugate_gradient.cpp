// Conjugate gradients by hand, without preconditioner, as in the textbook: one halo and two sums over all
// ranks in each iteration, which both wait.
//
//   mpirun -np 2 peer_mpi_conjugate_gradient --nx 1024 --ny 1024 --iterations 100
//
// With --tolerance it stops as soon as |r| is so small a part of what it was.

#include <algorithm>

#include "peers/mpi/halo.hpp"
#include "peers/mpi/program.hpp"

namespace {

using namespace bench::mpi;
using bench::solver::problem;
using bench::solver::stencil;

class conjugate_gradient {
public:
  conjugate_gradient(const world& w, const problem& problem, const decomposition& d)
      : problem_(problem), a_(problem), b_(d.of(w.rank, problem.nx, problem.ny)),
        u_(make_array(b_)), r_(make_array(b_)), p_(make_array(b_)), q_(make_array(b_)),
        halo_(MPI_COMM_WORLD, 1) {
    add_sides(halo_, d, w.rank, b_, p_.get());
    above_ = d.neighbour(w.rank, 0, -1) >= 0;
    below_ = d.neighbour(w.rank, 0, 1) >= 0;
    left_ = d.neighbour(w.rank, -1, 0) >= 0;
    right_ = d.neighbour(w.rank, 1, 0) >= 0;
  }

  void restart() {
    std::fill_n(q_.get(), b_.size(), 0.0);
    each_vertex([&](coord j, coord i, coord y, coord x) {
      row(u_, j)[i] = row(p_, j)[i] = problem_.start(x, y);
    });
    apply(); // to p = u
    each_vertex([&](coord j, coord i, coord y, coord x) {
      const bool own = j > 0 && j <= b_.height() && i > 0 && i <= b_.width();
      row(r_, j)[i] = row(p_, j)[i] = own ? problem_.source(x, y) - row(q_, j)[i] : 0.0;
    });
    squares_ = sum_over_ranks(sum([&](coord j, coord begin, coord end) {
      return bench::solver::dot(row(r_, j), row(r_, j), begin, end);
    }));
  }

  // How many iterations were done.
  int solve(int most, double tolerance) {
    const double enough = tolerance * tolerance * squares_;
    int done = 0;
    while(done < most && squares_ > enough) {
      iterate();
      ++done;
    }
    return done;
  }

  [[nodiscard]] double residual() const { return std::sqrt(squares_); }
  [[nodiscard]] double error() const {
    return sum([&](coord j, coord begin, coord end) {
      return bench::solver::error(problem_, row(u_, j), b_.x0 - 1, b_.y0 - 1 + j, begin, end);
    });
  }

private:
  void iterate() {
    const double alpha = squares_ / sum_over_ranks(apply());
    const double squares = sum_over_ranks(sum([&](coord j, coord begin, coord end) {
      return bench::solver::advance(
        alpha, row(u_, j), row(p_, j), row(r_, j), row(q_, j), begin, end);
    }));
    const double beta = squares / squares_;
    squares_ = squares;
    for(coord j = 1; j <= b_.height(); ++j)
      bench::solver::turn(beta, row(p_, j), row(r_, j), 1, b_.width() + 1);
  }

  // q = A p, and this rank's part of their product. The halo of p travels while the inner vertices are
  // worked on.
  double apply() {
    halo_.start();
    const coord begin = 1 + left_;
    const coord end = b_.width() + 1 - right_;
    const coord last = b_.height() + 1 - below_;
    const coord step = std::max<coord>(b_.height() / 4, 16384 / b_.width() + 1);
    double sum = 0;
    for(coord j = 1 + above_, next = step; j < last; ++j) {
      sum += apply(j, begin, end);
      if(j >= next) {
        halo_.progress();
        next += step;
      }
    }
    halo_.finish();
    for(coord j = 1 + above_; j < last; ++j) {
      if(left_)
        sum += apply(j, 1, 2);
      if(right_ && !(left_ && b_.width() == 1))
        sum += apply(j, b_.width(), b_.width() + 1);
    }
    if(above_)
      sum += apply(1, 1, b_.width() + 1);
    if(below_ && !(above_ && b_.height() == 1))
      sum += apply(b_.height(), 1, b_.width() + 1);
    return sum;
  }
  double apply(coord j, coord begin, coord end) {
    if(begin >= end)
      return 0;
    return bench::solver::apply(
      a_, row(q_, j), row(p_, j), row(p_, j - 1), row(p_, j + 1), begin, end);
  }

  // f(j, i, y, x): element i of row j is vertex (x, y).
  template<class F>
  void each_vertex(const F& f) {
    for(coord j = 0; j < b_.height() + 2; ++j)
      for(coord i = 0; i < b_.stride(); ++i)
        f(j, i, b_.y0 - 1 + j, b_.x0 - 1 + i);
  }

  template<class Row>
  double sum(const Row& of_row) const {
    double all = 0;
    for(coord j = 1; j <= b_.height(); ++j)
      all += of_row(j, coord{1}, b_.width() + 1);
    return all;
  }

  [[nodiscard]] double* row(const array& a, coord j) const { return b_.row(a.get(), j); }

  problem problem_;
  stencil a_;
  block b_;
  array u_;
  array r_;
  array p_;
  array q_;
  halo halo_;
  double squares_ = 0; // of r, over all ranks
  bool above_;
  bool below_;
  bool left_;
  bool right_;
};

} // namespace

int main(int argc, char** argv) {
  return run(argc, argv, MPI_THREAD_SINGLE, [&](const world& w) {
    solver_options o;
    double tolerance = 0;
    o.parse(argc, argv, "iterations", [&](bench::arguments& args) {
      args.add("--tolerance", tolerance, "stop when |r| is so small a part of the first one");
    });
    const decomposition d = o.decompose(w);
    const problem p{o.nx, o.ny};
    conjugate_gradient g(w, p, d);

    stopwatch time;
    int done = 0;
    for(int rep = -1; rep < o.reps; ++rep) {
      g.restart();
      if(rep < 0)
        done = g.solve(o.sweeps, tolerance); // the first time, to get warm
      else
        time.measure([&] { done = g.solve(o.sweeps, tolerance); });
    }

    auto line = describe("MPI", w, o, d, "iterations");
    line["iterations"] = done;
    time.report(line, "iteration", std::max(done, 1));
    line["residual"] = g.residual();
    line["error"] = std::sqrt(sum_over_ranks(g.error()) * p.hx() * p.hy());
    print(w, line);
  });
}
