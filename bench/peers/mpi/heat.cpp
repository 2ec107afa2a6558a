// Implicit heat by hand: time steps whose length is chosen by a maximum over all ranks, and conjugate gradients in
// each, with one halo and two sums over all ranks in each iteration, which both wait.
//
//   mpirun -np 2 peer_mpi_heat --nx 1024 --ny 1024 --steps 10

#include <algorithm>

#include "nested/kernel.hpp"
#include "peers/mpi/halo.hpp"
#include "peers/mpi/program.hpp"

namespace {

using namespace bench::mpi;
using bench::nested::heat;
using bench::solver::stencil;

double largest_of_ranks(double value) {
  double all = 0;
  MPI_Allreduce(&value, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

class solver {
public:
  solver(const world& w, const heat& h, const decomposition& d, double tolerance, int most)
      : heat_(h), a_(h.mesh), b_(d.of(w.rank, h.mesh.nx, h.mesh.ny)), tolerance_(tolerance),
        most_(most), u_(make_array(b_)), f_(make_array(b_)), r_(make_array(b_)), p_(make_array(b_)),
        q_(make_array(b_)), w_(make_array(b_)), halo_of_u_(MPI_COMM_WORLD, 1),
        halo_of_p_(MPI_COMM_WORLD, 2) {
    add_sides(halo_of_u_, d, w.rank, b_, u_.get());
    add_sides(halo_of_p_, d, w.rank, b_, p_.get());
    above_ = d.neighbour(w.rank, 0, -1) >= 0;
    below_ = d.neighbour(w.rank, 0, 1) >= 0;
    left_ = d.neighbour(w.rank, -1, 0) >= 0;
    right_ = d.neighbour(w.rank, 1, 0) >= 0;
  }

  void restart() {
    for(coord j = 0; j < b_.height() + 2; ++j)
      for(coord i = 0; i < b_.stride(); ++i) {
        const coord x = b_.x0 - 1 + i;
        const coord y = b_.y0 - 1 + j;
        const bool is_inside = x > 0 && x < heat_.mesh.nx - 1 && y > 0 && y < heat_.mesh.ny - 1;
        row(u_, j)[i] = is_inside ? heat_.start(x, y) : 0;
        row(f_, j)[i] = is_inside ? heat_.mesh.source(x, y) : 0;
        row(p_, j)[i] = 0;
      }
    time_ = 0;
    iterations_ = 0;
  }

  void solve() {
    while(!heat_.is_over(time_))
      step();
  }

  [[nodiscard]] int iterations() const { return iterations_; }
  [[nodiscard]] double time() const { return time_; }
  [[nodiscard]] double square() const {
    return sum_over_ranks(sum([&](coord j, coord begin, coord end) {
      return bench::solver::dot(row(u_, j), row(u_, j), begin, end);
    }));
  }

private:
  void step() {
    double largest = 0;
    beside_halo(halo_of_u_, [&](coord j, coord begin, coord end) {
      largest = std::max(largest, bench::nested::rate(a_, row(r_, j), row(u_, j), row(u_, j - 1),
                                    row(u_, j + 1), row(f_, j), begin, end));
    });
    const double dt = heat_.step(largest_of_ranks(largest));
    const double first = sum_over_ranks(sum([&](coord j, coord begin, coord end) {
      return bench::nested::begin(dt, row(w_, j), row(p_, j), row(r_, j), begin, end);
    }));
    double squares = first;
    for(int k = 0; k != most_; ++k) {
      squares = iterate(dt, squares);
      ++iterations_;
      if(!(squares > tolerance_ * tolerance_ * first))
        break;
    }
    for(coord j = 1; j <= b_.height(); ++j)
      bench::nested::take(row(u_, j), row(w_, j), 1, b_.width() + 1);
    time_ += dt;
  }

  double iterate(double dt, double squares) {
    double pq = 0;
    beside_halo(halo_of_p_, [&](coord j, coord begin, coord end) {
      pq += bench::nested::apply(
        a_, dt / 2, row(q_, j), row(p_, j), row(p_, j - 1), row(p_, j + 1), begin, end);
    });
    const double alpha = squares / sum_over_ranks(pq);
    const double left = sum_over_ranks(sum([&](coord j, coord begin, coord end) {
      return bench::solver::advance(
        alpha, row(w_, j), row(p_, j), row(r_, j), row(q_, j), begin, end);
    }));
    for(coord j = 1; j <= b_.height(); ++j)
      bench::solver::turn(left / squares, row(p_, j), row(r_, j), 1, b_.width() + 1);
    return left;
  }

  // work(j, begin, end) for all of the block; the halo travels while the inner vertices are worked on.
  template<class Work>
  void beside_halo(halo& h, const Work& work) {
    h.start();
    const coord begin = 1 + left_;
    const coord end = b_.width() + 1 - right_;
    const coord last = b_.height() + 1 - below_;
    const coord step = std::max<coord>(b_.height() / 4, 16384 / b_.width() + 1);
    const auto part = [&](coord j, coord from, coord to) {
      if(from < to)
        work(j, from, to);
    };
    for(coord j = 1 + above_, next = step; j < last; ++j) {
      part(j, begin, end);
      if(j >= next) {
        h.progress();
        next += step;
      }
    }
    h.finish();
    for(coord j = 1 + above_; j < last; ++j) {
      if(left_)
        part(j, 1, 2);
      if(right_ && !(left_ && b_.width() == 1))
        part(j, b_.width(), b_.width() + 1);
    }
    if(above_)
      part(1, 1, b_.width() + 1);
    if(below_ && !(above_ && b_.height() == 1))
      part(b_.height(), 1, b_.width() + 1);
  }

  template<class Row>
  double sum(const Row& of_row) const {
    double all = 0;
    for(coord j = 1; j <= b_.height(); ++j)
      all += of_row(j, coord{1}, b_.width() + 1);
    return all;
  }

  [[nodiscard]] double* row(const array& a, coord j) const { return b_.row(a.get(), j); }

  heat heat_;
  stencil a_;
  block b_;
  double tolerance_;
  int most_;
  array u_;
  array f_;
  array r_;
  array p_;
  array q_;
  array w_;
  halo halo_of_u_;
  halo halo_of_p_;
  double time_ = 0;
  int iterations_ = 0;
  bool above_;
  bool below_;
  bool left_;
  bool right_;
};

} // namespace

int main(int argc, char** argv) {
  return run(argc, argv, MPI_THREAD_SINGLE, [&](const world& w) {
    solver_options o;
    double tolerance = 1e-6;
    double steps = 10;
    o.parse(argc, argv, "iterations", [&](bench::arguments& args) {
      args.add("--tolerance", tolerance, "an inner loop ends when |r| is so small a part");
      args.add("--steps", steps, "of the longest length, that make up the time");
    });
    const decomposition d = o.decompose(w);
    solver g(w, {{o.nx, o.ny}, steps}, d, tolerance, 1000);

    stopwatch time;
    for(int rep = -1; rep < o.reps; ++rep) {
      g.restart();
      if(rep < 0)
        g.solve(); // the first time, to get warm
      else
        time.measure([&] { g.solve(); });
    }

    auto line = describe("MPI", w, o, d, "iterations");
    line["iterations"] = g.iterations();
    time.report(line, "iteration", std::max(g.iterations(), 1));
    line["time"] = g.time();
    line["square"] = g.square();
    print(w, line);
  });
}
