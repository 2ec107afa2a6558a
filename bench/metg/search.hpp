#pragma once

// METG(50 %): the smallest tasks with which half of the arithmetic's speed is left. Tasks of 2^k iterations
// are measured, down to a single one and none. A task's size, its granularity, is what it takes
// altogether: time x cores / tasks; its efficiency is the share of this that the arithmetic takes when all
// cores do nothing else, which is measured by itself. From the smallest tasks on upwards, the first two between which
// the efficiency becomes one half say where it is, interpolated.
//
// All sizes are measured one after the other, and that again and again; the best time of each counts,
// since what others do on the machine only makes it longer.

#include "harness/clock.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace bench::metg {

struct result {
  double metg;  // us
  double empty; // us, of a task that computes nothing
  double ns_per_iteration;
};

struct search_options {
  std::int64_t most = 1 << 12; // iterations of the largest task
  int reps = 10;
  double seconds = 0.004; // of a measurement, about: short, so that some are undisturbed
  int width = 16;
  int cores = 2;
  int period = 2; // numbers of steps are multiples of this
};

// run(steps, iterations): seconds that so many steps take; compute(iterations): that the arithmetic takes if
// all cores do so many at the same time. Both the same on all ranks.
template<class Run, class Compute>
result find(const search_options& o, const Run& run, const Compute& compute) {
  struct size {
    std::int64_t iterations;
    long steps;
    double us; // of a task
  };
  double us_per_iteration = std::numeric_limits<double>::infinity();
  const auto measure_alone = [&] { // in short pieces, of which some are undisturbed
    constexpr std::int64_t iterations = 1 << 14;
    for(int piece = 0; piece != 32; ++piece)
      us_per_iteration = std::min(us_per_iteration, 1e6 * compute(iterations) / iterations);
  };
  const auto measure = [&](size& s) {
    const double tasks = static_cast<double>(s.steps) * o.width;
    s.us = std::min(s.us, 1e6 * run(s.steps, s.iterations) * o.cores / tasks);
  };
  std::vector<size> sizes;
  for(std::int64_t iterations = o.most; iterations != 0; iterations /= 2)
    sizes.push_back({iterations, 8L * o.period, std::numeric_limits<double>::infinity()});
  sizes.push_back({0, 8L * o.period, std::numeric_limits<double>::infinity()});
  // As many steps as make a measurement that is worth something. This is also what makes it warm.
  for(size& s : sizes)
    do {
      s.steps *= 2;
      s.us = std::numeric_limits<double>::infinity();
      measure(s);
    } while(s.us * static_cast<double>(s.steps) * o.width / o.cores < 0.5e6 * o.seconds);
  for(int rep = 0; rep != o.reps; ++rep) {
    measure_alone();
    for(size& s : sizes)
      measure(s);
  }

  const double empty = sizes.back().us;
  sizes.pop_back();
  const auto efficiency = [&](const size& s) {
    return us_per_iteration * static_cast<double>(s.iterations) / s.us;
  };
  const size* smaller = nullptr;
  for(auto s = sizes.rbegin(); s != sizes.rend(); ++s) {
    if(efficiency(*s) >= 0.5) {
      // Linear in the logarithm of the granularity. If one iteration is enough, it is that.
      const double at = smaller == nullptr
                          ? 1
                          : (0.5 - efficiency(*smaller)) / (efficiency(*s) - efficiency(*smaller));
      const double from = smaller == nullptr ? s->us : smaller->us;
      return {from * std::pow(s->us / from, at), empty, 1e3 * us_per_iteration};
    }
    smaller = &*s;
  }
  return {sizes.front().us, empty, 1e3 * us_per_iteration}; // the largest: it is more than this
}

} // namespace bench::metg
