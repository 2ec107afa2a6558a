#pragma once

// What the programs of this folder have in common: options, time, and the line of JSON at the end.

#include "harness/arguments.hpp"
#include "harness/clock.hpp"
#include "harness/line.hpp"
#include "peers/mpi/block.hpp"

#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include <mpi.h>

namespace bench::mpi {

struct world {
  int rank = 0;
  int size = 1;
};

// The main function of a program: MPI, and one message for whatever goes wrong.
template<class Body>
int run(int argc, char** argv, int threads, const Body& body) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, threads, &provided);
  world w;
  MPI_Comm_rank(MPI_COMM_WORLD, &w.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &w.size);
  int status = 0;
  try {
    body(w);
  }
  catch(const bad_arguments& e) { // the same on all ranks
    if(w.rank == 0)
      e.print();
    status = e.status();
  }
  catch(const std::exception& e) {
    std::fprintf(stderr, "%s, rank %d: %s\n", argv[0], w.rank, e.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return status;
}

inline void print(const world& w, const bench::line& line) {
  if(w.rank == 0)
    std::printf("%s\n", line.text().c_str());
}

inline double sum_over_ranks(double value) {
  double all = 0;
  MPI_Allreduce(&value, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

// Times of repetitions in microseconds, each that of the rank that took longest.
class stopwatch {
public:
  template<class Body>
  void measure(const Body& body) {
    MPI_Barrier(MPI_COMM_WORLD);
    double own = 1e-3 * time_of(body);
    double slowest = 0;
    MPI_Allreduce(&own, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    times_.push_back(slowest);
  }
  void report(bench::line& line, const std::string& name, double n, double known = 0) const {
    bench::report(line, times_, name, n, known);
  }

  [[nodiscard]] double last() const { return times_.back(); }

private:
  std::vector<double> times_;
};

struct solver_options {
  coord nx = 1024;
  coord ny = 1024;
  int sweeps = 100;
  int sub = 10;
  int reps = 5;
  int threads = 1;
  std::string grid;

  // `what` is done that often: "sweeps" or "iterations". more(args) adds what the others don't have.
  template<class More>
  void parse(int argc, char** argv, const std::string& what, const More& more) {
    arguments args;
    args.add("--nx", nx, "vertices in x, with the boundary").range(3, 1 << 20);
    args.add("--ny", ny, "vertices in y").range(3, 1 << 20);
    args.add("--" + what, sweeps, "how many, each time from the start").positive();
    args.add("--reps", reps, "repetitions, of which the median is reported").positive();
    args.add("--grid", grid, "blocks as 1x2; otherwise the best is chosen");
    more(args);
    args.parse(argc, argv);
  }

  [[nodiscard]] decomposition decompose(const world& w) const {
    if(grid.empty())
      return best_decomposition(w.size, nx, ny);
    decomposition d{};
    if(std::sscanf(grid.c_str(), "%dx%d", &d.px, &d.py) != 2 || d.px < 1 || d.py < 1 ||
       d.px * d.py != w.size || d.px > nx - 2 || d.py > ny - 2)
      throw std::runtime_error("no " + grid + " blocks for this number of ranks");
    return d;
  }
};

// The line of a solver, except for times and results.
inline bench::line describe(const std::string& program, const world& w, const solver_options& o,
  const decomposition& d, const std::string& what = "sweeps") {
  bench::line line = {{"program", program}, {"nx", o.nx}, {"ny", o.ny}, {"ranks", w.size},
    {"threads", o.threads}, {"grid", std::to_string(d.px) + "x" + std::to_string(d.py)},
    {what, o.sweeps}};
  if(what == "sweeps")
    line["sub"] = o.sub;
  return line;
}

} // namespace bench::mpi
