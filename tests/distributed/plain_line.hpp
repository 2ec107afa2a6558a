#pragma once

/// \file
/// A line of numbers that are set, and added up.

#include <rondo/rondo.hpp>

namespace plain_line {

using line = rondo::structured<1>;
using numbers = rondo::field<double>;

inline void set(line::view m, numbers::accessor<rondo::wo> u, double to) {
  for(const auto i : m.owned(0))
    u(i) = to;
}
inline double sum(line::view m, numbers::accessor<rondo::ro> u) {
  double all = 0;
  for(const auto i : m.owned(0))
    all += u(i);
  return all;
}

} // namespace plain_line
