#pragma once

// METG(50 %): the smallest tasks with which half of the arithmetic's speed is left. Tasks are made half as
// long again and again, until more than half of the time is something else; between the last two sizes it
// is interpolated. A task's size, its granularity, is what it takes altogether: time x cores / tasks.

#include "harness/clock.hpp"

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace bench::metg {

struct result {
  double metg;  // us
  double empty; // us, of a task that computes nothing
  double ns_per_iteration;
};

struct search_options {
  std::int64_t most = 1 << 14; // iterations of the largest task
  int reps = 5;
  double seconds = 0.02; // of a measurement, about
  int width = 16;
  int cores = 2;
  int period = 2; // numbers of steps are multiples of this
};

// run(steps, iterations): seconds that so many steps take, the same on all ranks.
template<class Run>
result find(const search_options& o, const Run& run) {
  const auto granularity = [&](std::int64_t iterations) {
    const auto us_of_task = [&](long steps) {
      return 1e6 * run(steps, iterations) * o.cores / (static_cast<double>(steps) * o.width);
    };
    // Enough steps for a measurement that is worth something; this is also what makes it warm.
    long steps = 8L * o.period;
    double us = us_of_task(steps);
    while(us * static_cast<double>(steps) * o.width / o.cores < 0.25e6 * o.seconds) {
      steps *= 4;
      us = us_of_task(steps);
    }
    std::vector<double> all;
    for(int rep = 0; rep != o.reps; ++rep)
      all.push_back(us_of_task(steps));
    return median(all);
  };

  // The fastest arithmetic there is: with the largest tasks, or smaller ones if these are as good.
  double us_per_iteration = INFINITY;
  double larger_us = 0;
  double larger_efficiency = 1;
  for(std::int64_t iterations = o.most; iterations != 0; iterations /= 2) {
    const double us = granularity(iterations);
    us_per_iteration = std::min(us_per_iteration, us / static_cast<double>(iterations));
    const double efficiency = us_per_iteration * static_cast<double>(iterations) / us;
    if(efficiency < 0.5) {
      // Linear in the logarithm of the granularity.
      const double at = (larger_efficiency - 0.5) / (larger_efficiency - efficiency);
      return {larger_us * std::pow(us / larger_us, at), granularity(0), 1e3 * us_per_iteration};
    }
    larger_us = us;
    larger_efficiency = efficiency;
  }
  // A single iteration is more than half: METG is twice what is not arithmetic.
  const double empty = granularity(0);
  return {2 * empty, empty, 1e3 * us_per_iteration};
}

} // namespace bench::metg
