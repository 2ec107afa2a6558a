#pragma once

// The matrices of the bench, and what is done with their tiles. In all systems the work is that of
// the same single-threaded calls of OpenBLAS.

#include <cstddef>
#include <memory>
#include <vector>

namespace bench::cholesky {

struct free_memory {
  void operator()(double* p) const;
};
using entries = std::unique_ptr<double[], free_memory>;

// On large pages where the system has them for who asks: where the small ones lie differs from run to
// run, and with it the time.
entries make_entries(std::size_t n);

// The tiles on and below the diagonal, one after the other, each column by column.
class tiled {
public:
  tiled(std::size_t size, std::size_t tile);

  [[nodiscard]] static std::size_t index(std::size_t i, std::size_t j) {
    return i * (i + 1) / 2 + j;
  }
  [[nodiscard]] std::size_t size() const { return across_ * tile_; }
  [[nodiscard]] std::size_t across() const { return across_; }
  [[nodiscard]] std::size_t tiles() const { return index(across_, 0); }
  [[nodiscard]] std::size_t entries_of_tile() const { return tile_ * tile_; }
  [[nodiscard]] double* at(std::size_t index) const {
    return entries_.get() + index * entries_of_tile();
  }
  // Of row r and column c of the matrix; r >= c.
  [[nodiscard]] double& entry(std::size_t r, std::size_t c) const {
    return at(index(r / tile_, c / tile_))[c % tile_ * tile_ + r % tile_];
  }

  void copy_from(const tiled& other, std::size_t index) const;
  void factorize(std::size_t a) const;                            // a = its L
  void solve(std::size_t l, std::size_t b) const;                 // b = b l^-T
  void update_diagonal(std::size_t a, std::size_t c) const;       // c = c - a a^T
  void update(std::size_t a, std::size_t b, std::size_t c) const; // c = c - a b^T

private:
  std::size_t tile_;
  std::size_t across_;
  entries entries_;
};

// The same random matrix for everyone, positive definite by its diagonal.
void fill(const tiled& a);

// Throws if L L^T is not A: by random vectors, |A x - L (L^T x)| / (n |A| |x| epsilon) < 1.
void check_product(const tiled& a, const tiled& l);

void blas_threads(unsigned n);

} // namespace bench::cholesky
