#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

namespace bench {

using clock = std::chrono::steady_clock;

inline double nanoseconds(clock::duration d) {
  return std::chrono::duration<double, std::nano>(d).count();
}

// Wall time of one call, in nanoseconds.
template<class F>
double time_of(F&& f) {
  const auto begin = clock::now();
  f();
  return nanoseconds(clock::now() - begin);
}

inline double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  const auto n = v.size();
  return n == 0 ? 0.0 : n % 2 == 1 ? v[n / 2] : 0.5 * (v[n / 2 - 1] + v[n / 2]);
}

// Median wall time of n calls.
template<class F>
double median_time_of(int n, F&& f) {
  std::vector<double> t;
  for(int i = 0; i < n; ++i)
    t.push_back(time_of(f));
  return median(std::move(t));
}

} // namespace bench
