// Red-black Gauss-Seidel by hand: blocks with halos that travel while the inner vertices are relaxed, and
// residuals that are summed up while the next sweeps run.
//
//   mpirun -np 2 peer_mpi_gauss_seidel --nx 1024 --ny 1024 --sweeps 100
//
// With --fused, where blocks have whole rows, black vertices are relaxed right behind the red ones, one
// row later: a sweep goes through the memory once and not twice.
//
// With --alone, each block by itself, as if it had no neighbours: what the arithmetic takes, and nobody can do
// without. Its results are those of another problem.

#include <algorithm>

#include "peers/mpi/halo.hpp"
#include "peers/mpi/program.hpp"

namespace {

using namespace bench::mpi;
using bench::solver::color;
using bench::solver::problem;
using bench::solver::stencil;

class gauss_seidel {
public:
  gauss_seidel(const world& w, const problem& p, const decomposition& d)
      : p_(p), a_(p), b_(d.of(w.rank, p.nx, p.ny)), u_(make_array(b_)), f_(make_array(b_)),
        red_(MPI_COMM_WORLD, 1), black_(MPI_COMM_WORLD, 2) {
    for(coord j = 0; j < b_.height() + 2; ++j)
      for(coord i = 0; i < b_.stride(); ++i)
        b_.row(f_.get(), j)[i] = p.source(b_.x0 - 1 + i, b_.y0 - 1 + j);
    for(const color c : {color::red, color::black})
      add_sides(exchange(c), d, w.rank, b_, u_.get(), c);
    // Which sides others wait for.
    above_ = d.neighbour(w.rank, 0, -1) >= 0;
    below_ = d.neighbour(w.rank, 0, 1) >= 0;
    left_ = d.neighbour(w.rank, -1, 0) >= 0;
    right_ = d.neighbour(w.rank, 1, 0) >= 0;
  }

  void restart() { std::fill_n(u_.get(), b_.size(), 0.0); }

  void sweep_alone() {
    for(const color c : {color::red, color::black})
      for(coord j = 1; j <= b_.height(); ++j)
        relax(c, j);
  }

  void sweep() {
    for(const color c : {color::red, color::black}) {
      relax_rim(c);
      exchange(c).start();
      relax_inside(c);
      exchange(c).finish();
    }
  }

  // The same vertices in an order that depends on nothing else. In the upper half of the block, what has
  // been sent of the black vertices still travels; in the lower half, the red ones do.
  void fused_sweeps(int n) {
    const coord last = b_.height();
    const coord half = last / 2;
    const auto both = [this](coord j) {
      relax(color::red, j);
      if(j > 3) // row 2 needs red ones of row 1, which come later
        relax(color::black, j - 1);
    };
    for(int k = 0; k < n; ++k) {
      for(coord j = 2; j <= half; ++j) {
        both(j);
        if(j % 64 == 0)
          black_.progress();
      }
      if(k > 0)
        black_.finish();
      relax(color::red, 1);
      if(last > 1)
        relax(color::red, last);
      red_.start();
      for(coord j = std::max<coord>(half + 1, 2); j < last; ++j) {
        both(j);
        if(j % 64 == 0)
          red_.progress();
      }
      if(last > 3) // the black rows that are left and need no other rank
        relax(color::black, last - 1);
      if(last > 2)
        relax(color::black, 2);
      red_.finish();
      relax(color::black, 1);
      if(last > 1)
        relax(color::black, last);
      black_.start();
    }
    if(n > 0)
      black_.finish();
  }

  // The sum of the squares of the block. Row by row, and these in order.
  double residual() {
    double sum = 0;
    for(coord j = 1; j <= b_.height(); ++j)
      sum += bench::solver::residual(a_, b_.row(u_.get(), j), b_.row(u_.get(), j - 1),
        b_.row(u_.get(), j + 1), b_.row(f_.get(), j), 1, b_.width() + 1);
    return sum;
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

  void relax(color c, coord j) { relax(c, j, 1, b_.width() + 1); }
  void relax(color c, coord j, coord begin, coord end) {
    double* const u = b_.row(u_.get(), j);
    bench::solver::relax(
      a_, u, u - b_.stride(), u + b_.stride(), b_.row(f_.get(), j), begin, end, b_.parity(c, j));
  }

  // A block of a single row or column has both sides in it.
  void relax_rim(color c) {
    if(above_)
      relax(c, 1);
    if(below_ && !(above_ && b_.height() == 1))
      relax(c, b_.height());
    for(coord j = 1 + above_; j < b_.height() + 1 - below_; ++j) {
      if(left_)
        relax(c, j, 1, 2);
      if(right_ && !(left_ && b_.width() == 1))
        relax(c, j, b_.width(), b_.width() + 1);
    }
  }
  void relax_inside(color c) {
    const coord end = b_.height() + 1 - below_;
    const coord step = std::max<coord>(b_.height() / 4, 16384 / b_.width() + 1);
    coord next = step;
    for(coord j = 1 + above_; j < end; ++j) {
      relax(c, j, 1 + left_, b_.width() + 1 - right_);
      if(j >= next) {
        exchange(c).progress();
        next += step;
      }
    }
  }

  problem p_;
  stencil a_;
  block b_;
  array u_;
  array f_;
  halo red_;
  halo black_;
  bool above_;
  bool below_;
  bool left_;
  bool right_;
};

enum class way { overlapped, fused, alone };

const char* name_of(way how) {
  switch(how) {
  case way::fused:
    return "MPI, fused";
  case way::alone:
    return "arithmetic alone";
  default:
    return "MPI";
  }
}

// `sweeps` of them, and a residual after each `sub`, which is asked for when the next one is due.
void solve(gauss_seidel& g, const solver_options& o, way how) {
  double own = 0;
  double all = 0;
  MPI_Request sum = MPI_REQUEST_NULL;
  const int pass = o.sub > 0 ? o.sub : o.sweeps;
  for(int done = 0; done < o.sweeps;) {
    const int n = std::min(pass, o.sweeps - done);
    if(how == way::fused)
      g.fused_sweeps(n);
    else
      for(int k = 0; k < n; ++k)
        how == way::alone ? g.sweep_alone() : g.sweep();
    done += n;
    if(o.sub > 0) {
      const double squares = g.residual();
      if(how == way::alone) {
        all += squares;
        continue;
      }
      MPI_Wait(&sum, MPI_STATUS_IGNORE);
      own = squares;
      MPI_Iallreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &sum);
    }
  }
  MPI_Wait(&sum, MPI_STATUS_IGNORE);
}

} // namespace

int main(int argc, char** argv) {
  return run(argc, argv, MPI_THREAD_SINGLE, [&](const world& w) {
    solver_options o;
    bool is_fused = false;
    bool is_alone = false;
    o.parse(argc, argv, "sweeps", [&](bench::arguments& args) {
      args.add("--sub", o.sub, "sweeps between two residuals; 0: only one, in the end");
      const auto fused =
        args.add_flag("--fused", is_fused, "black vertices a row behind the red ones");
      args.add_flag("--alone", is_alone, "each block by itself: the arithmetic, and nothing else")
        .excludes(fused);
    });
    const way how = is_fused ? way::fused : is_alone ? way::alone : way::overlapped;
    if(how == way::fused && o.grid.empty())
      o.grid = "1x" + std::to_string(w.size);
    const decomposition d = o.decompose(w);
    if(how == way::fused && d.px != 1)
      throw std::runtime_error("--fused needs blocks of whole rows");
    const problem p{o.nx, o.ny};
    gauss_seidel g(w, p, d);

    stopwatch time;
    for(int rep = -1; rep < o.reps; ++rep) {
      g.restart();
      if(rep < 0)
        solve(g, o, how); // the first time, to get warm
      else
        time.measure([&] { solve(g, o, how); });
    }

    auto line = describe(name_of(how), w, o, d);
    time.report(line, "sweep", o.sweeps);
    if(how == way::alone) {
      print(w, line);
      return;
    }
    line["residual"] = std::sqrt(sum_over_ranks(g.residual()));
    line["error"] = std::sqrt(sum_over_ranks(g.error()) * p.hx() * p.hy());
    print(w, line);
  });
}
