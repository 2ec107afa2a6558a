#pragma once

// METG(50 %): the smallest tasks with which half of the arithmetic's speed is left. Tasks of 2^k iterations
// are measured, down to a single one and none. A task's size, its granularity, is what it takes
// altogether: time x cores / tasks; its efficiency is the share of this that the arithmetic takes when all
// cores do nothing else. From the smallest tasks on upwards, the first two between which the efficiency
// becomes one half say where it is, interpolated.
//
// All sizes are measured one after the other, and that again and again; medians count. The speed of the
// arithmetic itself depends on who else uses the processor and may change by a factor of two from one
// moment to the next, so it is measured right before and right after each measurement, and the
// efficiency is that of these three.

#include "harness/clock.hpp"

#include <cmath>
#include <cstdint>
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
    std::vector<double> us;           // of a task
    std::vector<double> efficiencies; // of the same measurements
    double efficiency = 0;            // the median
  };
  std::vector<double> speeds;
  const auto us_per_iteration = [&] {
    constexpr std::int64_t iterations = 1 << 14;
    speeds.push_back(1e6 * compute(iterations) / iterations);
    return speeds.back();
  };
  const auto measure = [&](const size& s) {
    return 1e6 * run(s.steps, s.iterations) * o.cores / (static_cast<double>(s.steps) * o.width);
  };
  std::vector<size> sizes;
  for(std::int64_t iterations = o.most; iterations != 0; iterations /= 2)
    sizes.push_back({iterations, 8L * o.period, {}, {}});
  sizes.push_back({0, 8L * o.period, {}, {}});
  // As many steps as make a measurement that is worth something. This is also what makes it warm.
  for(size& s : sizes)
    do
      s.steps *= 2;
    while(measure(s) * static_cast<double>(s.steps) * o.width / o.cores < 0.5e6 * o.seconds);
  for(int rep = 0; rep != o.reps; ++rep) {
    double before = us_per_iteration();
    for(size& s : sizes) {
      s.us.push_back(measure(s));
      const double after = us_per_iteration();
      s.efficiencies.push_back(
        (before + after) / 2 * static_cast<double>(s.iterations) / s.us.back());
      before = after;
    }
  }
  for(size& s : sizes)
    s.efficiency = median(s.efficiencies);
  const double ns_per_iteration = 1e3 * median(speeds);
  const double empty = median(sizes.back().us);
  sizes.pop_back();
  const size* smaller = nullptr;
  for(auto s = sizes.rbegin(); s != sizes.rend(); ++s) {
    if(s->efficiency >= 0.5) {
      // Linear in the logarithm of the granularity. If one iteration is enough, it is that.
      const double at = smaller == nullptr
                          ? 1
                          : (0.5 - smaller->efficiency) / (s->efficiency - smaller->efficiency);
      const double from = median((smaller == nullptr ? *s : *smaller).us);
      return {from * std::pow(median(s->us) / from, at), empty, ns_per_iteration};
    }
    smaller = &*s;
  }
  return {median(sizes.front().us), empty, ns_per_iteration}; // the largest: it is more than this
}

} // namespace bench::metg
