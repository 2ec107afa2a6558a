// V cycles by hand: slabs of rows or planes, each rank one, whose borders are exchanged before each half sweep. A level of
// which some rank would have too little is gathered on all ranks, and those below it are worked on by all, without a message.
//
//   mpirun -np 2 peer_mpi_multigrid --n 2048 --dimensions 2 --cycles 10

#include "multigrid/kernel.hpp"
#include "peers/mpi/program.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace {

using namespace bench::mpi;
namespace kernel = bench::multigrid;
using kernel::coord;

// Of a level, the slabs lo to hi of the last axis, and one more at both ends. In two dimensions a slab is a row.
template<int D>
struct level {
  coord n;
  coord lo;
  coord hi;
  bool is_everywhere; // on each rank all of it
  std::vector<double> u;
  std::vector<double> f;

  level(coord intervals, coord first, coord last, bool all)
      : n(intervals), lo(first), hi(last), is_everywhere(all),
        u(static_cast<std::size_t>((hi - lo + 2) * slab())), f(u.size()) {}
  [[nodiscard]] coord slab() const { return D == 2 ? n + 1 : (n + 1) * (n + 1); }
  double* row(std::vector<double>& a, coord j) { return a.data() + (j - lo + 1) * slab(); }
  double* row(std::vector<double>& a, coord j, coord k) {
    return a.data() + (k - lo + 1) * slab() + j * (n + 1);
  }
  // f(j), or f(j, k), for all rows inside that are this rank's.
  template<class F>
  void for_rows(const F& call) const {
    const coord first = std::max<coord>(lo, 1);
    const coord last = std::min(hi, n);
    for(coord s = first; s < last; ++s)
      if constexpr(D == 2)
        call(s);
      else
        for(coord j = 1; j < n; ++j)
          call(j, s);
  }
};

template<int D>
class multigrid {
public:
  multigrid(const world& w, coord n) : world_(w) {
    const auto share = [&w, slabs = n + 1](int rank) { return slabs * rank / w.size; };
    for(coord by = 1; n >= 2; n /= 2, by *= 2) {
      const auto begin = [&](int rank) { return (share(rank) + by - 1) / by; };
      coord thinnest = n;
      for(int r = 0; r != w.size; ++r)
        thinnest = std::min(thinnest, begin(r + 1) - begin(r));
      const bool all = w.size > 1 && by != 1 && (thinnest < 4 || n <= few);
      if(!levels_.empty() && !levels_.back().is_everywhere && all)
        for(int r = 0; r != w.size; ++r) {
          const coord slab = D == 2 ? n + 1 : (n + 1) * (n + 1);
          counts_.push_back(static_cast<int>((begin(r + 1) - begin(r)) * slab));
          begins_.push_back(static_cast<int>((begin(r) + 1) * slab));
        }
      if(all || w.size == 1)
        levels_.emplace_back(n, 0, n + 1, true);
      else
        levels_.emplace_back(n, begin(w.rank), begin(w.rank + 1), false);
    }
  }

  void restart() {
    level<D>& l = levels_.front();
    std::fill(l.u.begin(), l.u.end(), 0.0);
    l.for_rows([&](coord j, auto... k) {
      for(coord i = 1; i < l.n; ++i)
        l.row(l.f, j, k...)[i] = kernel::source(l.n, i, j, (coord{0} + ... + k));
    });
  }

  void cycle(std::size_t at = 0) {
    level<D>& here = levels_[at];
    if(at + 1 == levels_.size())
      return relax(here, false);
    level<D>& coarse = levels_[at + 1];
    sweep(here, at == 0);
    exchange(here);
    restrict_to(here, coarse);
    cycle(at + 1);
    exchange(coarse);
    correct(here, coarse);
    sweep(here, true);
  }

  double residual() {
    level<D>& l = levels_.front();
    exchange(l);
    double sum = 0;
    l.for_rows([&](auto... row) {
      with_rows(
        l,
        [&](const double* u, const auto*... side) {
          sum += kernel::squares(u, l.row(l.f, row...), 1, l.n, side...);
        },
        row...);
    });
    return std::sqrt(world_.size == 1 || l.is_everywhere ? sum : sum_over_ranks(sum));
  }

private:
  static constexpr coord few = D == 2 ? 32 : 8;

  template<class F>
  static void with_rows(level<D>& l, const F& f, coord j) {
    f(l.row(l.u, j), std::as_const(l).u.data() + (l.row(l.u, j - 1) - l.u.data()),
      std::as_const(l).u.data() + (l.row(l.u, j + 1) - l.u.data()));
  }
  template<class F>
  static void with_rows(level<D>& l, const F& f, coord j, coord k) {
    const auto at = [&](coord y, coord z) -> const double* { return l.row(l.u, y, z); };
    f(l.row(l.u, j, k), at(j - 1, k), at(j + 1, k), at(j, k - 1), at(j, k + 1));
  }

  void relax(level<D>& l, bool black) {
    l.for_rows([&](auto... row) {
      with_rows(
        l,
        [&](double* u, const auto*... side) {
          kernel::relax(u, l.row(l.f, row...), kernel::first_of(black, (row + ...)), l.n, side...);
        },
        row...);
    });
  }
  // Before the first half sweep of a coarse level all is 0.
  void sweep(level<D>& l, bool is_stale) {
    for(int i = 0; i != 4; ++i) {
      if(is_stale || i != 0)
        exchange(l);
      relax(l, i % 2 != 0);
    }
  }

  // The slabs at both ends.
  void exchange(level<D>& l) {
    if(l.is_everywhere)
      return;
    const int size = static_cast<int>(l.slab());
    const int below = world_.rank == 0 ? MPI_PROC_NULL : world_.rank - 1;
    const int above = world_.rank + 1 == world_.size ? MPI_PROC_NULL : world_.rank + 1;
    const auto slab = [&](coord s) { return l.u.data() + (s - l.lo + 1) * l.slab(); };
    MPI_Request all[4];
    MPI_Irecv(slab(l.lo - 1), size, MPI_DOUBLE, below, 0, MPI_COMM_WORLD, &all[0]);
    MPI_Irecv(slab(l.hi), size, MPI_DOUBLE, above, 1, MPI_COMM_WORLD, &all[1]);
    MPI_Isend(slab(l.lo), size, MPI_DOUBLE, below, 1, MPI_COMM_WORLD, &all[2]);
    MPI_Isend(slab(l.hi - 1), size, MPI_DOUBLE, above, 0, MPI_COMM_WORLD, &all[3]);
    MPI_Waitall(4, all, MPI_STATUSES_IGNORE);
  }

  void restrict_to(level<D>& fine, level<D>& coarse) {
    const auto rows = [&](coord first, coord last, const auto& f) {
      for(coord s = std::max<coord>(first, 1); s < std::min(last, coarse.n); ++s)
        if constexpr(D == 2)
          f(s);
        else
          for(coord j = 1; j < coarse.n; ++j)
            f(j, s);
    };
    rows((fine.lo + 1) / 2, (fine.hi + 1) / 2, [&](auto... row) {
      with_rows(
        fine,
        [&](const double* u, const auto*... side) {
          kernel::restrict_row(coarse.row(coarse.u, row...), coarse.row(coarse.f, row...), 1,
            coarse.n, u, fine.row(fine.f, (2 * row)...), side...);
        },
        (2 * row)...);
    });
    // The kernel has made the rest 0.
    std::fill_n(coarse.u.begin(), coarse.slab(), 0.0);
    std::fill_n(coarse.u.end() - coarse.slab(), coarse.slab(), 0.0);
    if(!coarse.is_everywhere || fine.is_everywhere)
      return;
    std::fill(coarse.u.begin(), coarse.u.end(), 0.0);
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, coarse.f.data(), counts_.data(),
      begins_.data(), MPI_DOUBLE, MPI_COMM_WORLD);
  }

  void correct(level<D>& fine, level<D>& coarse) {
    fine.for_rows([&](coord j, auto... k) {
      const coord first = kernel::first_of(true, (j + ... + k));
      const auto of = [&](auto... row) -> const double* { return coarse.row(coarse.u, row...); };
      if constexpr(D == 2)
        kernel::correct(fine.row(fine.u, j), first, fine.n, of(j / 2), of((j + 1) / 2));
      else
        kernel::correct(fine.row(fine.u, j, k...), first, fine.n, of(j / 2, (k / 2)...),
          of((j + 1) / 2, (k / 2)...), of(j / 2, ((k + 1) / 2)...),
          of((j + 1) / 2, ((k + 1) / 2)...));
    });
  }

  world world_;
  std::vector<level<D>> levels_;
  std::vector<int> counts_; // of the first level that is everywhere
  std::vector<int> begins_;
};

struct options {
  coord n = 2048;
  int dimensions = 2;
  int cycles = 10;
  int reps = 5;
};

template<int D>
void measure(const world& w, const options& o) {
  multigrid<D> g(w, o.n);
  stopwatch time;
  g.restart();
  g.cycle(); // to get warm
  for(int rep = 0; rep != o.reps; ++rep) {
    g.restart();
    time.measure([&] {
      for(int k = 0; k != o.cycles; ++k)
        g.cycle();
    });
  }
  bench::line line = {
    {"program", "MPI"}, {"n", o.n}, {"dimensions", D}, {"ranks", w.size}, {"cycles", o.cycles}};
  time.report(line, "cycle", o.cycles);
  line["residual"] = g.residual();
  print(w, line);
}

} // namespace

int main(int argc, char** argv) {
  return run(argc, argv, MPI_THREAD_SINGLE, [&](const world& w) {
    options o;
    bench::arguments args;
    args.add("--n", o.n, "intervals along each axis: a power of two");
    args.add("--dimensions", o.dimensions, "2 or 3").range(2, 3);
    args.add("--cycles", o.cycles, "how many, each time from the start");
    args.add("--reps", o.reps, "repetitions, of which the median is reported");
    args.parse(argc, argv);
    if(o.dimensions == 2)
      measure<2>(w, o);
    else
      measure<3>(w, o);
  });
}
