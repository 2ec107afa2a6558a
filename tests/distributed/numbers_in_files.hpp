#pragma once

/// \file
/// A line of numbers, which tests write to files and read from them.

#include <cstdint>
#include <string>

#include <rondo/rondo.hpp>

namespace numbers_in_files {

using line = rondo::structured<1>;
using numbers = rondo::field<std::int64_t>;
constexpr std::int64_t points = 40;

inline line mesh(rondo::scheduler& s) { return line{s, {.extents = {points}, .colors = {8}}}; }

inline void set_to(line::view m, numbers::accessor<rondo::wo> x, std::int64_t value) {
  for(const auto i : m.owned(0))
    x(i) = value;
}
inline void increment(line::view m, numbers::accessor<rondo::rw> x) {
  for(const auto i : m.owned(0))
    ++x(i);
}
inline std::int64_t sum_of(line::view m, numbers::accessor<rondo::ro> x) {
  std::int64_t sum = 0;
  for(const auto i : m.owned(0))
    sum += x(i);
  return sum;
}

inline std::int64_t sum_in(rondo::scheduler& s, const std::string& path) {
  const line m = mesh(s);
  numbers x{m, "x"};
  s.read(path, m, x);
  return s.reduce<sum_of, rondo::fold::sum>(m, x).get();
}

} // namespace numbers_in_files
