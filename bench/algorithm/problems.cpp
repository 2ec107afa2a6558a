#include "algorithm/problems.hpp"

#include <cmath>

namespace bench::algorithm {

namespace {
double initial(std::size_t i) { return static_cast<double>(i % 1024) * 0.25; }
} // namespace

// First touch by one thread, for every system alike.
array::array(std::size_t n) : n_(n), data_(std::make_unique_for_overwrite<double[]>(n)) {
  for(std::size_t i = 0; i < n; ++i)
    data_[i] = initial(i);
}

void check_affine(const array& x, int times) {
  for(std::size_t i = 0; i < x.size(); i += 997) {
    double expected = initial(i);
    for(int k = 0; k < times; ++k)
      affine(expected);
    check(
      std::fabs(x[i] - expected) <= 1e-12 * std::fabs(expected) + 1e-12, "for_each: wrong entry");
  }
}

void check_sum(const array& x, double sum) {
  double expected = 0;
  for(std::size_t block = 0; block < 1024; ++block) // all i with i % 1024 == block
    expected += initial(block) * static_cast<double>((x.size() + 1023 - block) / 1024);
  check(std::fabs(sum - expected) <= 1e-10 * expected, "reduce: wrong sum");
}

picture::picture(bool quick)
    : rows(quick ? 100 : 1000), columns(quick ? 100 : 1000),
      sums(std::make_unique<unsigned[]>(rows)) {}

unsigned picture::iterations_of(std::size_t i) const {
  unsigned sum = 0;
  const double y = -1.25 + 2.5 * static_cast<double>(i) / static_cast<double>(rows);
  for(std::size_t j = 0; j < columns; ++j) {
    const double x = -2.0 + 2.5 * static_cast<double>(j) / static_cast<double>(columns);
    double a = 0;
    double b = 0;
    unsigned k = 0;
    for(; k < 500 && a * a + b * b < 4; ++k) {
      const double t = a * a - b * b + x;
      b = 2 * a * b + y;
      a = t;
    }
    sum += k;
  }
  return sum;
}

void picture::row(std::size_t i) { sums[i] += iterations_of(i); }

void picture::check_and_clear() {
  for(std::size_t i = 0; i < rows; i += 37)
    check(sums[i] == iterations_of(i), "uneven loop: a row is wrong or was drawn twice");
  for(std::size_t i = 0; i < rows; ++i) {
    check(sums[i] != 0, "uneven loop: a row was not drawn");
    sums[i] = 0;
  }
}

} // namespace bench::algorithm
