#pragma once

// Sizes, bodies and answers of the loop cases.

#include "harness/case.hpp"
#include "harness/clock.hpp"

#include <cstddef>
#include <memory>

namespace bench::algorithm {

inline std::size_t array_size(bool quick) { return quick ? 200'000 : 20'000'000; }

// Doubles that nobody has initialized: no second pass over 160 MB before the first.
class array {
public:
  explicit array(std::size_t n);
  double* begin() { return data_.get(); }
  double* end() { return data_.get() + n_; }
  const double* begin() const { return data_.get(); }
  const double* end() const { return data_.get() + n_; }
  std::size_t size() const { return n_; }
  double operator[](std::size_t i) const { return data_[i]; }

private:
  std::size_t n_;
  std::unique_ptr<double[]> data_;
};

// for_each: x = x * a + b, as many times as the loop was called.
inline void affine(double& x) { x = x * 0.999 + 0.5; }
void check_affine(const array& x, int times);

// reduce: the sum, whose value in exact arithmetic is known.
void check_sum(const array& x, double sum);

// uneven: rows of the Mandelbrot set; the rows in the middle cost a hundred times those at the rim.
struct picture {
  explicit picture(bool quick);
  void row(std::size_t i); // in a file of its own: the same machine code for every system
  void check_and_clear();  // all rows were drawn once
  std::size_t rows;
  std::size_t columns;
  std::unique_ptr<unsigned[]> sums; // iterations in each row, added to what was there

private:
  unsigned iterations_of(std::size_t i) const;
};

} // namespace bench::algorithm
