#pragma once

// The command line of every program of this bench, and the line that it prints.

#include "harness/arguments.hpp"
#include "harness/line.hpp"
#include "sparse/problem.hpp"

#include <string>

namespace bench::sparse {

struct options {
  problem box;
  int iterations = 100;
  int reps = 5;

  void add_to(arguments& args) {
    args.add("--nx", box.nx, "vertices in x").range(1, 1 << 20);
    args.add("--ny", box.ny, "vertices in y").range(1, 1 << 20);
    args.add("--nz", box.nz, "vertices in z, along which ranks share the box").range(1, 1 << 20);
    args.add("--iterations", iterations, "how many, each time from zero").positive();
    args.add("--reps", reps, "repetitions, of which the median is reported").positive();
  }
  void parse(int argc, const char* const* argv) {
    arguments args;
    add_to(args);
    args.parse(argc, argv);
  }

  // All but times and results, which are "residual": |b - A x|, and "natural": the square root of r D^-1 r, as the
  // iteration knows it.
  [[nodiscard]] bench::line describe(const std::string& program, int ranks) const {
    return {{"program", program}, {"rows", box.rows()}, {"ranks", ranks}, {"threads", 1},
      {"iterations", iterations}};
  }
};

} // namespace bench::sparse
