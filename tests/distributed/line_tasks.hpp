#pragma once

/// \file
/// A short line of numbers, and tasks whose results tell in which order they have run.

#include <algorithm>
#include <cstdint>

#include <rondo/rondo.hpp>

namespace line_tasks {

using line = rondo::structured<1>;
using numbers = rondo::field<double>;
constexpr std::int64_t points = 24;

inline void start(line::view m, numbers::accessor<rondo::wo> u) {
  for(const auto i : m.owned(0))
    u(i) = static_cast<double>(i * i % 11);
}
/// Reads ghosts and writes.
inline void smooth(
  line::view m, numbers::accessor<rondo::wo> to, numbers::accessor<rondo::ro, rondo::ro> from) {
  for(const auto i : m.owned(0))
    to(i) = from(i);
  for(const auto i : m.interior(0))
    to(i) = (from(i - 1) + 2 * from(i) + from(i + 1)) / 3;
}
inline void scale(line::view m, numbers::accessor<rondo::rw> u, double by) {
  for(const auto i : m.owned(0))
    u(i) = u(i) / by + 1;
}
inline double most(line::view m, numbers::accessor<rondo::ro> u) {
  double x = 0;
  for(const auto i : m.owned(0))
    x = std::max(x, u(i));
  return x;
}
inline double sum(line::view m, numbers::accessor<rondo::ro> u) {
  double x = 0;
  for(const auto i : m.owned(0))
    x += u(i) * static_cast<double>(i + 1);
  return x;
}
inline double on_rank_0(double x) { return 3 * x; }

} // namespace line_tasks
